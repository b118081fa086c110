import { errorText, SdkError, type Connection, type Exit, type JsonRpcMessage } from '@hexagent/ports';
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
import { inheritedEnvironment } from './inherited-environment.ts';
import { isMessage } from './json-rpc.ts';
import type { StdioServer } from './stdio-server.ts';

/** An open way to a server. */
export interface Link {
  /** @throws {SdkError} `CHANNEL_CLOSED` when the server reads no more. */
  send(message: JsonRpcMessage): Promise<void>;
  /** Ends the server and all that it started. Resolves when it has gone; never rejects. */
  close(): Promise<void>;
}

export interface LinkHandlers {
  readonly onMessage: (message: JsonRpcMessage) => void;
  /** Something went wrong, such as a line that is no message; the server may well go on. */
  readonly onTrouble: (why: string) => void;
  /** The server has gone. Called once, after its last message. */
  readonly onExit: (exit: Exit) => void;
}

const stderrTailBytes = 4000;
/** One line may hold a file. */
const maxLineBytes = 256 * 1024 * 1024;

/**
 * Starts a server as a process, tracked by the watchdog like an agent.
 * @throws {SdkError} or {TypeError} that names what is missing or wrong; then nothing runs.
 */
export async function linkStdio(server: StdioServer, handlers: LinkHandlers): Promise<Link> {
  const { command, args = [], env = {}, cwd } = server;
  refuseNulInOptions({ command });
  refuseNulIn({ args, env, cwd });
  if (cwd !== undefined) checkFolder(cwd);
  const connection = await runProcess({
    ...toProgram(command, args, env),
    cwd,
    env: { ...inheritedEnvironment(), ...env },
    maxLineBytes,
    stderrTailBytes,
  });
  void read(connection, handlers);
  return {
    send: async (message) => await connection.send(JSON.stringify(message)),
    close: async () => await connection.close(),
  };
}

async function read(connection: Connection, { onMessage, onTrouble, onExit }: LinkHandlers): Promise<void> {
  try {
    for await (const lines of connection.frames) {
      for (const line of lines) {
        const message = parse(line);
        if (message !== undefined) onMessage(message);
        else if (line !== '') onTrouble('it wrote a line that is no message');
      }
    }
  } catch (error) {
    const isTooLong = SdkError.is(error) && error.code === 'LINE_TOO_LONG';
    onTrouble(isTooLong ? `it wrote a line longer than ${maxLineBytes} bytes` : errorText(error));
    void connection.close();
  }
  onExit(await connection.exit);
}

function parse(line: string): JsonRpcMessage | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return isMessage(message) ? message : undefined;
  } catch {
    return undefined;
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
