import type {
  AgentMessage,
  AssistantMessage,
  Ledger,
  ResultMessage,
  Spending,
  SubagentSpending,
  SystemMessage,
  TurnReport,
} from '@hexagent/ports';
import { isRecord } from '@hexagent/checks';
import {
  larger,
  minus,
  noTokens,
  nothingSpent,
  plus,
  priceOf,
  spendingByModel,
  spentTogether,
  sumOf,
  tokensOfUsage,
  type Tokens,
} from './amounts.ts';
import { divide } from './divide.ts';

/** What is known of a subagent, or of the conversation, between two results. */
interface Thread {
  readonly type: string | undefined;
  /** The tokens of each request by its message, and its model: several messages have the same request. */
  readonly requests: Map<string, { readonly model: string; readonly tokens: Tokens }>;
  lastRequest: number;
  hasEnded: boolean;
}

/** What a turn spent. */
export type TurnSpending = Pick<TurnReport, 'cost' | 'models' | 'subagents'>;

/**
 * Counts what a session spends, by its messages: each request once, and each result once. `total_cost_usd` and `modelUsage` are running
 * totals; those of a resumed session begin with what it had spent before.
 */
export class SpendingFold {
  readonly #main = threadOf(undefined);
  /** By the tool call that began each. */
  readonly #threads = new Map<string, Thread>();
  /** The running totals of the last result, by model. */
  #totals: ReadonlyMap<string, Spending> = new Map();
  #totalCost = 0;
  #cost = 0;
  #models: ReadonlyMap<string, Spending> = new Map();
  #subagents: ReadonlyMap<string, Spending> = new Map();
  #results = 0;
  #costBefore = 0;

  get ledger(): Ledger {
    return {
      ...[...this.#models.values()].reduce(spentTogether, nothingSpent),
      cost: this.#cost,
      results: this.#results,
      models: Object.fromEntries(this.#models),
      subagents: Object.fromEntries(this.#subagents),
      costBefore: this.#costBefore,
    };
  }

  note(message: AgentMessage): void {
    if (message.type === 'assistant') this.#noteRequest(message);
    else if (message.type === 'system') this.#noteTask(message);
  }

  /** Called once for each result. */
  end(result: ResultMessage): TurnSpending {
    const { models, cost } = this.#sinceLastResult(result);
    const subagents = this.#ofSubagents(models, result);
    this.#results += 1;
    this.#cost += cost;
    this.#models = added(this.#models, models);
    this.#subagents = added(
      this.#subagents,
      subagents.map(({ type = 'unknown', call: _, isExact: __, ...spent }) => [type, spent]),
    );
    this.#main.requests.clear();
    for (const [call, thread] of this.#threads) {
      if (thread.hasEnded) this.#threads.delete(call);
      thread.requests.clear();
    }
    return { cost, models: Object.fromEntries(models), subagents };
  }

  #noteRequest({ message, parent_tool_use_id: call, subagent_type: type }: AssistantMessage): void {
    if (!isRecord(message) || typeof message.id !== 'string') return;
    const { requests } = typeof call === 'string' ? this.#thread(call, type) : this.#main;
    const tokens = { ...tokensOfUsage(message.usage), outputTokens: 0 };
    const before = requests.get(message.id)?.tokens ?? noTokens;
    requests.set(message.id, { model: message.model, tokens: larger(before, tokens) });
  }

  #noteTask(message: SystemMessage): void {
    if (message.subtype === 'task_started' && message.task_type === 'local_agent' && message.tool_use_id !== undefined)
      this.#thread(message.tool_use_id, message.subagent_type);
    if (message.subtype !== 'task_notification' || message.tool_use_id === undefined) return;
    const thread = this.#threads.get(message.tool_use_id);
    if (thread === undefined) return;
    thread.hasEnded = true;
    thread.lastRequest = Number(message.usage?.total_tokens) || 0;
  }

