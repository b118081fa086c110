// Verdicts on the numbers: how many times better, and whether a goal is met.

/** How many times better `mine` is than `theirs`; `undefined` where there is nothing to compare. */
export function timesBetter({ better }, mine, theirs) {
  if (mine === undefined || theirs === undefined) return undefined;
  return better === 'less' ? theirs / mine : mine / theirs;
}

/**
 * Each goal with its verdict: `met`, `MISSED`, or `out of reach` where not even the limit reaches it. A goal without
 * figures is left out.
 */
export function judge(wanted, metric, { hexagent, official, limit }) {
  const { atMost, atLeast, ofLimit } = wanted ?? {};
  const ratio = timesBetter(metric, hexagent, official);
  const share = timesBetter(metric, hexagent, limit);
  const possible = timesBetter(metric, limit, official);
  const judged = [];
  if (atMost !== undefined)
    judged.push({ requirement: `<= ${atMost} ${metric.unit}`.trimEnd(), isMet: hexagent <= atMost });
  if (atLeast !== undefined && ratio !== undefined) {
    judged.push({ requirement: `>= ${atLeast}x`, isMet: ratio >= atLeast, isOutOfReach: possible < atLeast });
  }
  if (ofLimit !== undefined && share !== undefined) {
    judged.push({ requirement: `>= ${ofLimit} of limit`, isMet: share >= ofLimit });
  }
  return judged.map(({ requirement, isMet, isOutOfReach }) => {
    const verdict = isMet ? 'met' : isOutOfReach ? 'out of reach' : 'MISSED';
    return { requirement, verdict };
  });
}

/** Every required goal that was missed, each in one sentence. */
export function missed(rows, results) {
  return rows.flatMap((row) =>
    row.metrics.flatMap((metric) => {
      const values = valuesOf(results[row.name], metric);
      const found = `${values.hexagent.toFixed(metric.digits)} ${metric.unit}`.trimEnd();
      const ratio = timesBetter(metric, values.hexagent, values.official)?.toFixed(2);
      return judge(metric.required, metric, values)
        .filter(({ verdict }) => verdict !== 'met')
        .map(
          ({ requirement }) =>
            `${row.name}, ${metric.label}: ${found}, ${ratio}x the official SDK; required is ${requirement}.`,
        );
    }),
  );
}

export const valuesOf = (result, { key }) =>
  Object.fromEntries(Object.entries(result ?? {}).map(([subject, metrics]) => [subject, metrics[key]]));
