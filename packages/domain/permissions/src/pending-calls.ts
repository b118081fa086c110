import { notify } from '@hexagent/async';
import { checkedDecision, errorText, isRecord, kindOf, plainAnswer } from '@hexagent/checks';
import {
  nobodyDecidedWithin,
  type AnswerReceipt,
  type Approver,
  type Asker,
  type Clock,
  type Decision,
  type FeatureControl,
  type PendingKind,
  type PendingRequest,
  type PendingRequests,
  type PermissionAnswer,
  type PlanHandler,
  type QuestionHandler,
  type ToolInputs,
} from '@hexagent/ports';
import { deny } from './answers.ts';
import { findAsksAgain, type Surroundings } from './asked-again.ts';
import { RememberedRules } from './remembered-rules.ts';
import { PendingCall, type PendingCallParts, type Settled } from './pending-call.ts';
import { withRememberedRules } from './remembering.ts';
import { noHandlerMessage } from './denial-messages.ts';

export interface PendingCallsOptions {
  /** Decides about calls, and about questions and plans that have no handler of their own. */
  readonly approver?: Approver | undefined;
  readonly onQuestion?: QuestionHandler | undefined;
  readonly onPlan?: PlanHandler | undefined;
  /** After how many milliseconds an open request is denied. Default: never. */
  readonly expiresAfterMs?: number | undefined;
  /** Whether anything can answer by id. Where nothing can, `null` is a denial. Default: `true`. */
  readonly isAnswerable?: boolean | undefined;
  readonly clock: Clock;
  /** Where the agent works, and which settings files the session reads: on that depends what a suggestion does. */
  readonly surroundings: Surroundings;
}

interface Handler {
  readonly call: (pending: PendingCall) => unknown;
  /** What its answer must be, where that is less than what the agent takes. */
  readonly check?: (answer: unknown) => void;
}

/** The least number of settled requests that are kept, and half of the most, so that a late answer gets the reason why it had no effect. */
const fewestSettled = 1000;

/**
 * The people of a program: brings each call that needs one to the handler for its kind, keeps a list of those that wait,
 * and takes answers by id. Whatever answers first settles a request.
 */
