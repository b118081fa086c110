import { AgentExitedError, SdkError, explainExit, formatExit, type Exit, type WarningListener } from '@hexagent/ports';
import { notify } from '@hexagent/async';

/** The error for an agent that exited while it was needed. Names the exit, its last lines and what was lost. */
export function toExitError(exit: Exit, lost: readonly string[], wasReady: boolean): AgentExitedError {
  const idle = lost.length > 0 ? 'before it had answered' : 'while no turn was open';
  const phase = wasReady ? idle : 'before it was ready';
  const stderrTail = lastLines(exit.stderr);
  const parts = [
    `The agent ${formatExit(exit)} ${phase}.`,
    lost.length > 0 ? `Lost: ${lost.join(', ')}.` : undefined,
    explainExit(exit.stderr),
    stderrTail === '' ? 'It wrote nothing to its error stream.' : `It last wrote:\n${stderrTail}`,
  ];
  return new AgentExitedError(parts.filter((part) => part !== undefined).join(' '), { exit, lost });
}

/** The last five lines, without the frames of a stack trace: the error stands above them. */
function lastLines(stderr: string): string {
  const lines = stderr.trim().split('\n');
  const others = lines.filter((line) => /\S/.test(line) && !/^\s+at /.test(line));
  return others.slice(-5).join('\n');
}

/** Whether the code is expected: 0, or 1 after an error result, which it repeats. */
export function isExplained({ code }: Exit, lastResultFailed: boolean): boolean {
  return code === 0 || (code === 1 && lastResultFailed);
}

/** @throws {SdkError} `AGENT_NOT_ENDED` when something of the agent still runs. */
export function ensureEnded(exit: Exit): Exit {
  if (isEnded(exit)) return exit;
  throw new SdkError('AGENT_NOT_ENDED', describeNotEnded(exit));
}

/** `close()` never rejects, so what it could not end is warned of. */
export function warnIfNotEnded(exit: Exit, warn: WarningListener | undefined): void {
  if (isEnded(exit)) return;
  const source = `processes ${exit.notEnded?.join(', ')}`;
  notify(() => warn?.({ code: 'HEXAGENT_AGENT_NOT_ENDED', source, message: describeNotEnded(exit) }));
}

function isEnded({ notEnded = [] }: Exit): boolean {
  return notEnded.length === 0;
}

function describeNotEnded({ notEnded = [] }: Exit): string {
  return `Of the agent and what it started, these processes could not be ended: ${notEnded.join(', ')}.`;
}

/** The error for what is begun after the end, with the reason of the end as its cause. */
export function closedError(what: string, cause?: Error): SdkError {
  if (cause === undefined) return new SdkError('CONVERSATION_CLOSED', `${what}.`);
  return new SdkError('CONVERSATION_CLOSED', `${what}. ${cause.message}`, { cause });
}
