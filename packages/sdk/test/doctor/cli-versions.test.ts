import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareVersions, oldestCli, testedCli } from '../../src/doctor/cli-versions.ts';

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('The versions of the CLI that the doctor names', () => {
  it('are those of the page of versions', () => {
    const page = textOf('../../../../docs/versions.md');
    expect(page).toContain(`${oldestCli} is the oldest that is supported`);
    expect(/^\| (\d[\d.]+) \|/m.exec(page)?.[1]).toBe(testedCli);
  });

  it('are compared by number', () => {
    expect(compareVersions('2.1.99', '2.1.100')).toBeLessThan(0);
    expect(compareVersions('3.0.0', '2.1.328')).toBeGreaterThan(0);
    expect(compareVersions('2.1.328', '2.1.328')).toBe(0);
  });
});
