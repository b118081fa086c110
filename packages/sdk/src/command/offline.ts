import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { errorText, isRecord, kindOf } from '@hexagent/checks';
import { installedFile } from '../installed-file.ts';
import { complain } from './complain.ts';
import { runCommand } from './run-command.ts';

/** The used part of `@hexagent/testing/loopback`, which is not installed with this package. */
interface LoopbackModule {
  startLoopback(script: unknown, options: { readonly port?: number | undefined }): Promise<Loopback>;
  lastUserText(request: unknown): string;
}
interface Loopback {
  readonly url: string;
  close(): Promise<void>;
}

/** Variables that would lead to another model, or send something elsewhere. */
const removed = [
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_ANTHROPIC_AWS',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_USE_MANTLE',
  'CLAUDE_CODE_USE_VERTEX',
];

/** Starts a model on this machine, for a command or until Ctrl-C. */
export async function offline(given: readonly string[]): Promise<number> {
  const end = given.indexOf('--');
  const args = end === -1 ? given : given.slice(0, end);
  const command = end === -1 ? undefined : given.slice(end + 1);
  const options = { script: { type: 'string' }, port: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options, strict: true });
  const model = await loadLoopback();
  if (model === undefined) return complain('The model is not installed. Run: npm install --save-dev @hexagent/testing');
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    return complain(`--port ${values.port} is not a port: give a number from 1 to 65535.`);
  if (command?.length === 0) return complain('A command is missing after `--`.');
  let loopback: Loopback;
  try {
    loopback = await model.startLoopback(await scriptOf(values.script, model), { port });
  } catch (error) {
    return complain(error instanceof Error ? error.message : String(error));
  }
  try {
    return await (command === undefined ? printUntilStopped(loopback) : runCommand(command, environmentFor(loopback)));
  } finally {
    await loopback.close();
  }
}

/** What the project has installed comes first: in a strict tree this package does not see it. */
async function loadLoopback(): Promise<LoopbackModule | undefined> {
  const file = installedFile('@hexagent/testing/loopback', [join(process.cwd(), 'package.json'), import.meta.url]);
  // The types of a package that may be missing are not here; the test of this command compares them.
  return file === undefined ? undefined : ((await import(pathToFileURL(file).href)) as LoopbackModule);
}

/** A file of JSON is a list of turns, a module has a list or a function as its default export. */
async function scriptOf(file: string | undefined, { lastUserText }: LoopbackModule): Promise<unknown> {
  if (file === undefined) return (request: unknown) => `This model is a script. You wrote: ${lastUserText(request)}`;
  const path = resolve(file);
  if (path.endsWith('.json')) return turnsIn(await readFile(path, 'utf8'), file);
  const { default: script }: { readonly default?: unknown } = await import(pathToFileURL(path).href);
  if (Array.isArray(script) || typeof script === 'function') return script;
  throw new Error(`The default export of ${file} is neither a list of turns nor a function.`);
}

function turnsIn(json: string, file: string): readonly unknown[] {
  const refused = (reason: string): Error =>
    new Error(`${file} must be a list of texts as JSON, such as ["Hello."]: ${reason}.`);
  let turns: unknown;
  try {
    turns = JSON.parse(json);
  } catch (error) {
    throw refused(errorText(error));
  }
  if (!Array.isArray(turns)) throw refused(`it is ${kindOf(turns)}`);
  const wrong = turns.findIndex((turn: unknown) => typeof turn !== 'string' && !Array.isArray(turn) && !isRecord(turn));
  if (wrong !== -1) throw refused(`its entry ${wrong} is ${kindOf(turns[wrong])}`);
  return turns;
}

function variablesFor({ url }: Loopback): Readonly<Record<string, string>> {
  const direct = [process.env['NO_PROXY'] ?? process.env['no_proxy'], '127.0.0.1'].filter(Boolean).join(',');
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'sk-hexagent-offline',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
    NO_PROXY: direct,
    no_proxy: direct,
  };
}

async function printUntilStopped(loopback: Loopback): Promise<number> {
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const lines = Object.entries(variablesFor(loopback)).map(([name, value]) =>
    process.platform === 'win32'
      ? `set ${name}=${value}`
      : `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`,
  );
  const clear = removed.map((name) => (process.platform === 'win32' ? `set ${name}=` : `unset ${name}`));
  process.stdout.write(`${[...lines, ...clear].join('\n')}\n`);
  process.stderr.write('The model runs until Ctrl-C. Set these variables where your program starts.\n');
  await stopped;
  return 0;
}

function environmentFor(loopback: Loopback): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !removed.includes(name));
  return { ...Object.fromEntries(kept), ...variablesFor(loopback) };
}
