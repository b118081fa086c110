import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as OfficialSdk from '@anthropic-ai/claude-agent-sdk';
import { obliging } from './behaviours.ts';
import { StandIn, type Behaviour, type Started, type WireFrame } from './stand-in.ts';

/** The official package, or ours: programs are written against the official types. */
export type Sdk = typeof OfficialSdk;

/** What a program of a comparison is given. */
export interface Place {
  /** A folder of its own, the working directory of the options. */
  readonly cwd: string;
  /** Options that start the stand-in; add what the comparison is about. */
  readonly options: OfficialSdk.Options;
  /** Keeps a value under a name, to be compared. */
  note(name: string, value: unknown): void;
}

/** What is run with both packages. A query that it returns is read to its end. */
export type Program = (sdk: Sdk, place: Place) => unknown;

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
export interface RunRecord {
  readonly launches: readonly Launch[];
  /** The messages that the loop was given. */
  readonly messages: readonly WireFrame[];
  /** What the program or its loop threw. */
  readonly thrown: Thrown | undefined;
  readonly notes: Readonly<Record<string, unknown>>;
  /** Texts of `process.emitWarning`. */
  readonly warnings: readonly string[];
  readonly hangs: boolean;
}

export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly error: unknown;
}

export const sdks = {
  official: async (): Promise<Sdk> => await import('@anthropic-ai/claude-agent-sdk'),
  // Compared as what it claims to be; where its types differ is the business of `e2e/types`.
  ours: async (): Promise<Sdk> => (await import('@hexagent/sdk')) as unknown as Sdk,
} as const;

export type Side = keyof typeof sdks;

/** Runs a program with one package over a stand-in for the CLI, and records what can be seen of it. */
export async function run(side: Side, program: Program, options: RunOptions = {}): Promise<RunRecord> {
  const { standIn: behaviour = obliging(), boundMs = 20_000 } = options;
  const sdk = await sdks[side]();
  await using standIn = await StandIn.make(behaviour);
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'compared-')));
  const record = new Recording();
  const warn = (warning: Error): void => void record.warnings.push(warning.message);
  process.on('warning', warn);
  try {
    const env = { PATH: process.env['PATH'], HOME: cwd };
    const place = { cwd, options: { pathToClaudeCodeExecutable: standIn.path, cwd, env }, note: record.note };
    await record.follow(program, sdk, place, boundMs);
  } finally {
    // A closed query leaves the process up to seven seconds officially.
    await standIn.left(10_000);
    process.off('warning', warn);
    await rm(cwd, { recursive: true, force: true });
  }
  return record.of(standIn);
}

/** The same program with both packages, one after the other. */
export async function compare(
  program: Program,
  options: RunOptions = {},
): Promise<{ readonly official: RunRecord; readonly ours: RunRecord }> {
  return { official: await run('official', program, options), ours: await run('ours', program, options) };
}

class Recording {
  readonly warnings: string[] = [];
  readonly #messages: WireFrame[] = [];
  readonly #notes: Record<string, unknown> = {};
  #thrown: Thrown | undefined;
  #hangs = false;

  readonly note = (name: string, value: unknown): void => void (this.#notes[name] = value);

  async follow(program: Program, sdk: Sdk, place: Place, boundMs: number): Promise<void> {
    let bound: NodeJS.Timeout | undefined;
    let query: unknown;
    const done = (async () => {
      query = await program(sdk, place);
      if (isQuery(query)) for await (const message of query) this.#messages.push(message);
    })().catch((error: unknown) => void (this.#thrown = toThrown(error)));
    const late = new Promise<'late'>((resolve) => (bound = setTimeout(resolve, boundMs, 'late')));
    this.#hangs = (await Promise.race([done, late])) === 'late';
    clearTimeout(bound);
    if (isQuery(query)) query.close();
  }

  of({ agents }: StandIn): RunRecord {
    return {
      launches: agents.map(({ pid, args, files, env, cwd, received, isInputEnded }) => ({
        ...{ pid, args, files, env, cwd, stdin: received, isInputEnded },
      })),
      messages: this.#messages,
      thrown: this.#thrown,
      notes: this.#notes,
      warnings: this.warnings,
      hangs: this.#hangs,
    };
  }
}

function isQuery(value: unknown): value is OfficialSdk.Query {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'close' in value;
}

function toThrown(error: unknown): Thrown {
  return error instanceof Error
    ? { name: error.name, message: error.message, error }
    : { name: typeof error, message: String(error), error };
}
