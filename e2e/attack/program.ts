import { setTimeout as delay } from 'node:timers/promises';
import type { Sdk } from '@hexagent/sdk';
import type { query } from '@hexagent/sdk/claude-agent-sdk';
import type { Account } from './account.ts';
import type { Action, ActionKind, DecisionKind, Plan } from './plan.ts';
import { Watch } from './watch.ts';

/** Which agent a run talks to. */
export interface RunPlace {
  readonly sdk: Pick<Sdk, 'openSession'> & { readonly query: typeof query };
  /** Left out when the SDK has a transport of its own. */
  readonly executable?: string;
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Sends a signal to the agent. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** What a message is called in the account; `undefined` for one that does not count. */
  readonly nameOf: (message: object) => string | undefined;
}

/** What the program of a run can do with its conversation, whatever its face. */
export type Doing = Readonly<Partial<Record<ActionKind, () => unknown>>>;

/** One run of a program: counts messages, acts at its moments, decides about tools. */
export class Program {
  readonly plan: Plan;
  readonly account: Account;
  readonly watch: Watch;
  readonly place: RunPlace;
  readonly controller = new AbortController();
  doing: Doing = {};
  #messages = 0;
  #decision = 0;
  #pending: Action[];
  #leaves = false;

  constructor(plan: Plan, place: RunPlace, account: Account) {
    this.plan = plan;
    this.place = place;
    this.account = account;
    this.watch = new Watch(account);
    this.#pending = plan.program.actions.filter(({ ms }) => ms === undefined);
  }

  /** Starts what is to happen at a time of its own. */
  start(): void {
    for (const action of this.plan.program.actions) {
      if (action.ms !== undefined)
        void this.watch.track(
          `timer ${action.do}`,
          delay(action.ms).then(() => this.act(action.do)),
        );
    }
    this.#actOnMessages();
  }

  act(kind: ActionKind): void {
    if (kind === 'close' || kind === 'abort' || kind === 'leave' || kind === 'finish') this.account.isCut = true;
    if (kind === 'leave') this.#leaves = true;
    const signals: Doing = {
      kill: () => this.place.signal('SIGKILL'),
      terminate: () => this.place.signal('SIGTERM'),
      'stand still': () => this.#standStill(),
    };
    const made = this.watch.call(kind, () => (this.doing[kind] ?? signals[kind])?.());
    if (made instanceof Promise) void this.watch.track(kind, made);
  }

  /** Reads to the end, as the plan says. */
  async read(name: string, messages: AsyncIterable<unknown>): Promise<void> {
    const seen: string[] = [];
    this.account.read.set(`${this.account.read.size} ${name}`, seen);
    const { slowEvery } = this.plan.program;
    for await (const message of messages) {
      this.watch.progress();
      const called = typeof message === 'object' && message !== null ? this.place.nameOf(message) : undefined;
      if (called !== undefined) {
        seen.push(called);
        this.#messages += 1;
        this.#actOnMessages();
      }
      if (this.#leaves) break;
      if (slowEvery > 0 && seen.length % slowEvery === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** What the permission callback answers, in the face's own words. */
  async decide<T>(
    command: unknown,
    signal: AbortSignal,
    answers: { readonly allow: () => T; readonly deny: () => T },
  ): Promise<T> {
    const { decisions } = this.plan.program;
    const kind = decisions[this.#decision % decisions.length] ?? 'deny';
    this.#decision += 1;
    this.account.decided.set(String(command), kind);
    return await this.#answer(kind, signal, answers);
  }

  #answer<T>(
    kind: DecisionKind,
    signal: AbortSignal,
    { allow, deny }: { readonly allow: () => T; readonly deny: () => T },
  ): T | Promise<T> {
    // Programs in JavaScript return all of these.
    const odd = (value: unknown): T => value as T;
    switch (kind) {
      case 'allow':
        return allow();
      case 'throw':
        throw new Error('The callback threw.');
      case 'reject':
        return Promise.reject(Object.assign(new Error('unread'), { message: undefined }));
      case 'nothing':
        return odd(undefined);
      case 'a text':
        return odd('allow');
      case 'a wrong word':
        return odd({ behavior: 'Allow' });
      case 'elsewhere':
        return odd(null);
      case 'never':
        return new Promise(() => {});
      case 'when aborted':
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      case 'later':
        return delay(5).then(allow);
      case 'interrupt':
      case 'close':
        this.act(kind);
        return allow();
      default:
        return deny();
    }
  }

  /** The agent is stopped for a while, as on a machine that sleeps. */
  async #standStill(): Promise<void> {
    this.place.signal('SIGSTOP');
    await delay(200);
    this.place.signal('SIGCONT');
  }

  #actOnMessages(): void {
    const due = this.#pending.filter(({ messages = 0 }) => messages <= this.#messages);
    this.#pending = this.#pending.filter((action) => !due.includes(action));
    for (const action of due) this.act(action.do);
  }
}

/** Decisions after which a tool may run. */
export const allowing: ReadonlySet<DecisionKind> = new Set(['allow', 'later', 'interrupt', 'close']);
