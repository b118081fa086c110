import { explainExit } from './explain-exit.ts';
import type { Exit } from './exit.ts';
import type { CompletedTurn, TurnOutcome } from './turn-outcome.ts';

/** Every code with its one remedy. A test compares the docs page of errors with this table. */
export const remedies = {
  AGENT_NOT_FOUND:
    'Install the Claude Code CLI, or name its path in the option `executable` (`pathToClaudeCodeExecutable` in the drop-in) or in CLAUDE_CODE_PATH.',
  AGENT_NOT_EXECUTABLE: 'Make the file executable (`chmod +x`), or name another one.',
  AGENT_INTERPRETER_MISSING:
    'Install the interpreter that the file names in its first line, or name a native executable.',
  AGENT_LIBC_MISMATCH:
    'Install the build of the CLI for this system: the `-musl` package on Alpine and other musl systems, the plain one elsewhere.',
  AGENT_START_FAILED: 'Read `cause`: it is the error of the operating system.',
  AGENT_EXITED: 'Read `stderr` on this error: it holds the last lines the agent wrote.',
  AGENT_NOT_ENDED:
    'End the processes that the message names as a user who may: they belong to another user, or the system holds them.',
  CWD_MISSING: 'Create the folder, let this user enter it (`chmod u+x`), or pass another `cwd`.',
  ARGUMENT_TOO_LONG: 'Shorten the option, or deliver it through a settings file or the system prompt.',
  CHANNEL_CLOSED: 'Open a new conversation; a closed one cannot be reused.',
  CONVERSATION_CLOSED: 'Open a new conversation; resume the old one by its session id if you need its history.',
  FRAME_MALFORMED:
    'Nothing to do for a single line: it was skipped. If it happens often, look for a wrapper that prints to standard output.',
  FRAME_INVALID: 'Pass content that JSON can represent, in the form that the message describes.',
  HISTORY_REFUSED:
    'Read the message: it names what would be lost, or what is missing. Wait for `session.idle()`, name the later turns as well, or open the session with `checkpoints: true`.',
  HOST_CLOSED: 'Send it to another process: this one is being shut down and takes no more work.',
  HOST_FULL: 'Try again later, or raise the limit that the message names. Nothing was stored and nothing was started.',
  INITIALIZE_FAILED: 'Read the message: it names the part of the set-up that the agent refused.',
  INITIALIZE_TIMEOUT: 'Read `stderr` of the agent, or raise `initializeTimeoutMs`.',
  LEASE_LOST:
    'Stop: another process drives this session now. Send the message there; what was stored before is not lost.',
  LINE_TOO_LONG:
    'Raise `maxLineBytes` (of the session, or of `CliTransport`) if a line of that length is meant; otherwise look for what the agent or a wrapper prints.',
  MESSAGE_REPEATED: 'Give each message a uuid of its own; the agent silently drops a repeated one.',
  MESSAGES_DISCARDED:
    'Start reading before or while you await the result; unread messages are kept only up to the soft mark.',
  PLACE_UNREACHABLE:
    'Read the message: it has the last lines of the command that connects. Run that command at a terminal until it works and asks nothing.',
  REQUEST_FAILED: 'Read the message: it has the reason that the agent gave.',
  REQUEST_STALLED:
    'Read the messages while the request is open, or raise `hardMarkBytes`: the answer comes behind what is unread.',
  REQUEST_TIMEOUT: 'Ask again with a longer `timeoutMs`, or without one.',
  REQUEST_UNSUPPORTED:
    'Update the CLI, or do without it. The message names the version that runs, and the version with which it came where that is known.',
  RESULT_ERROR: 'Read the message, and `outcome` on this error or the result frame that came before it.',
  MCP_AUTH_NEEDED:
    'Send a person to the `url` of the status, then call `finishAuth()` with the code; without a url, give other credentials.',
  MCP_NOT_READY:
    'Read `servers` on this error: it has the state of each server that is not ready, and why. Mend that and call `session.mcp.reconnect()`, or wait longer with `timeoutMs`.',
  MCP_SDK_MISSING:
    'Install `@modelcontextprotocol/sdk`. Tools of your own need it only where the program reads `instance`, servers of `external()` only where they have a `url`.',
  MCP_SERVER_FAILED:
    'Read the message: it has the exit code and the last lines of the server’s error stream, its HTTP status, or the error of the network.',
  SESSION_CRASHING:
    'Read `cause`, which is how its agent ended last, and mend that. Then call `restart()` of the session; its messages are kept.',
  SESSION_HELD: 'Send it to the process that the message names, or try again once that process has released it.',
  SESSION_SUSPENDED: 'Resume the session: what it had not finished continues there.',
  SESSION_NOT_FOUND:
    'List the sessions that there are. They are stored by working directory, in the folder that CLAUDE_CONFIG_DIR or the home of this process names.',
  SCHEMA_NOT_CONVERTIBLE:
    'Import zod as `zod/v4`, which zod 3.25 has, install `zod-to-json-schema`, or pass a JSON Schema.',
  STORE_FAILED:
    'Read `cause`: it is the error of the operating system, or what the database answered. With files, make room, let the process write there, or pass another `folder`; chats and sessions are kept in memory with `folder: false`.',
  STORE_TIMEOUT: 'Raise `loadTimeoutMs`, or find out why the store is slow.',
  STORE_UNREACHABLE:
    'Try again in a moment: the database is away, or the way to it is broken, as `cause` says. The call may have been stored; a message that is sent again with its uuid is run once.',
  TAPE_DEPARTED:
    'Read the message: it has what was expected and what was sent. If the program was changed on purpose, record a new tape, or replay this one with the mode `lenient`.',
  TEXT_TAKEN_BACK: 'Show `await turn.text()` in place of what was shown, or read `snapshots()`, which take text back.',
  TURN_READ:
    'Read the turn in one loop, and keep there what is needed later; `result` can be awaited any number of times.',
  WORKER_UNREACHABLE:
    'Try again in a moment: another worker takes over what this one drives. If it stays, read `cause`, and check the address and the key of the worker.',
  NOT_OFFERED:
    'Use what the message names instead. The page docs/migrating.md of the repository lists what is left out on purpose.',
} as const;

