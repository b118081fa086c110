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
}

export interface OpenAskParts extends Pick<Ask, 'id' | 'kind' | 'request' | 'createdAt' | 'expiresAt'> {
  readonly call?: CallFields | undefined;
  /** The id of the agent's request. */
  readonly context: Pick<HostContext, 'signal'>;
  /** Called once, with how it was settled. */
  readonly settled: (ask: OpenAsk, how: AskEnd) => void;
}

type Outcome = { readonly answer: unknown } | { readonly error: unknown };

/** A request to a person, while it waits for an answer. The first answer settles it. */
export class OpenAsk {
  readonly id: string;
  readonly kind: Ask['kind'];
  readonly tool: string | undefined;
  readonly input: AnyToolInput | undefined;
  readonly suggestions: readonly PermissionUpdate[] | undefined;
  readonly asksAgain: readonly SuggestionNote[] | undefined;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly request: Ask['request'];
  readonly #parts: OpenAskParts;
  #outcome: Outcome | undefined;
  #waiting: Deferred<unknown> | undefined;
  #how: AskEnd | undefined;
  #controller: AbortController | undefined;
  readonly #release: (() => void)[] = [];

  constructor(parts: OpenAskParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.kind = parts.kind;
    this.tool = parts.call?.tool;
    this.input = parts.call?.input;
    this.suggestions = parts.call?.suggestions;
    this.asksAgain = parts.call?.asksAgain;
    this.createdAt = parts.createdAt;
    this.expiresAt = parts.expiresAt;
    this.request = parts.request;
  }

  /** As others see it: only calls have a tool, and by its kind it has the request. */
  get asAsk(): Ask {
    return toAsk(this);
  }

  /**
   * What settles it, at once if it was settled: most handlers decide without waiting, and then no promise is made.
   * @throws what the handler has thrown.
   */
  get answer(): unknown {
    const outcome = this.#outcome;
    if (outcome === undefined) return (this.#waiting ??= new Deferred<unknown>()).promise;
    if ('error' in outcome) throw outcome.error;
    return outcome.answer;
  }

  /** Created when it is first read. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#how !== undefined) this.#controller.abort(reasonOf(this.#how));
    }
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
    return this.#end(how, { answer });
  }

  fail(error: unknown): void {
    this.#end('answered', { error });
  }

  #end(how: AskEnd, outcome: Outcome): boolean {
    if (this.#how !== undefined) return false;
    this.#how = how;
    this.#outcome = outcome;
    if ('error' in outcome) this.#waiting?.reject(outcome.error);
    else this.#waiting?.resolve(outcome.answer);
    for (const release of this.#release) release();
    this.#parts.settled(this, how);
    this.#controller?.abort(reasonOf(how));
    return true;
  }
}

/** Why the agent does not wait any more, from the reason of its signal. */
function endedBy(reason: unknown): AskEnd {
  if (!SdkError.is(reason)) return 'withdrawn';
  if (reason.code === 'SESSION_SUSPENDED') return 'suspended';
  return reason.code === 'AGENT_EXITED' ? 'agent_exited' : 'withdrawn';
}

/** Its fields are those of its kind, and the others are undefined. */
const toAsk = (open: object): Ask => open as Ask;
