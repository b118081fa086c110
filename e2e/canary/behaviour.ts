import { isDeepStrictEqual } from 'node:util';
import { show, values } from '../differential/odd-values.ts';
import { runSdk } from '../differential/run.ts';
import { receivedOf } from '../differential/verdict.ts';
import type { Installed } from './install.ts';
import { optionsOf } from './surface.ts';

/** Tried with each option beside the values it may have: most options are a switch, a text or a number. */
const everyKind: readonly unknown[] = [true, 'text', 1, ['text']];

export interface Compared {
  /** How many values of options were tried. */
  readonly count: number;
  /** An option and a value in each, and on lines below it what the two versions do otherwise. */
  readonly lines: readonly string[];
}

/**
 * Runs a query with each value of each option, with both versions over the stand-in for the CLI, and compares what the
 * CLI gets (flags, files, environment, input) and what the program receives.
 */
export async function behaviourChanges(
  before: Installed,
  after: Installed,
  only: readonly string[] | undefined,
): Promise<Compared> {
  const known = [...new Set([...Object.keys(values), ...optionsOf(after)])];
  const options = known.filter((option) => option !== 'pathToClaudeCodeExecutable' && (only?.includes(option) ?? true));
  const cases = options.flatMap((option) => [
    ...everyKind.map((value) => ({ option, value })),
    // Options that came later have none.
    ...((values as Readonly<Record<string, readonly unknown[]>>)[option] ?? []).map((value) => ({ option, value })),
  ]);
  const lines: string[] = [];
  const next = cases[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const { option, value } of next) {
      const [was, is] = [await seenOf(before, option, value), await seenOf(after, option, value)];
      if (isDeepStrictEqual(was, is)) continue;
      lines.push([`~ ${option}: ${show(value)}`, ...pathsOfChanges(was, is)].join('\n    '));
    }
  };
  // More processes at a time only make each other late.
  await Promise.all([work(), work(), work()]);
  return { count: cases.length, lines: lines.toSorted() };
}

/** Each place where two values differ, with both. */
function pathsOfChanges(was: unknown, is: unknown, place = ''): readonly string[] {
  if (isDeepStrictEqual(was, is)) return [];
  if (!isNested(was) || !isNested(is)) return [`${place}: ${JSON.stringify(was)} → ${JSON.stringify(is)}`];
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((key) => pathsOfChanges(was[key], is[key], place === '' ? key : `${place}.${key}`));
}

const isNested = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

async function seenOf(version: Installed, option: string, value: unknown): Promise<unknown> {
  const record = await runSdk(await version.sdk(), ({ query }, { options }) => {
    const isEnv = option === 'env' && typeof value === 'object' && value !== null;
    return query({ prompt: 'hello', options: { ...options, [option]: isEnv ? { ...options.env, ...value } : value } });
  });
  const { thrown, hangs } = record;
  return { received: receivedOf(record), thrown: thrown && settled(`${thrown.name}: ${thrown.message}`), hangs };
}

/** An error without the folders of its run, and without the short names that each build gives to variables. */
const settled = (text: string): string =>
  text.replaceAll(/\/(stand-in|compared)-\w+/gu, '/$1').replaceAll(/(?<![\w$])[\w$]{1,3}(?=\.\w| \?\?)/gu, '…');
