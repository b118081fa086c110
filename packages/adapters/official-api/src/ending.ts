import { AgentExitedError, SdkError, type Exit } from '@hexagent/ports';
import type { SDKResultMessage } from './types/results.ts';

/** How the loop of a query ends: quietly, or with an error. */
export type Ending = { readonly error?: unknown };

export interface Course {
  readonly lastResult: SDKResultMessage | undefined;
  readonly results: number;
  /** Messages that were said. */
  readonly said: number;
}

/** What the end of the messages means. As officially, an error result is yielded first and then thrown, if the agent left with code 1. */
export function endingOf(exit: Exit, { lastResult, said }: Course): Ending {
  if (exit.code === 1 && lastResult?.is_error === true) return { error: resultError(lastResult) };
  const how = exit.signal === null ? `exited with code ${exit.code ?? 'unknown'}` : `was killed by ${exit.signal}`;
  if (exit.signal !== null || (exit.code !== null && exit.code !== 0)) {
    return { error: new AgentExitedError(`The agent ${how}.`, { exit }) };
  }
  // The official SDK ends without a word here, and the program takes silence for success.
  if (lastResult === undefined && said > 0)
    return { error: new AgentExitedError(`The agent ${how} without an answer.`, { exit }) };
  return {};
}

/** What an error of the conversation means. An agent that answered everything and then failed has said why itself. */
export function failureOf(error: unknown, { lastResult, results, said }: Course): Ending {
  const explained =
    error instanceof AgentExitedError && error.exitCode === 1 && lastResult?.is_error === true && results >= said;
  return { error: explained ? resultError(lastResult, { cause: error }) : error };
}

function resultError(result: SDKResultMessage, options?: ErrorOptions): SdkError {
  const text = result.subtype === 'success' ? result.result : result.errors.join('; ');
  return new SdkError(
    'RESULT_ERROR',
    `The agent ended with an error result: ${text === '' ? result.subtype : text}`,
    options,
  );
}
