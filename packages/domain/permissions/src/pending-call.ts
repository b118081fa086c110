import { Deferred, onAbort } from '@hexagent/async';
import {
  AbortError,
  SdkError,
  type AnyToolInput,
  type PendingKind,
  type PendingRequest,
  type PermissionAnswer,
  type PermissionContext,
  type PermissionRequest,
  type PermissionUpdate,
  type SuggestionNote,
  type ToolRequest,
} from '@hexagent/ports';

export type Settled = 'already_answered' | 'withdrawn' | 'expired' | 'agent_exited' | 'suspended';

type Outcome = { readonly answer: PermissionAnswer | null } | { readonly error: unknown };

const reasons: Readonly<Record<Settled, string>> = {
  already_answered: 'The request was answered.',
  withdrawn: 'The agent withdrew its request.',
  expired: 'Nobody answered in time.',
  agent_exited: 'The agent has exited.',
  suspended: 'The session was suspended.',
};

const reasonOf = (how: Settled): AbortError => new AbortError(reasons[how], { cause: how });

export interface PendingCallParts {
  readonly request: PermissionRequest;
  readonly context: PermissionContext;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly asksAgain: readonly SuggestionNote[];
  /** Called once, with how it was settled. */
  readonly settled: (pending: PendingCall, how: Settled) => void;
}

const kinds: ReadonlyMap<string, PendingKind> = new Map([
  ['AskUserQuestion', 'question'],
  ['ExitPlanMode', 'plan'],
]);

/** A call while it waits for an answer. Whatever answers first settles it. */
export class PendingCall implements PendingRequest {
  readonly id: string;
  readonly kind: PendingKind;
  readonly tool: string;
  readonly input: AnyToolInput;
  readonly suggestions: readonly PermissionUpdate[];
  readonly asksAgain: readonly SuggestionNote[];
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly request: ToolRequest;
  readonly #parts: PendingCallParts;
  #outcome: Outcome | undefined;
  #waiting: Deferred<PermissionAnswer | null> | undefined;
  #how: Settled | undefined;
  #controller: AbortController | undefined;
  #unwatch: (() => void) | undefined;
  #release: (() => void) | undefined;

  constructor(parts: PendingCallParts) {
    const { request, context, createdAt, expiresAt, asksAgain } = parts;
    this.#parts = parts;
    this.id = context.requestId;
    this.kind = kinds.get(request.tool_name) ?? 'call';
    this.tool = request.tool_name;
    this.input = request.input;
    this.suggestions = request.permission_suggestions ?? [];
    this.asksAgain = asksAgain;
    this.createdAt = createdAt;
    this.expiresAt = expiresAt;
    // The agent checks the input of its own tools before it asks.
    this.request = request as ToolRequest;
  }

  /**
   * What settles it, at once if it was settled: most handlers decide without waiting, and then no promise is made.
   * @throws what the handler has thrown.
   */
  get answer(): Promise<PermissionAnswer | null> | PermissionAnswer | null {
    const outcome = this.#outcome;
    if (outcome === undefined) return (this.#waiting ??= new Deferred<PermissionAnswer | null>()).promise;
    if ('error' in outcome) throw outcome.error;
    return outcome.answer;
  }

  /** Created when it is first read: a signal costs more than all the rest of a permission. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#how !== undefined) this.#controller.abort(reasonOf(this.#how));
      else this.watch();
    }
    return this.#controller.signal;
  }

  /** Follows the agent's own signal from now on. Until then a withdrawal shows when it is asked for. */
  watch(): void {
    if (this.#how === undefined)
      this.#unwatch ??= onAbort(this.#parts.context.signal, (reason) => this.settle(endedBy(reason), null));
  }

  get isOpen(): boolean {
    const { signal } = this.#parts.context;
    if (this.#how === undefined && signal.aborted) this.settle(endedBy(signal.reason), null);
    return this.#how === undefined;
  }

  /** Calls back once, when it is settled; at once, when it already is. */
  onSettled(release: () => void): void {
    if (this.#how === undefined) this.#release = release;
    else release();
  }

  /** Whether this settled it. */
  settle(how: Settled, answer: PermissionAnswer | null): boolean {
    return this.#end(how, { answer });
  }

  fail(error: unknown): void {
    this.#end('already_answered', { error });
  }

  #end(how: Settled, outcome: Outcome): boolean {
    if (this.#how !== undefined) return false;
    this.#how = how;
    this.#outcome = outcome;
    if ('error' in outcome) this.#waiting?.reject(outcome.error);
    else this.#waiting?.resolve(outcome.answer);
    this.#unwatch?.();
    this.#release?.();
    this.#parts.settled(this, how);
    this.#controller?.abort(reasonOf(how));
    return true;
  }
}

/** Why the agent does not wait any more, from the reason of its signal. */
function endedBy(reason: unknown): Settled {
  if (!SdkError.is(reason)) return 'withdrawn';
  if (reason.code === 'SESSION_SUSPENDED') return 'suspended';
  return reason.code === 'AGENT_EXITED' ? 'agent_exited' : 'withdrawn';
}
