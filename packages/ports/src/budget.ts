/** How much a session may spend. At least one limit; a limit is noticed after the request that reaches it. */
export interface Budget {
  /** US dollars of the session since it was opened; what a resumed session had cost before does not count. The CLI holds it. */
  readonly usd?: number | undefined;
  /** Tokens of the session since it was opened: input, output and what is written to the cache. What is read from the cache does not count. */
  readonly tokens?: number | undefined;
  /** Rounds of requests and tool calls of each turn. The CLI holds it, and counts the conversation alone: a subagent has its own rounds. */
  readonly turns?: number | undefined;
  /** Called before a limit is reached, once for each of the session's limits, and once in a turn for `turns`. */
  readonly onNear?: ((near: BudgetUse) => void | Promise<void>) | undefined;
  /** At which share of a limit `onNear` is called, between 0 and 1. Default 0.8. */
  readonly nearAt?: number | undefined;
}

/** How much of a limit is used. */
export interface BudgetUse {
  /** Which one. */
  readonly limit: 'usd' | 'tokens' | 'turns';
  /** May be more than the limit, by the request that reached it. */
  readonly used: number;
  /** The limit. */
  readonly of: number;
}