export class PendingCalls implements PendingRequests {
  readonly #options: PendingCallsOptions;
  readonly #handlers: Readonly<Record<PendingKind, Handler | undefined>>;
  readonly #remembered: RememberedRules;
  readonly #open = new Map<string, PendingCall>();
  /** In two generations, since taking the oldest out of a map for each request would cost more than all the rest. */
  #settled = new Map<string, Settled>();
  #settledBefore: ReadonlyMap<string, Settled> = this.#settled;
  readonly #events: Pick<PendingCallParts, 'settled'> = {
    settled: (pending, how) => this.#close(pending, how),
  };
  readonly #listeners = new Set<() => void>();
  #control: FeatureControl | undefined;

  constructor(options: PendingCallsOptions) {
    this.#options = options;
    this.#handlers = handlersOf(options);
    this.#remembered = new RememberedRules(options.clock, options.surroundings);
  }

  /** Whether anyone can be asked at all. */
  get hasAnyone(): boolean {
    const { approver, onQuestion, onPlan } = this.#options;
    return [approver, onQuestion, onPlan].some((handler) => handler !== undefined);
  }

  attach(control: FeatureControl): void {
    this.#control = control;
    this.#remembered.attach(control);
  }

  list(): readonly PendingRequest[] {
    return [...this.#open.values()].filter((pending) => pending.isOpen);
  }

  get(id: string): PendingRequest | undefined {
    const pending = this.#open.get(id);
    return pending?.isOpen === true ? pending : undefined;
  }

  answer(id: string, given: Decision): AnswerReceipt {
    const pending = this.#open.get(id);
    const decision = checkedDecision(given, pending?.request);
    if (pending?.isOpen !== true) return this.#settled.get(id) ?? this.#settledBefore.get(id) ?? 'unknown';
    this.#conclude(decision, pending);
    return 'accepted';
  }

  onChange(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Called by a gate for a call that its rules leave open. Rejects when a handler does: then the call is denied. */
  readonly ask: Asker = (request, context) => {
    const { clock, expiresAfterMs, surroundings } = this.#options;
    const createdAt = clock.now();
    const expiresAt = expiresAfterMs === undefined ? undefined : createdAt + expiresAfterMs;
    const asksAgain = findAsksAgain(request, surroundings);
    const pending = new PendingCall({ request, context, createdAt, expiresAt, asksAgain, ...this.#events });
    const handler = this.#handlers[pending.kind];
    if (handler === undefined) return deny(noHandlerMessage(pending));
    this.#open.set(pending.id, pending);
    if (expiresAfterMs !== undefined) this.#expireLater(pending, expiresAfterMs);
    this.#run(handler, pending);
    // A handler that decided at once has changed nothing that anybody could see.
    if (pending.isOpen) this.#notifyListeners();
    return pending.answer;
  };

  #run(handler: Handler, pending: PendingCall): void {
    try {
      const answer = handler.call(pending);
      const isRead = (typeof answer !== 'object' && typeof answer !== 'function') || answer === null;
      if (isRead || !('then' in answer)) this.#answered(handler, pending, answer);
      else
        Promise.resolve(answer).then(
          (given: unknown) => this.#answered(handler, pending, given),
          (error: unknown) => pending.fail(error),
        );
    } catch (error) {
      pending.fail(error);
    }
  }

  /** Never throws. */
  #answered({ check }: Handler, pending: PendingCall, given: unknown): void {
    try {
      if (given === null) return this.#wait(pending);
      const answer = isRecord(given) ? plainAnswer(given) : undefined;
      check?.(answer ?? given);
      // The protocol judges what it is, and denies what it cannot use.
      if (answer !== undefined) this.#conclude(answer as Decision, pending);
      else pending.settle('already_answered', given as PermissionAnswer);
    } catch (error) {
      pending.fail(error);
    }
  }

  #wait(pending: PendingCall): void {
    if (this.#options.isAnswerable !== false) return pending.watch();
    throw new TypeError(
      'The approver answered null, and nothing else can answer here. Decide, or use openSession(), whose `pending` takes answers.',
    );
  }

  #conclude(decision: Decision, pending: PendingCall): void {
    const answer = withRememberedRules(decision, pending.request, this.#options.surroundings);
    const isTaken = pending.settle('already_answered', answer);
    if (isTaken && decision.behavior === 'allow' && decision.remember !== undefined)
      this.#remembered.check(decision.remember, pending.request);
  }

  #expireLater(pending: PendingCall, ms: number): void {
    pending.watch(); // without it a withdrawn request would keep its timer
    pending.onSettled(
      this.#options.clock.after(ms, () => pending.settle('expired', deny(nobodyDecidedWithin(ms, pending)))),
    );
  }

  #close(pending: PendingCall, how: Settled): void {
    const { id } = pending;
    // The agent may have withdrawn it, and asked again under the same id.
    if (this.#open.get(id) === pending) this.#open.delete(id);
    this.#notifyListeners();
    if (this.#settled.size === fewestSettled) [this.#settledBefore, this.#settled] = [this.#settled, new Map()];
    this.#settled.set(id, how);
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners)
      notify(listener, (error) => this.#warnOfListener('of the pending requests', error));
  }

  #warnOfListener(which: string, cause: unknown): void {
    this.#control?.warn({
      code: 'HEXAGENT_CALLBACK_FAILED',
      source: `listener ${which}`,
      message: `A listener ${which} failed: ${errorText(cause)}`,
      cause,
    });
  }
}

/** Who takes which kind of request. */
function handlersOf({
  approver,
  onQuestion,
  onPlan,
}: PendingCallsOptions): Readonly<Record<PendingKind, Handler | undefined>> {
  const call = approver && { call: (pending: PendingCall) => approver(pending.request, pending) };
  return {
    call,
    question: onQuestion
      ? {
          call: (pending) => onQuestion(pending.input as ToolInputs['AskUserQuestion'], pending), // by its kind
          check: mustBeMadeBy('onQuestion', 'answerQuestions() or declineQuestions()', isQuestionAnswer),
        }
      : call,
    plan: onPlan
      ? {
          call: (pending) => onPlan(pending.input, pending),
          check: mustBeMadeBy('onPlan', 'approvePlan() or revisePlan()', () => true),
        }
      : call,
  };
}

/** Without its answers the model reads that the person did not answer. */
const isQuestionAnswer = ({ updatedInput }: Readonly<Record<string, unknown>>): boolean =>
  isRecord(updatedInput) && isRecord(updatedInput['answers']);

function mustBeMadeBy(
  handler: string,
  helpers: string,
  isApproval: (answer: Readonly<Record<string, unknown>>) => boolean,
): (answer: unknown) => void {
  return (answer) => {
    const behavior = isRecord(answer) ? answer['behavior'] : undefined;
    if (isRecord(answer) && (behavior === 'deny' || (behavior === 'allow' && isApproval(answer)))) return;
    throw new TypeError(`${handler} must return what ${helpers} makes, not ${kindOf(answer)}.`);
  };
}
