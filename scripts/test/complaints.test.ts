import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../workspace.mjs';

const page = 'docs/what-users-complain-of.md';
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The numbers at the start of a test's title, or of a promise of a contract suite. */
function numbersIn(source: string): readonly number[] {
  return [...source.matchAll(/(?<=['"`])(?:#\d+ )+/g)].flatMap(([numbers]) =>
    [...numbers.matchAll(/\d+/g)].map(([number]) => Number(number)),
  );
}

interface Row {
  readonly number: number;
  readonly files: readonly string[];
}

const rows: readonly Row[] = [...read(page).matchAll(/^\| (\d+) \|.*\|$/gm)].map(([line, number]) => ({
  number: Number(number),
  files: [...line.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => path.posix.join('docs', link)),
}));

const suites = globSync(['{e2e,packages}/**/*.test.ts', 'packages/testing/src/contracts/*.ts'], {
  cwd: root,
  exclude: (file) => file.includes('node_modules'),
}).map((file) => ({ file: file.replaceAll('\\', '/'), numbers: numbersIn(read(file)) }));

describe('A number in the title of a test', () => {
  it('has its row on the page of complaints', () => {
    const known = new Set(rows.map(({ number }) => number));
    const unknown = suites.flatMap(({ file, numbers }) =>
      numbers.filter((number) => !known.has(number)).map((number) => `${file}: #${number}`),
    );
    expect(unknown).toEqual([]);
  });

  it('is found at the start of a title, alone or after another one', () => {
    expect(numbersIn(`it('#5 #9 holds', f); it("is #7", f); const color = '#123456'; \`#8 An\``)).toEqual([5, 9, 8]);
  });
});

describe('A row on the page of complaints', () => {
  it.each(rows)('names tests that have its number: #$number', ({ number, files }) => {
    const wrong = files.filter((file) => !numbersIn(read(file)).includes(number));
    expect([files.length > 0, wrong]).toEqual([true, []]);
  });

  it('stands once, in order', () => {
    const numbers = rows.map((row) => row.number);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  });
});
