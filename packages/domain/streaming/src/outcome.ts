import { errorText } from '@hexagent/checks';
import type {
  AgentMessage,
  ApiRetryMessage,
  Budget,
  BudgetUse,
  FailedTurn,
  ResultMessage,
  TurnFailure,
  TurnOutcome,
  TurnReport,
} from '@hexagent/ports';
import { begins, hintOf, type LooseResult } from './hints.ts';
import { sumOf, tokensOfUsage } from './spending/amounts.ts';
import type { TurnSpending } from './spending/spending-fold.ts';

// A result that fails its check is delivered too. Nothing here may throw for it, or its turn would never end.

/** Facts about the turn that are not in its result. */
export interface TurnFacts {
  readonly spending: TurnSpending;
  /** The last text of the turn, for a result that carries none. */
  readonly lastText: string;
  /** What it was stopped for. */
  readonly failure?: TurnFailure | undefined;
  /** The limits that the agent was given, and what the session has cost. */
  readonly budget?: Pick<Budget, 'usd' | 'turns'> | undefined;
  readonly sessionCost: number;
}

/** The outcome of a turn, from its result frame. */
export function outcomeOf(result: ResultMessage, facts: TurnFacts): TurnOutcome {
  const { spending, lastText, failure } = facts;
  const { result: text, api_error_status: refused }: LooseResult = result;
  const report: TurnReport = {
    text: typeof text === 'string' ? text : lastText,
    usage: result.usage,
    ...spending,
    cacheHitRatio: hitRatioOf(result.usage),
    result,
  };
  // Only the terminal reason shows an interrupt: the receipt proves nothing, and the subtype is that of any error.
  if (begins(result.terminal_reason, 'aborted'))
    return failure === undefined ? { kind: 'interrupted', ...report } : { ...failure, ...report };
  if (!result.is_error) return { kind: 'completed', ...report };
  const budget = budgetUseOf(result, facts);
  const cause = budget === undefined ? causeOf(result) : 'budget';
  const status = refused ?? undefined;
  return {
    kind: 'failed',
    cause,
    message: messageOf(result),
    ...(status === undefined ? {} : { status }),
    ...(budget === undefined ? {} : { budget }),
    ...hintFieldOf(result),
    ...report,
  };
}

/** For a turn whose message was not sent. */
export function unsentOutcome(failure: TurnFailure): FailedTurn {
  const usage = { input_tokens: 0, output_tokens: 0 };
  return { ...failure, text: '', usage, cost: 0, models: {}, subagents: [], result: undefined };
}

/** For a turn that the SDK stopped because the service refused the credentials. */
export function failureOf(refusal: ApiRetryMessage): TurnFailure {
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

function causeOf(result: ResultMessage): TurnFailure['cause'] {
  if (result.subtype === 'error_max_structured_output_retries') return 'output';
  if (begins(result.subtype, 'error_max_')) return 'limit';
  // An API error has the subtype of a success: only `is_error` and the reason show it.
  if (result.subtype === 'success' || result.terminal_reason === 'api_error') return 'api';
  return 'agent';
}

/** The limit of the program's that the agent ended the turn for. */
function budgetUseOf({ subtype, num_turns: rounds }: ResultMessage, facts: TurnFacts): BudgetUse | undefined {
  const { usd, turns } = facts.budget ?? {};
  if (subtype === 'error_max_budget_usd' && usd !== undefined)
    return { limit: 'usd', used: facts.sessionCost, of: usd };
  // The agent counts the round that it did not begin.
  if (subtype === 'error_max_turns' && turns !== undefined) return { limit: 'turns', used: rounds - 1, of: turns };
  return undefined;
}

function hitRatioOf(usage: ResultMessage['usage']): number | undefined {
  const tokens = tokensOfUsage(usage);
  const input = sumOf(tokens) - tokens.outputTokens;
  return input === 0 ? undefined : tokens.cacheReadTokens / input;
}
