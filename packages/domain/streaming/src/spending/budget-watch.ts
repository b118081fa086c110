import { errorText, isRecord } from '@hexagent/checks';
import type {
  AgentMessage,
  Budget,
  BudgetUse,
  FeatureControl,
  ResultMessage,
  SessionFeature,
  TranscriptMirrorFrame,
  TurnFailure,
} from '@hexagent/ports';
import { attempt } from '@hexagent/async';
import { spendingByModel } from './amounts.ts';

/** The agent's running totals. */
type Totals = Pick<ResultMessage, 'total_cost_usd'> & { readonly models: ResultMessage['modelUsage'] };
type Spent = Readonly<Record<'usd' | 'tokens', number>>;

/** How long the agent may take to report its totals. Without a limit an agent that never answers would keep `finish()` waiting. */
const answeringMs = 10_000;

const nothing: Spent = { usd: 0, tokens: 0 };

/** Holds the limit of tokens, and calls `onNear`. The agent itself holds the limits of dollars and of rounds. */
export class BudgetWatch implements SessionFeature {
  readonly name = 'the budget';
  readonly #budget: Budget;
  readonly #called = new Set<BudgetUse['limit']>();
  #control: FeatureControl | undefined;
  #used = nothing;
  /** The totals when they were last read. Those of a resumed session begin with what it spent before. */
  #totals = nothing;
  /** Pending until the totals of the start are known. */
  #start: Promise<void> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #results = 0;
  #isAsked = false;
  /** The requests of the turn that the conversation itself made, by their message. */
  readonly #rounds = new Set<string>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  attach(control: FeatureControl): void {
    this.#control = control;
    if (this.#needsTotals) this.#start = this.#readStart();
  }

  receive(message: AgentMessage | TranscriptMirrorFrame): Promise<void> | void {
    if (message.type === 'result') return this.#noteResult(message);
    if (message.type === 'assistant' && message.parent_tool_use_id === null) this.#noteRound(message.message);
    // A request has ended when the agent has the result of a tool that it asked for.
    else if (message.type === 'user') this.#noteProgress();
    else if (message.type === 'system' && message.subtype === 'init') this.#stopIfSpent();
  }

  /** What only the agent can say while a turn runs: prices, and the output of requests. */
  get #needsTotals(): boolean {
    const { tokens, usd, onNear } = this.#budget;
    return tokens !== undefined || (usd !== undefined && onNear !== undefined);
  }

  refuse(): TurnFailure | undefined {
    return this.#failure;
  }

  async #readStart(): Promise<void> {
    this.#totals = (await this.#askTotals()) ?? nothing;
    this.#start = undefined;
  }

  /** At once, so that the program, which may send the next message as soon as it has the result, sends none too many. */
  #noteResult({ total_cost_usd, modelUsage: models }: ResultMessage): Promise<void> | void {
    this.#rounds.clear();
    this.#called.delete('turns');
    this.#results += 1;
    const note = (): void => this.#note(spentOf({ total_cost_usd, models }));
    return this.#start === undefined ? note() : this.#start.then(note);
  }

  #noteRound(message: unknown): void {
    if (isRecord(message)) this.#rounds.add(String(message['id']));
    this.#callIfNear('turns', this.#rounds.size);
  }

  #noteProgress(): void {
    if (!this.#needsTotals || this.#isAsked) return;
    this.#isAsked = true;
    this.#reading = this.#reading.then(() => this.#readTotals());
  }

  /** One by one, and none that is older than a result: its totals would look as if they had begun anew. */
  async #readTotals(): Promise<void> {
    await this.#start;
    this.#isAsked = false;
    const results = this.#results;
    const spent = await this.#askTotals();
    if (spent !== undefined && results === this.#results) this.#note(spent);
  }

  async #askTotals(): Promise<Spent | undefined> {
    try {
      const { session } =
        (await this.#control?.request('get_usage', { skip_behaviors: true }, { timeoutMs: answeringMs })) ?? {};
      return session && spentOf({ total_cost_usd: session.total_cost_usd, models: session.model_usage });
    } catch {
      return undefined; // An agent that does not have the request reports its totals with each result.
    }
  }

  #note(totals: Spent): void {
    const before = this.#totals;
    this.#totals = totals;
    // `/clear` lets them begin anew.
    const since = (kind: keyof Spent): number =>
      totals[kind] - (totals.usd < before.usd || totals.tokens < before.tokens ? 0 : before[kind]);
    this.#used = { usd: this.#used.usd + since('usd'), tokens: this.#used.tokens + since('tokens') };
    this.#callIfNear('usd', this.#used.usd);
    this.#callIfNear('tokens', this.#used.tokens);
    this.#stopIfSpent();
  }

  #stopIfSpent(): void {
    const failure = this.#failure;
    if (failure !== undefined) this.#control?.failTurn?.(failure);
  }

  /** What a turn fails for, once the tokens are used up. */
  get #failure(): TurnFailure | undefined {
    const { tokens: of } = this.#budget;
    const used = this.#used.tokens;
    if (of === undefined || used < of) return undefined;
    const message = `The session used ${used} tokens; its budget has ${of}.`;
    return { kind: 'failed', cause: 'budget', message, budget: { limit: 'tokens', used, of } };
  }

  #callIfNear(limit: BudgetUse['limit'], used: number): void {
    const { onNear, nearAt = 0.8, [limit]: of } = this.#budget;
    if (onNear === undefined || of === undefined || used < of * nearAt || this.#called.has(limit)) return;
    this.#called.add(limit);
    attempt(() => onNear({ limit, used, of })).catch((cause: unknown) =>
      this.#control?.warn({
        code: 'HEXAGENT_CALLBACK_FAILED',
        source: 'budget.onNear',
        message: `\`budget.onNear\` failed: ${errorText(cause)}`,
        cause,
      }),
    );
  }
}

function spentOf({ total_cost_usd: usd, models }: Totals): Spent {
  const counted = [...spendingByModel(models).values()];
  const tokens = counted.reduce((sum, one) => sum + one.inputTokens + one.outputTokens + one.cacheWriteTokens, 0);
  return { usd: typeof usd === 'number' ? usd : 0, tokens };
}
