import { createRequire } from 'node:module';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Transport } from '@hexagent/ports';
import { hermeticEnv } from '../cli/env.ts';
import { requireCli } from '../cli/find-cli.ts';
import { hermeticHome, type HermeticHome } from '../cli/home.ts';
import { linkedTransport } from '../doubles/linked-transport.ts';
import { scriptedAgent } from '../doubles/scripted/scripted-agent.ts';
import { startLoopback } from '../loopback/loopback.ts';
import { checkTurns } from './check-scenario.ts';
import type { ScenarioTurn } from './scenario.ts';
import { toAgentScript } from './to-agent-script.ts';
import { toModelScript } from './to-model-script.ts';

/**
 * Where the agent of a scenario runs.
 * - `memory`: a scripted agent in this process.
 * - `process`: the same one, as a program that is started.
 * - `cli`: the real CLI, with a scripted model.
 */
export type Depth = 'memory' | 'process' | 'cli';

/** What leads a session to the agent of its place. */
export interface PlaceOptions {
  readonly transport?: Transport | undefined;
  readonly executable?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: { readonly policy: 'exact'; readonly set: Readonly<Record<string, string>> } | undefined;
}

export interface ScenarioPlace {
  /** For the first session, and for the one that continues it. */
  readonly options: readonly PlaceOptions[];
  /** Texts that no two runs share, and what is shown in their place. */
  readonly names: readonly (readonly [text: string, shown: string])[];
  close(): Promise<void>;
}

export interface PlaceRequest {
  /** The turns of each session. */
  readonly sessions: readonly (readonly ScenarioTurn[])[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Where the CLI is searched for, beside `PATH`: `import.meta.url` of the program. */
  readonly from?: string | undefined;
}

export const places: Readonly<Record<Depth, (request: PlaceRequest) => Promise<ScenarioPlace>>> = {
  async memory({ sessions }) {
    const options = sessions.map((turns) => {
      const { script, around } = toAgentScript(turns);
      return { transport: linkedTransport((agent) => scriptedAgent(script)(around(agent))).transport };
    });
    return { options, names: [], close: async () => {} };
  },

  async process({ sessions, env = {} }) {
    const home = await hermeticHome();
    const writing = Promise.all(sessions.map((turns) => writeScriptedCli(turns, home.root)));
    const programs = await orRemoved(home, writing);
    const set = { ...programEnv(), ...env, HOME: home.home };
    const options = programs.map((executable) => ({
      executable,
      cwd: home.cwd,
      env: { policy: 'exact', set } as const,
    }));
    return { options, names: namesOf(home), close: () => home.remove() };
  },

  async cli({ sessions, env = {}, from }) {
    const executable = requireCli({ from: from ?? import.meta.url });
    if (executable === undefined)
      throw new Error('There is no CLI here. Install @anthropic-ai/claude-code, or set CLAUDE_CODE_PATH.');
    const script = toModelScript(sessions.flat());
    const home = await hermeticHome();
    const loopback = await orRemoved(home, startLoopback(script));
    const set = hermeticEnv({ loopback, home, extra: env });
    const one: PlaceOptions = { executable, cwd: home.cwd, env: { policy: 'exact', set } };
    const close = async (): Promise<void> => {
      try {
        await loopback.close();
      } finally {
        await home.remove();
      }
    };
    const names: ScenarioPlace['names'] = [...namesOf(home), [new URL(loopback.url).host, 'MODEL']];
    return { options: sessions.map(() => one), names, close };
  },
};

const namesOf = ({ home, cwd, tmp, root }: Record<'home' | 'cwd' | 'tmp' | 'root', string>): ScenarioPlace['names'] => [
  [cwd, 'CWD'],
  [home, 'HOME'],
  [tmp, 'TMP'],
  [root, 'ROOT'],
];

/** A program that plays these turns in place of the CLI, and the way to remove it. */
export async function scriptedCli(
  turns: readonly ScenarioTurn[],
): Promise<{ readonly executable: string; readonly env: Readonly<Record<string, string>>; remove(): Promise<void> }> {
  checkTurns(turns, 'turns');
  const folder = await mkdtemp(join(tmpdir(), 'hexagent-scripted-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const executable = await orRemoved({ remove }, writeScriptedCli(turns, folder));
  return { executable, env: programEnv(), remove };
}

/** Removes the folders of a place whose other parts cannot be made. */
async function orRemoved<T>({ remove }: Pick<HermeticHome, 'remove'>, made: Promise<T>): Promise<T> {
  try {
    return await made;
  } catch (error) {
    await remove();
    throw error;
  }
}

let programs = 0;

async function writeScriptedCli(turns: readonly ScenarioTurn[], folder: string): Promise<string> {
  const name = `scripted-${(programs += 1)}`;
  await writeFile(join(folder, `${name}.json`), JSON.stringify(turns));
  const text = `import { runScriptedCli } from ${JSON.stringify(entry().href)};\nrunScriptedCli(new URL('./${name}.json', import.meta.url));\n`;
  const program = join(folder, `${name}.mjs`);
  await writeFile(program, text);
  return isSource ? await writeStarter(program) : program;
}

/** Sources import each other's packages under a condition. An agent gets no NODE_OPTIONS that could set it. */
async function writeStarter(program: string): Promise<string> {
  const starter = program.replace(/\.mjs$/, '');
  const command = `exec ${quoted(process.execPath)} --conditions=@hexagent/source ${quoted(program)} "$@"`;
  await writeFile(starter, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  return starter;
}

/** One word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const isSource = import.meta.url.endsWith('.ts');

/** The module that the program imports. A bundle has this code in a file of another name. */
function entry(): URL {
  if (isSource) return new URL('./index.ts', import.meta.url);
  return pathToFileURL(createRequire(import.meta.url).resolve('@hexagent/testing/scenarios'));
}

const programEnv = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '' });
