// Verdicts on the numbers: how many times better, and whether a bound is met.

/** How many times better `mine` is than `theirs`; `undefined` where there is nothing to compare. */
export function timesBetter({ better }, mine, theirs) {
  if (mine === undefined || theirs === undefined) return undefined;
  return better === 'less' ? theirs / mine : mine / theirs;
}

/** Each bound with its verdict, `met` or `MISSED`. One without figures is left out. */
export function judge(metric, { hexagent, official }) {
  const { atMost, atLeast } = metric.bound ?? {};
  const ratio = timesBetter(metric, hexagent, official);
  const judged = [];
  if (atMost !== undefined)
    judged.push({ requirement: `<= ${atMost} ${metric.unit}`.trimEnd(), isMet: hexagent <= atMost });
  if (atLeast !== undefined && ratio !== undefined)
    judged.push({ requirement: `>= ${atLeast}x`, isMet: ratio >= atLeast });
  return judged.map(({ requirement, isMet }) => ({ requirement, verdict: isMet ? 'met' : 'MISSED' }));
}

/** Every bound that was missed, each in one sentence. */
export function missed(rows, results) {
  return rows.flatMap((row) =>
    row.metrics.flatMap((metric) => {
      const values = valuesOf(results[row.name], metric);
      const found = `${values.hexagent.toFixed(metric.digits)} ${metric.unit}`.trimEnd();
      const ratio = timesBetter(metric, values.hexagent, values.official)?.toFixed(2);
      return judge(metric, values)
        .filter(({ verdict }) => verdict !== 'met')
        .map(
          ({ requirement }) =>
            `${row.name}, ${metric.label}: ${found}, ${ratio}x the official SDK; the bound is ${requirement}.`,
        );
    }),
  );
}

export const valuesOf = (result, { key }) =>
  Object.fromEntries(Object.entries(result ?? {}).map(([subject, metrics]) => [subject, metrics[key]]));
