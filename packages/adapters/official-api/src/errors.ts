import { errorText } from '@hexagent/checks';
import {
  explainRefusal,
  AbortError,
  AgentExitedError,
  markAsSdkError,
  SdkError,
  remedies,
  type ErrorCode,
  type Exit,
} from '@hexagent/ports';
import type { AgentChoice } from './query-parts.ts';
import type { SDKStartupFailureReason } from './types/messages.ts';

/*
 * The errors of the drop-in. Programs recognise them by the official text, which comes first, and by the properties of
 * the official errors; further details of this SDK follow.
 */

/** How much of the agent's error stream a message repeats. */
const tailLength = 2048;

/** The state of the query when the agent exited. */
export interface ExitContext {
  /** What its exit ended before time. */
  readonly lost: readonly string[];
  /** More about it, as sentences. */
  readonly details?: readonly string[];
  /** The engine's own error, if it has one. */
  readonly cause?: unknown;
}

/** The error for an agent that exited with a failure, or without an answer. */
export function exitError(exit: Exit, { lost, details = [], cause }: ExitContext): AgentExitedError {
  const ending =
    exit.signal === null ? `exited with code ${exit.code ?? 'unknown'}` : `terminated by signal ${exit.signal}`;
  const error = new AgentExitedError(`Claude Code process ${ending}`, { exit, lost }, causeOf(cause));
  const tail = tailOf(exit.stderr);
  const silent = tail === '' ? 'It wrote nothing to its error stream.' : undefined;
  const more = [...details, error.explanation, silent].filter((part) => part !== undefined).join(' ');
  error.message += tail === '' ? `. ${more}` : `. stderr: ${tail}${more === '' ? '' : `\n${more}`}`;
  if (exit.code === 0) return error;
  return withFacts(error, {
    errorClass: exit.signal === null ? 'process_exited_nonzero' : 'process_killed_by_signal',
  });
}

/** The error for an agent that failed after an error result, whose text it repeats. */
export function resultError(
  text: string,
  { reason, cause }: { readonly reason?: SDKStartupFailureReason | undefined; readonly cause: unknown },
): SdkError {
  const error = new SdkError('RESULT_ERROR', `Claude Code returned an error result: ${text}`, { cause });
  return withFacts(error, { errorClass: 'error_result', ...(reason && { startupFailureReason: reason }) });
}

/** The error for a method that cannot be answered any more. */
export function closedError(cause?: unknown): SdkError {
  return new SdkError('CONVERSATION_CLOSED', 'Query closed before response received', causeOf(cause));
}

/** The error for messages that come too late. */
export function unsentError(cause?: unknown): SdkError {
  return new SdkError(
    'CONVERSATION_CLOSED',
    'ProcessTransport is not ready for writing: the input of the query has ended, and the message was not sent.',
    causeOf(cause),
  );
}

/**
 * The error for callers that await a query that was aborted. Programs compare its text, and the official package has another
 * one where the agent was ended within a turn.
 */
export function abortedError({ reason }: AbortSignal, { isInTurn = false }: { isInTurn?: boolean } = {}): AbortError {
  const words = isInTurn ? 'Claude Code process aborted by user' : 'Operation aborted';
  return withFacts(new AbortError(words, { cause: reason }), { errorClass: 'aborted' });
}

/** The error for a second use of what works once. */
export function onceOnlyError(call: string): SdkError {
  return new SdkError('CONVERSATION_CLOSED', `${call} can only be called once`);
}

/** The error for an agent that did not introduce itself. */
export function startError(error: unknown, timeoutMs: number): unknown {
  if (!SdkError.is(error) || error.code !== 'INITIALIZE_TIMEOUT') return error;
  const message = `Subprocess initialization did not complete within ${timeoutMs}ms. The agent did not answer \`initialize\`.`;
  const late = new SdkError('INITIALIZE_TIMEOUT', message, { cause: error });
  return withFacts(Object.assign(late, { remedy: error.remedy }), { errorClass: 'initialize_timeout' });
}

const spareLosses = {
  closed: 'spare_closed: the spare was closed before it was claimed',
  exited: 'spare_exited: the spare process exited before it was claimed',
  gone: 'SpareProcess.claim(): the spare was closed or has exited; start the session with query()',
} as const;

/** The error for a spare agent that is not there any more. */
export function spareLostError(loss: keyof typeof spareLosses, cause?: unknown): SdkError {
  return new SdkError('CONVERSATION_CLOSED', spareLosses[loss], causeOf(cause));
}

const notApplied = {
  settings_not_applied: 'the prompt was not sent and the process was closed; start the session with query()',
  option_not_applied: 'the prompt was sent and the session runs without these options',
} as const;

/** The error for a claim of which the agent refused a part. What it claimed is in `claim`. */
export function notAppliedError(
  what: keyof typeof notApplied,
  refused: readonly (readonly [option: string, error: unknown])[],
  claim: object,
): SdkError {
  const reasons = refused.map(([option, error]) => `${option === '' ? '' : `${option}: `}${errorText(error)}`);
  const message = `${what}: ${reasons.join('; ')} — ${notApplied[what]}`;
  const [[, cause] = []] = refused;
  return withFacts(new SdkError('REQUEST_FAILED', message, causeOf(cause)), { claim });
}