  #thread(call: string, type: string | undefined): Thread {
    const known = this.#threads.get(call);
    if (known !== undefined) return known;
    const thread = threadOf(type);
    this.#threads.set(call, thread);
    return thread;
  }

  /** What was spent since the last result. An older agent reports the running totals alone. */
  #sinceLastResult(result: ResultMessage): { readonly models: ReadonlyMap<string, Spending>; readonly cost: number } {
    const [totalsBefore, costBefore] = [this.#totals, this.#totalCost];
    this.#totals = spendingByModel(result.modelUsage);
    this.#totalCost = typeof result.total_cost_usd === 'number' ? result.total_cost_usd : costBefore;
    if (isRecord(result.model_usage_since_last_result)) {
      const models = spendingByModel(result.model_usage_since_last_result);
      const cost = [...models.values()].reduce((sum, spent) => sum + spent.cost, 0);
      if (this.#results === 0) this.#costBefore = Math.max(0, this.#totalCost - cost);
      return { models, cost };
    }
    const models = new Map([...this.#totals].map(([model, now]) => [model, difference(now, totalsBefore.get(model))]));
    return { models, cost: this.#totalCost - (this.#totalCost >= costBefore ? costBefore : 0) };
  }

  #ofSubagents(models: ReadonlyMap<string, Spending>, result: ResultMessage): readonly SubagentSpending[] {
    const threads = [...this.#threads];
    const spent = new Map<string, Spending>();
    const shared = new Set<string>();
    for (const [model, whole] of models) {
      const users = threads.filter(([, thread]) => this.#mayUse(thread, model, models));
      const shares = users.map(([, thread]) => ({ seen: seenOf(thread, model), lastRequest: thread.lastRequest }));
      const parts = divide(this.#besideMain(model, whole, result), shares);
      for (const [index, [call]] of users.entries()) {
        spent.set(call, spentTogether(spent.get(call) ?? nothingSpent, parts[index] ?? nothingSpent));
        if (users.length > 1) shared.add(call);
      }
    }
    // A turn that was cut short does not report the conversation's own last request.
    return threads.map(([call, { type }]) => ({
      call,
      type,
      ...(spent.get(call) ?? nothingSpent),
      isExact: !shared.has(call) && !result.is_error,
    }));
  }

  /** Whether a subagent may have used a model: it shows so, or it shows nothing, and no other one explains the model. */
  #mayUse(thread: Thread, model: string, models: ReadonlyMap<string, Spending>): boolean {
    if (thread.requests.size > 0) return usesModel(thread, model);
    const subagents = [...this.#threads.values()];
    const unexplained = [...models.keys()].filter((name) => !subagents.some((other) => usesModel(other, name)));
    return unexplained.length === 0 || unexplained.includes(model);
  }

  /** What of a model's spending is not the conversation's own. */
  #besideMain(model: string, whole: Spending, { usage }: ResultMessage): Spending {
    const used = new Set([...this.#main.requests.values()].map((request) => request.model));
    const reported = used.size === 1 && used.has(model) ? tokensOfUsage(usage) : noTokens;
    const tokens = minus(whole, larger(reported, seenOf(this.#main, model)));
    const price = priceOf(whole);
    return { ...tokens, cost: price === 0 ? 0 : (whole.cost * priceOf(tokens)) / price };
  }
}

const threadOf = (type: string | undefined): Thread => ({
  type,
  requests: new Map(),
  lastRequest: 0,
  hasEnded: false,
});

const usesModel = ({ requests }: Thread, model: string): boolean =>
  [...requests.values()].some((request) => request.model === model);

const seenOf = ({ requests }: Thread, model: string): Tokens =>
  [...requests.values()]
    .filter((request) => request.model === model)
    .reduce((sum, { tokens }) => plus(sum, tokens), noTokens);

/** `/clear` may begin the totals anew. */
function difference(now: Spending, before: Spending = nothingSpent): Spending {
  const isAnew = sumOf(now) < sumOf(before);
  return isAnew ? now : { ...minus(now, before), cost: Math.max(0, now.cost - before.cost) };
}

function added(
  all: ReadonlyMap<string, Spending>,
  more: Iterable<readonly [string, Spending]>,
): ReadonlyMap<string, Spending> {
  const sums = new Map(all);
  for (const [name, spent] of more) sums.set(name, spentTogether(sums.get(name) ?? nothingSpent, spent));
  return sums;
}
