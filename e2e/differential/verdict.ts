import { isDeepStrictEqual } from 'node:util';
import { envOf, flagsOf, stdinOf } from './comparable.ts';
import { run, type Launch, type RunRecord, type Side } from './run.ts';
import type { WireFrame } from './stand-in.ts';

/**
 * What our package makes of a value of an option, beside what the official one does.
 * - `same`: the agent receives the same from both, or both refuse it.
 * - `left out`: ours runs as if the option were not there, and the official one does not.
 * - `refused`: an error of ours that names the option, while in the official package it is passed on.
 * - `different`: the agent receives something else, or an error does not name the option.
 */
export type Verdict = 'same' | 'left out' | 'refused' | 'different';

export interface Judged {
  readonly verdict: Verdict;
  /** What both did, for the reader of a failure. */
  readonly how: string;
}

export async function judge(option: string, value: unknown): Promise<Judged> {
  const [official, ours] = [await runWith('official', option, value), await runWith('ours', option, value)];
  return { verdict: await verdictOn(option, official, ours), how: `official ${brief(official)}, ours ${brief(ours)}` };
}

async function verdictOn(option: string, official: RunRecord, ours: RunRecord): Promise<Verdict> {
  if (isDeepStrictEqual(receivedOf(official), receivedOf(ours))) return 'same';
  if (ours.thrown === undefined)
    return isDeepStrictEqual(receivedOf(ours), await receivedWithout()) ? 'left out' : 'different';
  if (!ours.thrown.message.toLowerCase().includes(option.toLowerCase())) return 'different';
  return official.thrown === undefined && !isLost(official) ? 'refused' : 'same';
}

let without: Promise<unknown> | undefined;

/** What our package sends the agent without any option. */
function receivedWithout(): Promise<unknown> {
  return (without ??= runWith('ours', 'model', undefined).then(receivedOf));
}

function runWith(side: Side, option: string, value: unknown): Promise<RunRecord> {
  return run(side, ({ query }, { options }) => {
    const isEnv = option === 'env' && typeof value === 'object' && value !== null;
    const changed = { ...options, [option]: isEnv ? { ...options.env, ...value } : value };
    return query({ prompt: 'hello', options: changed });
  });
}

/** In the official package some values end a query before its message was written, without an error. */
const isLost = ({ launches, messages }: RunRecord): boolean =>
  messages.length === 0 && launches.every(({ stdin }) => stdin.length < 2);

/** What the agent and the program received, without what differs between any two runs. */
export function receivedOf({ launches, messages, thrown }: RunRecord): unknown {
  if (thrown !== undefined) return 'nothing';
  return { launches: launches.map(launchOf), messages: messages.map(({ type }) => type) };
}

function launchOf(launch: Launch): unknown {
  const env = Object.entries(envOf(launch)).filter(([name, value]) => !isPlace(name, value));
  const folder = isPlace('', launch.cwd) ? 'its own' : launch.cwd;
  return { ...onCommandLine(flagsOf(launch), stdinOf(launch)), env: Object.fromEntries(env), folder };
}

/** Ours sends managed settings in `initialize`, the official package on the command line. */
function onCommandLine(flags: ReturnType<typeof flagsOf>, stdin: ReturnType<typeof stdinOf>): object {
  const { 'managed-settings-in-initialize': isSent, 'await-initialize': _, ...others } = flags;
  if (isSent === undefined) return { flags, stdin };
  const [first, ...later] = stdin;
  const { managedSettings, ...request } = { ...(first?.['request'] as WireFrame | undefined) }; // the flag is about it
  return { flags: { ...others, 'managed-settings': [managedSettings] }, stdin: [{ ...first, request }, ...later] };
}

/** The folders of a run are its own. */
const isPlace = (name: string, value: string): boolean => name === 'HOME' || value.includes('/compared-');

function brief(record: RunRecord): string {
  const { thrown, launches } = record;
  if (thrown !== undefined) return `${thrown.name}: ${thrown.message}`;
  return JSON.stringify(
    launches.map((launch) => ({ flags: flagsOf(launch), stdin: launch.stdin.map(({ request }) => request) })),
  );
}