/** What went wrong, for a program to decide on. */
export type ErrorCode = keyof typeof remedies;

// A registered symbol, so that two copies of this package recognise each other's errors.
const brand: unique symbol = Symbol.for('@hexagent/ports/SdkError') as typeof brand;
const exitedBrand = Symbol.for('@hexagent/ports/AgentExitedError');
const turnBrand = Symbol.for('@hexagent/ports/TurnError');
const abortBrand = Symbol.for('@hexagent/ports/AbortError');

/** Never throws, whatever was thrown. */
function hasMark(value: unknown, mark: symbol): boolean {
  try {
    return typeof value === 'object' && value !== null && Reflect.get(value, mark) === true;
  } catch {
    return false; // a proxy that throws
  }
}

/**
 * Lets `instanceof` hold for the errors of another copy of this package: the SDK carries one, and a part of your own
 * imports another. A class that extends one of these is checked by its prototype, as any class is.
 */
function holdAcrossCopies(own: new (...args: never[]) => Error, mark: symbol): void {
  Object.defineProperty(own, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      return this === own ? hasMark(value, mark) : Function.prototype[Symbol.hasInstance].call(this, value);
    },
  });
}

/** Every failure the SDK reports on purpose. `code` is stable; the message is prose. */
export class SdkError extends Error {
  override readonly name: string = 'SdkError';
  readonly code: ErrorCode;
  /** What to do about it. */
  readonly remedy: string;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedy = remedies[code];
    Object.defineProperty(this, brand, { value: true });
  }

  static {
    holdAcrossCopies(this, brand);
  }

  /** Holds even when two copies of this package are loaded. Never throws, whatever was thrown. */
  static is(value: unknown): value is SdkError {
    return hasMark(value, brand);
  }
}

/** Makes an error of another class an `SdkError` as well: for a face whose programs recognise that class. */
export function markAsSdkError<E extends Error>(error: E, code: ErrorCode): E & SdkError {
  const marked = Object.assign(error, { code, remedy: remedies[code] });
  return Object.defineProperty(marked, brand, { value: true });
}

/** The agent exited while it was needed. */
export class AgentExitedError extends SdkError {
  override readonly name: string = 'AgentExitedError';
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what the agent wrote to its error stream. */
  readonly stderr: string;
  /** The turns and requests that were open at the exit. */
  readonly lost: readonly string[];
  /** A last line without an ending that was not a whole frame. */
  readonly unterminated: string | undefined;
  /** An explanation of its last lines, for texts that mislead or are too short. */
  readonly explanation: string | undefined;

  constructor(
    message: string,
    { exit, lost = [] }: { readonly exit: Exit; readonly lost?: readonly string[] },
    options?: ErrorOptions,
  ) {
    super('AGENT_EXITED', message, options);
    this.exitCode = exit.code;
    this.signal = exit.signal;
    this.stderr = exit.stderr;
    this.lost = lost;
    this.unterminated = exit.unterminated;
    this.explanation = explainExit(exit.stderr);
    Object.defineProperty(this, exitedBrand, { value: true });
  }

  static {
    holdAcrossCopies(this, exitedBrand);
  }
}

/** The text of a turn was asked for that did not complete. */
export class TurnError extends SdkError {
  override readonly name: string = 'TurnError';
  /** How the turn ended. Not enumerable: an uncaught error is printed without it. */
  declare readonly outcome: Exclude<TurnOutcome, CompletedTurn>;
  /** What to do about it: what the outcome's hint says, where it has one. */
  override readonly remedy: string;

  constructor(outcome: Exclude<TurnOutcome, CompletedTurn>) {
    super('RESULT_ERROR', reasonOf(outcome));
    this.remedy = (outcome.kind === 'failed' ? outcome.hint?.remedy : undefined) ?? remedies.RESULT_ERROR;
    Object.defineProperty(this, 'outcome', { value: outcome });
    Object.defineProperty(this, turnBrand, { value: true });
  }

  static {
    holdAcrossCopies(this, turnBrand);
  }
}

function reasonOf(outcome: Exclude<TurnOutcome, CompletedTurn>): string {
  if (outcome.kind === 'failed') return outcome.message;
  if (outcome.kind === 'interrupted') return 'The turn was interrupted.';
  return outcome.why === 'repeated'
    ? 'The agent had handled a message with this uuid before.'
    : 'The message was withdrawn before the agent began with it.';
}

/** A signal was aborted. Its reason is the `cause`. */
export class AbortError extends Error {
  override readonly name: string = 'AbortError';

  constructor(message = 'The operation was aborted.', options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, abortBrand, { value: true });
  }

  static {
    holdAcrossCopies(this, abortBrand);
  }
}
