/** Tokens as the model's service counts them, each once, and what they cost in US dollars by the prices that the agent has. */
export interface Spending {
  /** Neither read from the cache nor written to it. */
  readonly inputTokens: number;
  /** Those of the model, its thinking among them. */
  readonly outputTokens: number;
  /** Read from the cache, at about a tenth of the price of input. */
  readonly cacheReadTokens: number;
  /** Written to the cache, a little dearer than input. */
  readonly cacheWriteTokens: number;
  /** In US dollars. */
  readonly cost: number;
}

/** What one subagent spent in a turn. One that works beside several turns has its part in each. */
export interface SubagentSpending extends Spending {
  /** The id of the tool call that started it. */
  readonly call: string;
  /** Which subagent, such as `general-purpose`; `undefined` where the agent does not name it. */
  readonly type: string | undefined;
  /**
   * `false` where it shares a model with other subagents of the turn: the agent counts by model, so what these spent together is divided
   * by the tokens that their messages show. Their sum is exact.
   */
  readonly isExact: boolean;
}

/** What a session has spent since it was opened, up to its last result. */
export interface Ledger extends Spending {
  /** How many results were counted: one that answers several messages counts once. */
  readonly results: number;
  /** By the name of the model. */
  readonly models: Readonly<Record<string, Spending>>;
  /** By type of the subagent, such as `general-purpose`. */
  readonly subagents: Readonly<Record<string, Spending>>;
  /** What a resumed session had cost before; not a part of `cost`. */
  readonly costBefore: number;
}
