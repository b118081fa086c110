import { errorText } from '@hexagent/checks';
import { SdkError, type Connection, type Exit, type JsonRpcMessage } from '@hexagent/ports';
import {
  batchProgram,
  checkFolder,
  isBareName,
  readHostEnvironment,
  refuseNulIn,
  refuseNulInOptions,
  runProcess,
  searchPath,
  type Program,
} from '@hexagent/processes';
import { maxMessageBytes } from './event-stream.ts';
import { inheritedEnvironment } from './inherited-environment.ts';
import { isMessage } from './json-rpc.ts';
import type { Ending, Link, LinkHandlers } from './link.ts';
import type { Secrets } from './secrets.ts';
import type { StdioServer } from './server-options.ts';

const stderrTailBytes = 4000;
/** In bytes. */
const longestCharacter = 4;

/**
 * Starts a server as a process, tracked by the watchdog like an agent.
 * @throws {SdkError} or {TypeError} that names what is missing or wrong; then nothing runs.
 */
export async function linkStdio(
  server: StdioServer,
  handlers: LinkHandlers & { readonly secrets: Secrets },
): Promise<Link> {
  const { command, args = [], env = {}, cwd } = server;
  refuseNulInOptions({ command });
  refuseNulIn({ args, env, cwd });
  if (cwd !== undefined) checkFolder(cwd);
  const connection = await runProcess({
    ...toProgram(command, args, env),
    cwd,
    env: { ...inheritedEnvironment(), ...env },
    maxLineBytes: maxMessageBytes,
    stderrTailBytes,
  });
  const ended: HowEnded = {};
  void read(connection, handlers, ended);
  return {
    async send(message) {
      const line = lineOf(message, handlers);
      if (line === undefined) return;
      // A server that reads no more is ended; its exit settles every pending request with the reason.
      await connection.send(line).catch(() => {
        ended.trouble ??= 'it read no more';
        void connection.close();
      });
    },
    release() {},
    introduced() {},
    async close() {
      ended.isClosed = true;
      await connection.close();
    },
  };
}

interface HowEnded {
  /** What was seen before the exit. */
  trouble?: string;
  /** By this side. */
  isClosed?: boolean;
}

/** `undefined` for what JSON cannot carry: a request of that kind has no answer to wait for. */
function lineOf(message: JsonRpcMessage, { onUnanswered }: LinkHandlers): string | undefined {
  try {
    return JSON.stringify(message);
  } catch (error) {
    const why = `was not sent \`${message.method}\`, which JSON cannot carry: ${errorText(error)}`;
    if (typeof message.id === 'number') onUnanswered(message.id, { why });
    return undefined;
  }
}

async function read(
  connection: Connection,
  { onMessage, onEnd, secrets }: LinkHandlers & { readonly secrets: Secrets },
  ended: HowEnded,
): Promise<void> {
  try {
    for await (const lines of connection.frames) {
      for (const line of lines) {
        const messages = parse(line);
        for (const message of messages) onMessage(message);
        if (messages.length === 0 && line !== '') ended.trouble ??= 'it wrote a line that is no message';
      }
    }
  } catch (error) {
    const isTooLong = SdkError.is(error) && error.code === 'LINE_TOO_LONG';
    ended.trouble ??= isTooLong ? `it wrote a line longer than ${maxMessageBytes} bytes` : errorText(error);
  }
  // One that runs on without an output can answer nothing.
  void connection.close();
  const exit = await connection.exit;
  if (exit.closed && ended.isClosed !== true) ended.trouble ??= 'it closed its output';
  const { stderr } = exit;
  // A line that is longer than what is kept of it is cut anywhere.
  const isCut = Buffer.byteLength(stderr) > stderrTailBytes - longestCharacter;
  onEnd(toEnding(isCut ? { ...exit, stderr: secrets.redactTail(stderr) } : exit, ended.trouble));
}

function toEnding(exit: Exit, trouble: string | undefined): Ending {
  const { code, signal, stderr } = exit;
  const how = signal === null ? `code ${code ?? 'unknown'}` : `signal ${signal}`;
  const written = stderr.trim();
  const why = written === '' ? 'It wrote nothing to its error stream.' : `It last wrote: ${written}`;
  const before = trouble === undefined ? '' : ` (Before that: ${trouble})`;
  return { why: `has ended with ${how}. ${why}${before}`, exit };
}

/** The messages of a line; version 2025-03-26 of MCP has lists of them. */
function parse(line: string): readonly JsonRpcMessage[] {
  try {
    const value: unknown = JSON.parse(line);
    return [value].flat().filter(isMessage);
  } catch {
    return [];
  }
}

/**
 * A name is searched for here and not by the system, which would start what lies in the working directory: where `PATH`
 * has an entry that is not absolute, and on Windows always.
 */
function toProgram(
  command: string,
  args: readonly string[],
  env: NonNullable<StdioServer['env']>,
): { readonly program: Program; readonly args: readonly string[] } {
  const host = readHostEnvironment({ env });
  const path = isBareName(command, host.platform) ? searchPath(command, host).path : command;
  if (path === undefined) throw new Error(`there is no program ${command} in PATH (${host.env('PATH') ?? 'not set'})`);
  return batchProgram(path, args, host) ?? { program: { file: path, args: [] }, args };
}
