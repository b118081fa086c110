import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wantedDifferences } from '../../e2e/differential/wanted-differences.ts';
import { page, valuesPage } from '../values-page.mjs';

describe('The page of values', () => {
  it('is what scripts/values-page.mjs writes now', () => {
    expect(readFileSync(page, 'utf8')).toBe(valuesPage());
  });

  it('has each value of the table in a row of its option', () => {
    const rows = valuesPage().split('\n');
    for (const [option, differences] of Object.entries(wantedDifferences))
      for (const { why, values } of differences) {
        const own = rows.filter((line) => line.startsWith(`| \`${option}\` |`) && line.endsWith(`| ${why} |`)).join();
        expect(values.filter((value) => !own.includes(value.replaceAll('|', String.raw`\|`)))).toEqual([]);
      }
  });
});
