import { errorText } from '@hexagent/ports';
import type {
  AgentMessage,
  ApiRetryMessage,
  FailedTurn,
  ResultMessage,
  TurnOutcome,
  TurnReport,
} from '@hexagent/ports';
import { begins, hintOf, type LooseResult } from './hints.ts';

// A result that fails its check arrives all the same. Reading it must not fail: its turn would never end.

/** What the turn's own frames add to its result. */
export interface TurnFacts {
  /** What the session had cost before this turn. */
  readonly costBefore: number;
  /** The last text of the turn, for a result that carries none. */
  readonly lastText: string;
  /** The refusal of its credentials that it was stopped for. */
  readonly refusal?: ApiRetryMessage | undefined;
}

/** Says how a turn ended, from its result frame. */
export function outcomeOf(result: ResultMessage, { costBefore, lastText, refusal }: TurnFacts): TurnOutcome {
  const { result: text, api_error_status: refused }: LooseResult = result;
  const report: TurnReport = {
    text: typeof text === 'string' ? text : lastText,
    usage: result.usage,
    cost: costOf(result, costBefore),
    result,
  };
  // An interrupt is told by the terminal reason alone: the receipt proves nothing, and the subtype is that of any error.
  if (begins(result.terminal_reason, 'aborted'))
    return refusal === undefined ? { kind: 'interrupted', ...report } : { ...failureOf(refusal), ...report };
  if (!result.is_error) return { kind: 'completed', ...report };
  const cause = causeOf(result);
  const status = refused ?? undefined;
  return {
    kind: 'failed',
    cause,
    message: wordsOf(result),
    ...(status === undefined ? {} : { status }),
    ...hinted(result),
    ...report,
  };
}

/** We stopped it, and the reason is the service's. */
function failureOf(refusal: ApiRetryMessage): Omit<FailedTurn, keyof TurnReport> {
  const { error_status: status } = refusal;
  const said = status === null ? '' : ` (status ${status})`;
  return {
    kind: 'failed',
    cause: 'api',
    message: `The service of the model refused the credentials twice${said}.`,
    ...(status === null ? {} : { status }),
    ...hinted(refusal),
  };
}

/** What the session has cost so far. */
export function totalOf({ total_cost_usd: total }: ResultMessage): number | undefined {
  return typeof total === 'number' ? total : undefined;
}

/** The uuids of the messages that a result answers. */
export function namesIn({ user_message_uuids: uuids }: ResultMessage): readonly string[] {
  return Array.isArray(uuids) ? uuids : [];
}

function wordsOf(message: ResultMessage): string {
  const { errors, result }: LooseResult = message;
  const words = Array.isArray(errors) ? errors.map(errorText).join('\n') : '';
  return words || (typeof result === 'string' && result) || `The agent ended the turn with ${message.subtype}.`;
}

function hinted(message: AgentMessage): { readonly hint?: ReturnType<typeof hintOf> } {
  const hint = hintOf(message);
  return hint === undefined ? {} : { hint };
}

function causeOf(result: ResultMessage): 'api' | 'limit' | 'agent' {
  if (begins(result.subtype, 'error_max_')) return 'limit';
  // API errors look like successes on the wire: only `is_error` and the reason tell.
  if (result.subtype === 'success' || result.terminal_reason === 'api_error') return 'api';
  return 'agent';
}

/** The wire's total is cumulative; the sum per model since the last result is this turn's, where the agent sends it. */
function costOf(result: ResultMessage, before: number): number {
  const models = result.model_usage_since_last_result;
  if (models) return Object.values(models).reduce((sum, model) => sum + (model?.costUSD ?? 0), 0);
  const total = totalOf(result) ?? before;
  return total >= before ? total - before : total;
}
