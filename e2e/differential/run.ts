import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { obliging } from './behaviours.ts';
import { record, type Seen } from './recording.ts';
import { sdks, type Program, type Sdk, type Side } from './sdks.ts';
import { StandIn, type Behaviour, type Started, type WireFrame } from './stand-in.ts';

export type { Place, Program, Sdk, Side } from './sdks.ts';
export { sdks, sides } from './sdks.ts';

export interface RunOptions {
  readonly standIn?: Behaviour;
  /** A run that takes longer is ended, and recorded as hanging. */
  readonly boundMs?: number;
}

/** One launch, without what no two runs share. */
export interface Launch extends Started {
  /** What was written to the input, parsed, in order. */
  readonly stdin: readonly WireFrame[];
  readonly isInputEnded: boolean;
}

/** Everything that can be seen of a run from outside. */
export interface RunRecord extends Seen {
  readonly launches: readonly Launch[];
}

/** Runs a program with one package over a stand-in for the CLI, and records what can be seen of it. */
export async function run(side: Side, program: Program, options: RunOptions = {}): Promise<RunRecord> {
  return await runSdk(await sdks[side](), program, options);
}

/** The same with a package that was loaded already. */
export async function runSdk(sdk: Sdk, program: Program, options: RunOptions = {}): Promise<RunRecord> {
  const { standIn: behaviour = obliging(), boundMs = 20_000 } = options;
  await using standIn = await StandIn.make(behaviour);
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'compared-')));
  try {
    const env = { PATH: process.env['PATH'], HOME: cwd };
    const place = { cwd, options: { pathToClaudeCodeExecutable: standIn.path, cwd, env } };
    const seen = await record(program, sdk, place, boundMs);
    // A closed query leaves the process up to seven seconds in the official package.
    await standIn.left(10_000);
    return { ...seen, launches: standIn.agents.map(toLaunch) };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** The same program with both packages, one after the other. */
export async function compare(
  program: Program,
  options: RunOptions = {},
): Promise<{ readonly official: RunRecord; readonly ours: RunRecord }> {
  return { official: await run('official', program, options), ours: await run('ours', program, options) };
}

function toLaunch({ pid, args, files, env, cwd, received, isInputEnded }: StandIn['agents'][number]): Launch {
  return { pid, args, files, env, cwd, stdin: received, isInputEnded };
}
