// The table: readable in a terminal, and Markdown.
import { judge, timesBetter, valuesOf } from './verdicts.mjs';

const heading = ['row', 'metric', 'unit', 'limit', 'hexagent', 'official', 'vs official', 'vs limit', 'bound'];

export function table(rows, results, also = []) {
  const lines = [[...heading.slice(0, 6), ...also, ...heading.slice(6)]];
  for (const row of rows) {
    for (const metric of row.metrics) lines.push(line(row, metric, valuesOf(results[row.name], metric), also));
  }
  const widths = lines[0].map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [lines[0], rule, ...lines.slice(1)]
    .map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`)
    .join('\n');
}

function line(row, metric, values, also) {
  const shown = (subject) => values[subject]?.toFixed(metric.digits) ?? '';
  const times = (other) => {
    const ratio = timesBetter(metric, values.hexagent, values[other]);
    return ratio === undefined || !Number.isFinite(ratio) ? '' : `${ratio.toFixed(ratio >= 100 ? 0 : 2)}x`;
  };
  return [
    row.name,
    metric.label,
    metric.unit,
    ...['limit', 'hexagent', 'official', ...also].map(shown),
    times('official'),
    times('limit'),
    judged(metric, values),
  ];
}

const judged = (metric, values) =>
  judge(metric, values)
    .map(({ requirement, verdict }) => `${verdict}: ${requirement}`)
    .join(', ');
