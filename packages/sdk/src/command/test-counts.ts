/** How many tests a run has reported. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

// oxlint-disable-next-line no-control-regex -- the colours of a terminal
const colours = /\u001B\[[\d;]*m/gu;

/** `Tests  1 failed | 2 passed (3)` of Vitest, `Tests: 1 failed, 2 passed, 3 total` of Jest. */
const summary = /^\s*Tests:?\s+(?=\d)(?<list>.+)$/u;

/** `# pass 2` or `ℹ pass 2` of `node --test`, `2 passing` of Mocha, `2 tests passed` of AVA, ` 2 pass` of Bun. */
const lines: readonly { readonly outcome: keyof TestCounts; readonly pattern: RegExp }[] = [
  { outcome: 'passed', pattern: /^\s*[#ℹ] pass (?<n>\d+)$|^\s*(?<m>\d+) (?:passing(?: \(.*\))?|tests? passed|pass)$/u },
  { outcome: 'failed', pattern: /^\s*[#ℹ] fail (?<n>\d+)$|^\s*(?<m>\d+) (?:failing|tests? failed|fail)$/u },
  {
    outcome: 'skipped',
    pattern: /^\s*[#ℹ] (?:skipped|todo) (?<n>\d+)$|^\s*(?<m>\d+) (?:pending|tests? (?:skipped|todo)|skip)$/u,
  },
];

/** Reads the summaries of the usual test runners; several of them, as of a workspace, are added up. `undefined`: none was found. */
export function testCountsIn(output: string): TestCounts | undefined {
  const found = output
    .replaceAll(colours, '')
    .split(/\r?\n/u)
    .flatMap((line) => countsOf(line));
  if (found.length === 0) return undefined;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome, count } of found) counts[outcome] += count;
  return counts;
}

interface Count {
  readonly outcome: keyof TestCounts;
  readonly count: number;
}

function countsOf(line: string): readonly Count[] {
  const list = summary.exec(line)?.groups?.['list'];
  if (list !== undefined)
    return [...list.matchAll(/(?<count>\d+) (?<name>passed|failed|skipped|todo|pending)/gu)].map(({ groups = {} }) => ({
      outcome: groups['name'] === 'passed' || groups['name'] === 'failed' ? groups['name'] : 'skipped',
      count: Number(groups['count']),
    }));
  return lines.flatMap(({ outcome, pattern }) => {
    const { n, m } = pattern.exec(line)?.groups ?? {};
    const count = n ?? m;
    return count === undefined ? [] : [{ outcome, count: Number(count) }];
  });
}