/** Remedies that name an option, with the names that options have here. */
const ownRemedies: Partial<Record<ErrorCode, string>> = {
  AGENT_NOT_FOUND:
    'Install the Claude Code CLI, or name its path in the option `pathToClaudeCodeExecutable` or in CLAUDE_CODE_PATH.',
  INITIALIZE_TIMEOUT: 'Read what the agent writes to its error stream: the option `stderr` is called with it.',
  LINE_TOO_LONG:
    'Look for what the agent or a wrapper prints. If a line of that length is meant, pass a `CliTransport` with a higher `maxLineBytes` as `transport`.',
  REQUEST_STALLED: 'Read the messages while the method is pending: its answer comes behind what is unread.',
};

const launchFailures: Partial<Record<ErrorCode, readonly [errorClass: string, words: (path: string) => string]>> = {
  AGENT_NOT_FOUND: ['executable_not_found', (path) => `Claude Code native binary not found at ${path}.`],
  AGENT_NOT_EXECUTABLE: ['executable_launch_failed', failedToLaunch],
  AGENT_INTERPRETER_MISSING: ['executable_launch_failed', failedToLaunch],
  AGENT_LIBC_MISMATCH: ['executable_launch_failed', failedToLaunch],
};

function failedToLaunch(path: string): string {
  return `Claude Code native binary at ${path} exists but failed to launch.`;
}

/** The error for a CLI that the program names and that cannot be started. Programs recognise the official class and first words. */
function launchError(error: SdkError, path: string): unknown {
  const failure = launchFailures[error.code];
  if (failure === undefined) return error;
  const [errorClass, words] = failure;
  const launch = new ReferenceError(`${words(path)} ${error.message}`, { cause: error });
  return withFacts(markAsSdkError(launch, error.code), { errorClass });
}

/** The names of the transport's options in the drop-in. */
const ownNames: Readonly<Record<string, string>> = {
  spawn: 'spawnClaudeCodeProcess',
  executable: 'pathToClaudeCodeExecutable',
  interpreter: 'executable',
  interpreterArgs: 'executableArgs',
};

/**
 * Puts the names of the drop-in's options into the message of an error of our transport. An error of a transport of the program
 * keeps its names.
 */
export function withOwnNames(
  error: unknown,
  { transport, spawn, executable, interpreter, interpreterArgs }: AgentChoice,
): unknown {
  const isMadeHere = transport === undefined && (spawn ?? executable ?? interpreter ?? interpreterArgs) !== undefined;
  if (!isMadeHere || !(error instanceof Error)) return error;
  error.message = error.message.replaceAll(
    /\b(?<article>the option )`(?<name>\w+)`/gi,
    (text, article: string, name: string) => (name in ownNames ? `${article}\`${ownNames[name]}\`` : text),
  );
  return SdkError.is(error) && executable !== undefined ? launchError(error, executable) : error;
}

/** Whether the agent answered a request, and refused it. */
export const isRefusal = ({ code }: SdkError): boolean => code === 'REQUEST_FAILED' || code === 'REQUEST_UNSUPPORTED';

/** Gives a refusal of the agent its own text, and a remedy the names of the drop-in's options. */
export function officialError(error: unknown): unknown {
  if (!SdkError.is(error)) return error;
  if (isRefusal(error) || error.code === 'INITIALIZE_FAILED') return refusedError(error);
  const remedy = ownRemedies[error.code];
  if (remedy !== undefined && error.remedy === remedies[error.code]) Object.assign(error, { remedy });
  return error;
}

/** The error for a request that the agent refused: its own text, and the code of its answer as `errorCode`. */
function refusedError({ code, message, cause }: SdkError): SdkError {
  // The protocol gives the agent's whole answer as the cause.
  const { error: text, error_code: errorCode } = (cause ?? {}) as {
    readonly error?: unknown;
    readonly error_code?: unknown;
  };
  const since = typeof text === 'string' ? explainRefusal(text) : undefined;
  const own = since === undefined ? text : `${String(text)}. ${since}`;
  const error = new SdkError(code, typeof own === 'string' && own !== '' ? own : message, { cause });
  return withFacts(error, {
    errorClass: 'control_request_failed',
    ...(typeof errorCode === 'string' && { errorCode }),
  });
}

function tailOf(stderr: string): string {
  const text = stderr.trim();
  if (text.length <= tailLength) return text;
  const tail = text.slice(-tailLength);
  // Cut at a line, unless there is only one.
  return tail.slice(tail.indexOf('\n') + 1);
}

function causeOf(cause: unknown): ErrorOptions {
  return cause === undefined ? {} : { cause };
}

/** Adds properties that programs read and no type of ours declares. */
function withFacts<E extends Error>(error: E, facts: object): E {
  return Object.assign(error, facts);
}
