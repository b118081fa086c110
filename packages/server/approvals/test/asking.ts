import {
  AbortError,
  type ApprovalRecord,
  type ApprovalStore,
  type Decision,
  type PermissionAsk,
  type PermissionUpdate,
  type Warning,
} from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { Approvals, MemoryApprovalStore, type ApprovalEvent, type ApprovalsOptions } from '../src/index.ts';

/** After each of these a request is tried again that could not be stored. */
export const pausesMs: readonly number[] = [250, 500, 1000, 2000, 4000];

export interface AskedFields {
  readonly tool?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly suggestions?: readonly PermissionUpdate[];
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly expiresAfterMs?: number;
  /** Of the lease under which the agent runs. */
  readonly fence?: number;
}

/** A request of an agent, and its end from the agent's side. */
export interface Asked {
  readonly answer: Promise<Decision | null>;
  readonly end: (how: 'already_answered' | 'withdrawn' | 'expired' | 'agent_exited' | 'suspended') => void;
}

const kinds: Readonly<Record<string, PermissionAsk['kind']>> = { AskUserQuestion: 'question', ExitPlanMode: 'plan' };

/** A program with people, and agents that ask them. */
export class Asking {
  readonly clock: HandClock = new HandClock(500);
  readonly events: ApprovalEvent[] = [];
  readonly warned: Warning[] = [];
  readonly store: ApprovalStore;
  readonly approvals: Approvals;
  #ids = 0;

  constructor(store: ApprovalStore = new MemoryApprovalStore(), options: Partial<ApprovalsOptions> = {}) {
    this.store = store;
    this.approvals = new Approvals({
      store,
      clock: this.clock,
      now: () => 1_000_000 + this.clock.now(),
      createId: () => `id-${(this.#ids += 1)}`,
      warn: (warning) => void this.warned.push(warning),
      ...options,
    });
    this.approvals.subscribe((event) => void this.events.push(event));
  }

  ask(session: string, asked: AskedFields = {}): Asked {
    const { tool = 'Bash', input = { command: 'touch made' }, suggestions = [], fields = {} } = asked;
    const { expiresAfterMs, fence } = asked;
    const controller = new AbortController();
    const request = { tool_name: tool, input, tool_use_id: 'toolu_1', permission_suggestions: suggestions, ...fields };
    const kind = kinds[tool] ?? 'call';
    const createdAt = this.clock.now();
    const pending = {
      id: 'request-1',
      kind,
      tool,
      input,
      suggestions,
      createdAt,
      expiresAt: expiresAfterMs === undefined ? undefined : createdAt + expiresAfterMs,
      request,
      signal: controller.signal,
    } as object as PermissionAsk; // whatever a test makes
    return {
      answer: Promise.resolve(this.approvals.for(session, fence)(pending)) as Promise<Decision | null>, // of a call
      end: (how) => controller.abort(new AbortError('It ended.', { cause: how })),
    };
  }

  /** Lets time pass, with everything that is due meanwhile. */
  async pass(...delays: readonly number[]): Promise<void> {
    for (const ms of delays) {
      await microtasks();
      this.clock.advance(ms);
    }
    await microtasks();
  }

  /** Resolves with the record, once the store has it. */
  async opened(count = 1): Promise<ApprovalRecord> {
    for (;;) {
      const opened = this.events.filter(({ type }) => type === 'opened');
      const record = opened[count - 1]?.record;
      if (record !== undefined) return record;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Resolves with the record, once the store has settled it. */
  async settled(): Promise<ApprovalRecord> {
    for (;;) {
      const event = this.events.find(({ type }) => type === 'settled');
      if (event !== undefined) return event.record;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
