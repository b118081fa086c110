import { describe, expect, it } from 'vitest';
import type { MarkedProcess, ProcessEntry } from '../src/process-entry.ts';
import { readOrigin } from '../src/process-mark.ts';
import type { ProcessTable } from '../src/process-table.ts';
import { ProcessTree } from '../src/process-tree.ts';

/** Numbers that no system gives out, so that no signal reaches anybody. */
const root = 2_000_000_000;
const other = 2_000_000_001;

function entry(more: Partial<ProcessEntry>): ProcessEntry {
  return { pid: root, parent: 1, group: root, session: root, began: '100', ...more };
}

function marked(environment: string, more: Partial<ProcessEntry>): MarkedProcess {
  const origin = readOrigin(environment);
  if (origin === undefined) throw new Error('It carries no mark.');
  return { ...entry(more), origin };
}

/** How long the machine has run: one second, unless a test sets another time. */
const seconds = { now: 1 };

function treeIn(processes: readonly (ProcessEntry | MarkedProcess)[]): ProcessTree {
  const all = [entry({}), ...processes];
  const carriers = processes.filter((process) => 'origin' in process);
  const table: ProcessTable = {
    all: () => Promise.resolve(all),
    marked: () => Promise.resolve(carriers),
    family: () => Promise.resolve([]),
    now: {
      all: () => all,
      marked: () => carriers,
      descendants: () => [],
      uptime: () => seconds.now,
      entry: (pid) => all.find((process) => process.pid === pid),
      shell: () => 'SHLVL=1,_=',
    },
  };
  return new ProcessTree({ root, id: 'ours', table, onNumberFreed: () => {} });
}

describe('Of what carries the number of the agent', () => {
  const environment = `CLAUDE_PID=${root}\0`;
  const elsewhere = { pid: other, group: other, session: other };

  it('a process that began after the agent belongs to it', async () => {
    const tree = treeIn([marked(environment, { ...elsewhere, began: '101' })]);
    await tree.scan('all');
    expect(tree.alive).toContain(other);
  });

  it('a process that began before the agent ended belongs to it also afterwards', async () => {
    const tree = treeIn([marked(environment, { ...elsewhere, began: '101' })]);
    tree.rootEnded();
    await tree.scan('all');
    expect(tree.alive).toContain(other);
  });

  it('a process that began while the agent ran belongs to it also after the machine slept', async () => {
    const tree = treeIn([marked(environment, { ...elsewhere, began: '50000' })]);
    seconds.now = 600;
    tree.rootEnded();
    await tree.scan('all');
    seconds.now = 1;
    expect(tree.alive).toContain(other);
  });

  it('one that began long after the agent ended belongs to another agent that was given the number since', async () => {
    const tree = treeIn([marked(environment, { ...elsewhere, began: '100000' })]);
    tree.rootEnded();
    await tree.scan('all');
    expect(tree.alive).not.toContain(other);
  });

  it('one that carries the mark of another agent belongs to that one', async () => {
    const tree = treeIn([marked(`HEXAGENT_AGENT=theirs\0${environment}`, { ...elsewhere, began: '101' })]);
    await tree.scan('all');
    expect(tree.alive).not.toContain(other);
  });

  it('an older one belongs to another agent that had the number before', async () => {
    const tree = treeIn([marked(environment, { ...elsewhere, began: '99' })]);
    await tree.scan('all');
    expect(tree.alive).not.toContain(other);
  });
});

describe('Of what carries the mark of an agent', () => {
  it('everything is found that names it, also below another one', () => {
    expect(readOrigin('A=1\0HEXAGENT_AGENT=outer:ours\0B=2\0')?.marks).toEqual(['outer', 'ours']);
    expect(readOrigin('HEXAGENT_AGENT=ours')?.marks).toEqual(['ours']);
    expect(readOrigin('MY_HEXAGENT_AGENT=ours\0')).toBeUndefined();
  });

  it('a process that was seen before is left alone once its number is another’s', async () => {
    const seen = entry({ pid: other, group: other, session: other });
    const later = treeIn([{ ...seen, began: '500' }]);
    later.adopt([seen]);
    await later.scan('all');
    expect(later.alive).not.toContain(other);
  });
});
