import { EventEmitter } from 'node:events';
import { stat } from 'node:fs/promises';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isBareName, readHostEnvironment, refuseNulIn, refuseNulInOptions, searchPath } from '@hexagent/processes';
import type { StdioServer } from './stdio-server.ts';

/** A way to a server that is not open yet. */
export interface Link {
  readonly transport: Transport;
  /** The process behind it, once it was started. */
  pid(): number | null;
  /** How the process left, in words such as `code 3`; `undefined` while it runs or where that is not known. */
  exit(): string | undefined;
  /** The end of what the server wrote to its error stream. */
  lastWords(): string;
}

const tailLength = 4000;

/** One line may hold a file; a longer one ends the connection. The SDK's reader slows down with the square of its length. */
const maxBufferSize = 64 * 1024 * 1024;

/** Prepares a server that is started as a process. Only here the MCP SDK is loaded. */
export async function linkStdio({ command, args = [], env = {}, cwd }: StdioServer): Promise<Link> {
  refuseNulInOptions({ command });
  refuseNulIn({ args, env, cwd });
  if (cwd !== undefined) await checkFolder(cwd);
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const transport = new StdioClientTransport({
    command: programPath(command, env),
    args: [...args],
    env: { ...env },
    stderr: 'pipe',
    maxBufferSize,
    ...(cwd === undefined ? {} : { cwd }),
  });
  const decoder = new TextDecoder();
  let tail = '';
  transport.stderr?.on('data', (chunk: Uint8Array) => {
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-tailLength);
  });
  let exit: string | undefined;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    const started = start();
    onExit(transport, (left) => (exit = left));
    await started;
  };
  return { transport, pid: () => transport.pid, exit: () => exit, lastWords: () => tail.trim() };
}

/** The MCP SDK keeps its process to itself and does not say how it left; where it is found, it is asked. */
function onExit(transport: Transport, left: (how: string) => void): void {
  const process: unknown = Reflect.get(transport, '_process');
  if (!(process instanceof EventEmitter)) return;
  process.once('exit', (code: number | null, signal: string | null) =>
    left(signal === null ? `code ${code ?? 'unknown'}` : `signal ${signal}`),
  );
}

/**
 * A name is searched for here and not by the system, which would start what lies in the working directory: where `PATH`
 * has an entry that is not absolute, and on Windows always.
 */
function programPath(command: string, env: NonNullable<StdioServer['env']>): string {
  const host = readHostEnvironment({ env });
  if (!isBareName(command, host.platform)) return command;
  const { path } = searchPath(command, host);
  if (path === undefined) throw new Error(`there is no program ${command} in PATH (${host.env('PATH') ?? 'not set'})`);
  return path;
}

/** Node blames the command when it is the folder that is missing. */
async function checkFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined);
  if (!found?.isDirectory()) throw new Error(`the folder ${cwd} does not exist`);
}
