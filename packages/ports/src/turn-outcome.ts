import type { BudgetUse } from './budget.ts';
import type { Spending, SubagentSpending } from './spending.ts';
import type { Usage } from './vocabulary/model-answers.ts';
import type { ResultMessage } from './vocabulary/results.ts';

/** How a turn ended. A value: failing is an outcome, and only a conversation that breaks is an error. */
export type TurnOutcome = CompletedTurn | FailedTurn | InterruptedTurn | CancelledTurn;

/** What every turn with a result frame reports. What it spent is this turn's alone, and counted once where one result answers several turns. */
export interface TurnReport {
  readonly text: string;
  /** As the agent reports it: of the conversation's own requests that ended, without its subagents. `models` has everything. */
  readonly usage: Usage;
  /** Of everything, in US dollars, by the prices that the agent has. */
  readonly cost: number;
  /** Everything that was spent, by the name of the model. */
  readonly models: Readonly<Record<string, Spending>>;
  /** The share of the conversation's own input that the service read from its cache; `undefined` where none was counted. */
  readonly cacheHitRatio?: number | undefined;
  /** The part of it that each subagent spent. */
  readonly subagents: readonly SubagentSpending[];
  readonly result: ResultMessage;
}

/** The agent finished what it was asked. */
export interface CompletedTurn extends TurnReport {
  readonly kind: 'completed';
}

/** The turn ended with an error, which the agent or the model's service reports, or a limit of the program. */
export interface FailedTurn extends Omit<TurnReport, 'result'> {
  readonly kind: 'failed';
  /** `undefined` where nothing was sent, since the budget of the session was used up before. */
  readonly result: ResultMessage | undefined;
  /**
   * `api`: the model's service refused. `budget`: a limit of the option `budget` was reached. `stall`: nothing came for as long as
   * `stallAfterMs` allows. `limit`: another limit was reached. `output`: the model gave no output that passes the schema, though the
   * session asks for one. `agent`: the rest.
   */
  readonly cause: 'api' | 'budget' | 'stall' | 'limit' | 'output' | 'agent';
  /** What the agent reported. */
  readonly message: string;
  /** The service's status, with cause `api`. */
  readonly status?: number | undefined;
  /** Which limit was reached, with cause `budget`. */
  readonly budget?: BudgetUse | undefined;
  /** For how long nothing came, in milliseconds, with cause `stall`. */
  readonly stalledMs?: number | undefined;
  /** What the failure usually means, where the service is at fault. */
  readonly hint?: Hint | undefined;
  /** What the model gave as the output and was refused, in its order, with cause `output`. */
  readonly attempts?: readonly OutputAttempt[] | undefined;
}

/** A value that was refused as the output of a turn. */
export interface OutputAttempt {
  /** As the model gave it. */
  readonly value: unknown;
  /** What is wrong with it, as the model read it. */
  readonly problem: string;
}

/** A failure for which the SDK stops a turn. What the turn reports is added when it has ended. */
export type TurnFailure = Omit<FailedTurn, keyof TurnReport>;

/** What a failure of the model's service usually means, as a value to decide on and a sentence to show. */
export interface Hint {
  /** What it is about. */
  readonly kind:
    | 'authentication'
    | 'connection'
    | 'invalid_request'
    | 'not_found'
    | 'overloaded'
    | 'permission'
    | 'rate_limit'
    | 'service'
    | 'too_large';
  /** What to do about it, for a person to read. */
  readonly remedy: string;
}

/** It was stopped. */
export interface InterruptedTurn extends TurnReport {
  readonly kind: 'interrupted';
}

/**
 * Ended without a result: taken out of the queue, or a message the agent had already handled. It never ran and spent nothing, so it has
 * neither `usage` nor `cost`. One that the agent has begun with has both when it is stopped: its outcome is `interrupted`.
 */
export interface CancelledTurn {
  readonly kind: 'cancelled';
  readonly why: 'withdrawn' | 'repeated';
}
