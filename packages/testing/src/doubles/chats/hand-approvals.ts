import type { ChatAnswer, ChatSettlement } from '@hexagent/ports';

/** What a test lets the agent of a chat ask. */
export interface HandRequest {
  /** Default: `permission`. */
  readonly kind?: 'permission' | 'question' | 'plan' | undefined;
  /** How many changes are suggested. Default: none. */
  readonly suggestions?: number | undefined;
  /** Default: one that no other has. */
  readonly id?: string | undefined;
}

export interface AskedByHand {
  readonly id: string;
  /** Resolves with the answer that counts; stays pending when the request is withdrawn. */
  readonly answer: Promise<ChatAnswer>;
}

interface Approval {
  readonly kind: NonNullable<HandRequest['kind']>;
  readonly suggestions: number;
  readonly resolve: (answer: ChatAnswer) => void;
  state: 'open' | 'answered' | 'cancelled';
}

/** What waits for a person in one chat. */
export class HandApprovals {
  readonly #approvals = new Map<string, Approval>();

  get isWaiting(): boolean {
    return [...this.#approvals.values()].some(({ state }) => state === 'open');
  }

  ask({ kind = 'permission', suggestions = 0, id = crypto.randomUUID() }: HandRequest): AskedByHand {
    const answer = new Promise<ChatAnswer>((resolve) => {
      this.#approvals.set(id, { kind, suggestions, resolve, state: 'open' });
    });
    return { id, answer };
  }

  settle(id: string, answer: ChatAnswer): ChatSettlement {
    const approval = this.#approvals.get(id);
    if (approval === undefined) return { kind: 'unknown' };
    const reason = refusalOf(answer, approval);
    if (reason !== undefined) return { kind: 'refused', reason };
    if (approval.state !== 'open') return { kind: 'already', state: approval.state };
    approval.state = 'answered';
    approval.resolve(answer);
    return { kind: 'settled' };
  }

  withdrawAll(): void {
    for (const approval of this.#approvals.values()) if (approval.state === 'open') approval.state = 'cancelled';
  }
}

function refusalOf(
  { approved, suggestions = [], answers, plan }: ChatAnswer,
  { kind, suggestions: offered }: Approval,
): string | undefined {
  if (answers !== undefined && kind !== 'question') return 'Only a question has `answers`.';
  if (plan !== undefined && kind !== 'plan') return 'Only a plan has a `plan`.';
  if (approved && kind === 'question' && answers === undefined) return 'A question is approved with `answers`.';
  if (suggestions.some((position) => position >= offered)) return `There are ${offered} suggestions, counted from 0.`;
  return undefined;
}
