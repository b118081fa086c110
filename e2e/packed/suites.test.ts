import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { blocksOf } from '../../scripts/test/pages.ts';
import { root } from '../../scripts/workspace.mjs';
import { cli } from '../support/cli.ts';
import { otherRuntimes } from '../support/other-runtimes.ts';
import { runToEnd } from './run.ts';

const { project, env, nodes } = inject('packed');
const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');
const bun = otherRuntimes().find(({ name }) => name === 'Bun')?.executable;
const [floor] = nodes;

interface Way {
  readonly runner: string;
  readonly command: string | undefined;
  readonly args: readonly string[];
  /** What its report has before, or behind, the numbers of tests that passed, failed and were skipped. */
  readonly report: Readonly<Record<'passed' | 'failed' | 'skipped', RegExp>>;
}

const ways: readonly Way[] = [
  {
    runner: 'node:test of the oldest Node',
    command: floor?.executable,
    args: ['--test', '--test-reporter=tap', 'suites.node.mjs'],
    report: { passed: /^# pass (\d+)/m, failed: /^# fail (\d+)/m, skipped: /^# skipped (\d+)/m },
  },
  {
    runner: 'Jest',
    command: process.execPath,
    args: ['--no-warnings', '--experimental-vm-modules', jest, '--rootDir=.', '--testMatch=**/suites.jest.mjs'],
    report: {
      passed: /^Tests:.* (\d+) passed/m,
      failed: /^Tests:.* (\d+) failed/m,
      skipped: /^Tests:.* (\d+) skipped/m,
    },
  },
  {
    runner: 'bun test',
    command: bun,
    args: ['test', './suites.bun.test.mjs'],
    report: { passed: /^ *(\d+) pass$/m, failed: /^ *(\d+) fail$/m, skipped: /^ *(\d+) skip$/m },
  },
];

async function counted({ command = '', args, report }: Way): Promise<readonly number[]> {
  const { stdout, stderr } = await runToEnd(command, args, { cwd: project, env });
  const output = `${stdout}${stderr}`;
  return Object.values(report).map((pattern) => Number(pattern.exec(output)?.[1] ?? 0));
}

describe('The programs of the page about tests', () => {
  const page = { file: 'docs/testing.md', text: readFileSync(join(root, 'docs/testing.md'), 'utf8') };
  const programs = blocksOf(page).filter(({ code }) => code.includes('node:test'));

  it('pass as they are printed', async () => {
    const files = programs.map((_, index) => `page-${index}.test.mts`);
    for (const [index, { code }] of programs.entries()) writeFileSync(join(project, files[index] ?? ''), code);
    // The newest Node leaves the types out itself.
    const args = ['--no-warnings', '--test', '--test-reporter=tap', ...files];
    const { stdout } = await runToEnd(process.execPath, args, { cwd: project, env: { ...env, CLAUDE_CODE_PATH: cli } });
    expect(/^# fail (\d+)/m.exec(stdout)?.[1]).toBe('0');
    expect(Number(/^# pass (\d+)/m.exec(stdout)?.[1])).toBeGreaterThanOrEqual(programs.length);
    expect(programs.length).toBeGreaterThanOrEqual(4);
  });
});

describe('The contract suites', () => {
  const [first, ...others] = ways;
  let counts: readonly number[];
  beforeAll(async () => void (counts = await counted(first!)));

  it(`pass under ${first?.runner}`, () => {
    const [passed, failed] = counts;
    expect(failed).toBe(0);
    expect(passed).toBeGreaterThan(500);
  });

  for (const way of others)
    it.skipIf(way.command === undefined)(`run under ${way.runner}, all of them`, async () => {
      expect(await counted(way)).toEqual(counts);
    });
});
