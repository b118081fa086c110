import { cpSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../workspace.mjs';
import { Folder } from './planted.ts';

const file = 'packages/server/fleet/src/place.ts';

/** Stands for Stryker: writes a report of faults with these ends, each in the first line of the file. */
const stryker = (ends: readonly string[]): string => `
  const { readFileSync, writeFileSync } = require('node:fs');
  const { jsonReporter } = JSON.parse(readFileSync(process.argv[3], 'utf8'));
  const location = { start: { line: 1, column: 6 }, end: { line: 1, column: 11 } };
  const mutants = ${JSON.stringify(ends)}.map((status) => ({ status, location, replacement: 'true' }));
  const files = { '${file}': { source: 'keep(a < b);', mutants } };
  writeFileSync(jsonReporter.fileName, JSON.stringify({ files }));`;

/** Runs the script where Stryker finds this. */
function mutation(ends: readonly string[], ...args: readonly string[]): ReturnType<Folder['run']> {
  using folder = new Folder();
  for (const name of ['mutation.mjs', 'workspace.mjs'])
    cpSync(path.join(root, 'scripts', name), path.join(folder.dir, 'scripts', name));
  folder.write('package.json', '{}');
  folder.write(file, 'keep(a < b);');
  folder.write('node_modules/@stryker-mutator/core/package.json', '{ "bin": { "stryker": "stryker.cjs" } }');
  folder.write('node_modules/@stryker-mutator/core/stryker.cjs', stryker(ends));
  return folder.run(process.execPath, 'scripts/mutation.mjs', ...args);
}

const many = (count: number, status: string): readonly string[] => Array.from({ length: count }, () => status);

describe('The count of planted faults', () => {
  it('passes with nine of ten found, and names the one that is left', () => {
    const { status, output } = mutation([...many(8, 'Killed'), 'Timeout', 'Survived'], 'placement');
    expect(output).toBe(`${file}: 9 of 10 found, 90.0 %\n  1: a < b -> true\nAll: 9 of 10 found, 90.0 %\n`);
    expect(status).toBe(0);
  });

  it('fails with less, also where no test gets to a fault', () => {
    const { status, output } = mutation([...many(8, 'Killed'), 'Survived', 'NoCoverage'], 'placement');
    expect(output).toContain('All: 8 of 10 found, 80.0 %');
    expect(output).toContain('a < b -> true (no test gets there)');
    expect(status).toBe(1);
  });

  it('counts no fault that could not be tried', () => {
    const { status, output } = mutation(
      [...many(8, 'Killed'), ...many(2, 'Survived'), ...many(20, 'RuntimeError'), 'CompileError', 'Ignored'],
      'placement',
    );
    expect(output).toContain('All: 8 of 10 found, 80.0 %');
    expect(status).toBe(1);
  });

  it('fails where nothing could be tried', () => {
    const { status, output } = mutation(many(3, 'RuntimeError'), 'placement');
    expect([status, output]).toEqual([1, expect.stringContaining('No fault was tried')]);
  });

  it('fails for a group, or a file of a group, that there is not, and names it', () => {
    const misspelt = mutation([], 'placment');
    expect([misspelt.status, misspelt.output]).toEqual([
      1,
      expect.stringMatching(/There is no group placment\. There are rules, .*, placement\./),
    ]);
    const gone = mutation([], 'turns');
    expect([gone.status, gone.output]).toEqual([
      1,
      expect.stringContaining('packages/domain/streaming/src/turn-state.ts'),
    ]);
  });
});
