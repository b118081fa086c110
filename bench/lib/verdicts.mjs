// What the numbers mean: how many times better, and whether that is what was wanted.

/** How many times better `mine` is than `theirs`; `undefined` where there is nothing to compare. */
export function timesBetter({ better }, mine, theirs) {
  if (mine === undefined || theirs === undefined) return undefined;
  return better === 'less' ? theirs / mine : mine / theirs;
}

/** `true`, `false`, or `undefined` where nothing was wanted or compared. */
export function meets(wanted, metric, { hexagent, official, limit }) {
  if (wanted === undefined) return undefined;
  const ratio = timesBetter(metric, hexagent, official);
  const share = timesBetter(metric, hexagent, limit);
  const judged = [
    wanted.atMost === undefined ? undefined : hexagent <= wanted.atMost,
    wanted.atLeast === undefined || ratio === undefined ? undefined : ratio >= wanted.atLeast,
    wanted.ofLimit === undefined || share === undefined ? undefined : share >= wanted.ofLimit,
  ].filter((verdict) => verdict !== undefined);
  return judged.length === 0 ? undefined : judged.every(Boolean);
}

/** Whether even the limit is not that much better than the official SDK: then nobody can be. */
export function isOutOfReach({ atLeast } = {}, metric, { limit, official }) {
  const possible = timesBetter(metric, limit, official);
  return atLeast !== undefined && possible !== undefined && possible < atLeast;
}

/** In words: `>= 1.7x, >= 0.9 of the limit`. */
export function inWords(wanted, { unit }) {
  if (wanted === undefined) return '';
  return [
    wanted.atMost === undefined ? undefined : `<= ${wanted.atMost} ${unit}`.trimEnd(),
    wanted.atLeast === undefined ? undefined : `>= ${wanted.atLeast}x`,
    wanted.ofLimit === undefined ? undefined : `>= ${wanted.ofLimit} of limit`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** Every required thing that was missed, each in one sentence. */
export function missed(rows, results) {
  return rows.flatMap((row) =>
    row.metrics
      .map((metric) => ({ metric, values: valuesOf(results[row.name], metric) }))
      .filter(({ metric, values }) => meets(metric.required, metric, values) === false)
      .map(({ metric, values }) => {
        const ratio = timesBetter(metric, values.hexagent, values.official)?.toFixed(2);
        const found = `${values.hexagent.toFixed(metric.digits)} ${metric.unit}`.trimEnd();
        return `${row.name}, ${metric.label}: ${found}, ${ratio}x the official SDK; required is ${inWords(metric.required, metric)}.`;
      }),
  );
}

export const valuesOf = (result, { key }) =>
  Object.fromEntries(Object.entries(result ?? {}).map(([subject, metrics]) => [subject, metrics[key]]));
