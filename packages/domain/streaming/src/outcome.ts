import { errorText } from '@hexagent/checks';
import type {
  AgentMessage,
  ApiRetryMessage,
  FailedTurn,
  ResultMessage,
  TurnOutcome,
  TurnReport,
} from '@hexagent/ports';
import { begins, hintOf, type LooseResult } from './hints.ts';
import type { TurnSpending } from './spending/spending-fold.ts';

// A result that fails its check is delivered too. Nothing here may throw for it, or its turn would never end.

/** Facts about the turn that are not in its result. */
export interface TurnFacts {
  readonly spending: TurnSpending;
  /** The last text of the turn, for a result that carries none. */
  readonly lastText: string;
  /** The refusal of the credentials for which it was stopped. */
  readonly refusal?: ApiRetryMessage | undefined;
}

/** The outcome of a turn, from its result frame. */
export function outcomeOf(result: ResultMessage, { spending, lastText, refusal }: TurnFacts): TurnOutcome {
  const { result: text, api_error_status: refused }: LooseResult = result;
  const report: TurnReport = {
    text: typeof text === 'string' ? text : lastText,
    usage: result.usage,
    ...spending,
    result,
  };
  // Only the terminal reason shows an interrupt: the receipt proves nothing, and the subtype is that of any error.
  if (begins(result.terminal_reason, 'aborted'))
    return refusal === undefined ? { kind: 'interrupted', ...report } : { ...failureOf(refusal), ...report };
  if (!result.is_error) return { kind: 'completed', ...report };
  const cause = causeOf(result);
  const status = refused ?? undefined;
  return {
    kind: 'failed',
    cause,
    message: messageOf(result),
    ...(status === undefined ? {} : { status }),
    ...hintFieldOf(result),
    ...report,
  };
}

/** For a turn that the SDK stopped because the service refused the credentials. */
function failureOf(refusal: ApiRetryMessage): Omit<FailedTurn, keyof TurnReport> {
  const { error_status: status } = refusal;
  const shown = status === null ? '' : ` (status ${status})`;
  return {
    kind: 'failed',
    cause: 'api',
    message: `The service of the model refused the credentials twice${shown}.`,
    ...(status === null ? {} : { status }),
    ...hintFieldOf(refusal),
  };
}

/** The uuids of the messages that a result answers. */
export function answeredUuids({ user_message_uuids: uuids }: ResultMessage): readonly string[] {
  return Array.isArray(uuids) ? uuids : [];
}

function messageOf(message: ResultMessage): string {
  const { errors, result }: LooseResult = message;
  const text = Array.isArray(errors) ? errors.map(errorText).join('\n') : '';
  return text || (typeof result === 'string' && result) || `The agent ended the turn with ${message.subtype}.`;
}

function hintFieldOf(message: AgentMessage): { readonly hint?: ReturnType<typeof hintOf> } {
  const hint = hintOf(message);
  return hint === undefined ? {} : { hint };
}

function causeOf(result: ResultMessage): FailedTurn['cause'] {
  if (result.subtype === 'error_max_structured_output_retries') return 'output';
  if (begins(result.subtype, 'error_max_')) return 'limit';
  // An API error has the subtype of a success: only `is_error` and the reason show it.
  if (result.subtype === 'success' || result.terminal_reason === 'api_error') return 'api';
  return 'agent';
}
