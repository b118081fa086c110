import { Deferred, onAbort } from '@hexagent/async';
import {
  AbortError,
  SdkError,
  type AnswerReceipt,
  type AnyToolInput,
  type Ask,
  type AskEnd,
  type HostContext,
  type PermissionUpdate,
  type SuggestionNote,
} from '@hexagent/ports';

const reasons: Readonly<Record<AskEnd, string>> = {
  answered: 'The request was answered.',
  withdrawn: 'The agent withdrew its request.',
  expired: 'Nobody answered in time.',
  agent_exited: 'The agent has exited.',
  suspended: 'The session was suspended.',
};

/** The receipt of a late answer, and the `cause` of the signal. */
export const receiptOf = (how: AskEnd): AnswerReceipt => (how === 'answered' ? 'already_answered' : how);

const reasonOf = (how: AskEnd): AbortError => new AbortError(reasons[how], { cause: receiptOf(how) });

/** Fields that only calls of tools have. */
export interface CallFields {
  readonly tool: string;
  readonly input: AnyToolInput;
  readonly suggestions: readonly PermissionUpdate[];
  readonly asksAgain: readonly SuggestionNote[];
  readonly questions?: unknown;
  readonly plan?: string | undefined;
}

export interface OpenAskParts extends Pick<Ask, 'id' | 'kind' | 'request' | 'createdAt' | 'expiresAt'> {
  readonly call?: CallFields | undefined;
  /** The id of the agent's request. */
  readonly context: Pick<HostContext, 'signal'>;
  /** Called once, with how it was settled. */
  readonly settled: (ask: OpenAsk, how: AskEnd) => void;
}

/** A request to a person, while it waits for an answer. The first answer settles it. */
export class OpenAsk {
  readonly id: string;
  readonly kind: Ask['kind'];
  readonly tool: string | undefined;
  readonly input: AnyToolInput | undefined;
  readonly suggestions: readonly PermissionUpdate[] | undefined;
  readonly asksAgain: readonly SuggestionNote[] | undefined;
  readonly questions: unknown;
  readonly plan: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly request: Ask['request'];
  readonly #parts: OpenAskParts;
  readonly #answer = new Deferred<unknown>();
  #how: AskEnd | undefined;
  readonly #controller = new AbortController();
  readonly #release: (() => void)[] = [];

  constructor(parts: OpenAskParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.kind = parts.kind;
    this.tool = parts.call?.tool;
    this.input = parts.call?.input;
    this.suggestions = parts.call?.suggestions;
    this.asksAgain = parts.call?.asksAgain;
    this.questions = parts.call?.questions;
    this.plan = parts.call?.plan;
    this.createdAt = parts.createdAt;
    this.expiresAt = parts.expiresAt;
    this.request = parts.request;
  }

  /** The same object as an `Ask`. Fields of other kinds are undefined. */
  get asAsk(): Ask {
    return this as object as Ask;
  }

  /** Rejects with what the handler throws. */
  get answer(): Promise<unknown> {
    return this.#answer.promise;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOpen(): boolean {
    return this.#how === undefined;
  }

  /** Follows the agent from now on, which may withdraw it. */
  watch(): void {
    const { signal } = this.#parts.context;
    this.releaseWhenSettled(onAbort(signal, (reason) => this.settle(endedBy(reason), null)));
  }

  /** Calls back once, when it is settled; at once, when it already is. */
  releaseWhenSettled(release: () => void): void {
    if (this.isOpen) this.#release.push(release);
    else release();
  }

  /** Whether this settled it. */
  settle(how: AskEnd, answer: unknown): boolean {
    if (this.#how !== undefined) return false;
    this.#answer.resolve(answer);
    this.#end(how);
    return true;
  }

  fail(error: unknown): void {
    if (this.#how !== undefined) return;
    this.#answer.reject(error);
    this.#end('answered');
  }

  #end(how: AskEnd): void {
    this.#how = how;
    for (const release of this.#release) release();
    this.#parts.settled(this, how);
    this.#controller.abort(reasonOf(how));
  }
}

/** Why the agent does not wait any more, from the reason of its signal. */
function endedBy(reason: unknown): AskEnd {
  if (!SdkError.is(reason)) return 'withdrawn';
  if (reason.code === 'SESSION_SUSPENDED' || reason.code === 'LEASE_LOST') return 'suspended';
  return reason.code === 'AGENT_EXITED' ? 'agent_exited' : 'withdrawn';
}
