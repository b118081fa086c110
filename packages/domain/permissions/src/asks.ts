import { notify } from '@hexagent/async';
import { checkedAnswer, errorText, isRecord, kindOf, plainAnswer } from '@hexagent/checks';
import {
  nobodyDecidedWithin,
  type AnswerReceipt,
  type Ask,
  type AskAnswer,
  type AskEnd,
  type Asker,
  type AskHandler,
  type Clock,
  type Decision,
  type DialogAnswer,
  type ElicitationAnswer,
  type FeatureControl,
  type InteractionContext,
  type PendingRequests,
  type PermissionAnswer,
  type PermissionAsk,
  type PermissionRequest,
  type SessionFeature,
} from '@hexagent/ports';
import { deny } from './answers.ts';
import { findAsksAgain, type SessionEnvironment } from './asked-again.ts';
import { OpenAsk, receiptOf, type CallFields, type OpenAskParts } from './open-ask.ts';
import { RememberedRules } from './remembered-rules.ts';
import { withRememberedRules } from './remembering.ts';

export interface AsksOptions {
  /** Answers, or leaves open to be answered by id. Without it every call is denied, and nothing else is asked. */
  readonly onAsk?: AskHandler | undefined;
  /** The kinds of dialogs that the agent may show. */
  readonly dialogKinds?: readonly string[] | undefined;
  /** After how many milliseconds what is open is denied or cancelled. Default: never. */
  readonly expiresAfterMs?: number | undefined;
  /** Whether anything can answer by id. Where nothing can, `null` is a denial. Default: `true`. */
  readonly isAnswerable?: boolean | undefined;
  readonly clock: Clock;
  /** The folder of the agent and the settings files of the session, on which the effect of a suggestion depends. */
  readonly environment: SessionEnvironment;
}

type Asked = Pick<OpenAskParts, 'kind' | 'request' | 'call'>;

/** Settled requests that are kept, so that a late answer gets the reason why it had no effect. */
const mostSettled = 2000;

/**
 * The requests of one session's agent to people, in one table. The program's handler is called, and a request that it leaves
 * open waits for an answer by its id. The first answer settles it.
 */
export class Asks implements PendingRequests {
  readonly #options: AsksOptions;
  readonly #remembered: RememberedRules;
  readonly #open = new Map<string, OpenAsk>();
  /** The asks that were reported to others. */
  readonly #shown = new Set<OpenAsk>();
  readonly #settled = new Map<string, AskEnd>();
  readonly #listeners = new Set<() => void>();
  #control: FeatureControl | undefined;

  constructor(options: AsksOptions) {
    this.#options = options;
    this.#remembered = new RememberedRules(options.clock, options.environment);
  }

  /** Whether anyone can be asked. */
  get hasAnyone(): boolean {
    return this.#options.onAsk !== undefined;
  }

  /** Answers MCP servers and dialogs, and adds what is asked to the events. The calls come through a gate, which has `ask`. */
  get feature(): SessionFeature {
    const { onAsk, dialogKinds } = this.#options;
    return {
      name: 'asks',
      launch: dialogKinds && { supportedDialogKinds: dialogKinds },
      handlers: onAsk && {
        elicitation: (request, context) => this.#begin({ kind: 'elicitation', request }, context, onAsk),
        request_user_dialog: (request, context) => this.#begin({ kind: 'dialog', request }, context, onAsk),
      },
      attach: (control) => this.#attach(control),
    };
  }

  list(): readonly Ask[] {
    return [...this.#open.values()].map(({ asAsk }) => asAsk);
  }

  get(id: string): Ask | undefined {
    return this.#open.get(id)?.asAsk;
  }

  answer(id: string, given: AskAnswer): AnswerReceipt {
    const ask = this.#open.get(id);
    if (ask === undefined) {
      if (!isRecord(given)) throw new TypeError(`A pending request is answered by an object, not by ${kindOf(given)}.`);
      const how = this.#settled.get(id);
      return how === undefined ? 'unknown' : receiptOf(how);
    }
    this.#conclude(checkedAnswer(given, ask.asAsk), ask);
    return 'accepted';
  }

  onChange(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Called by a gate for a call that its rules leave open. Rejects when the handler does: then the call is denied. */
  readonly ask: Asker = (request, context) => {
    const { onAsk, environment } = this.#options;
    const asked = callOf(request);
    if (onAsk === undefined) return deny(noHandlerMessage(asked));
    const asksAgain = findAsksAgain(request, environment);
    return this.#begin({ kind: asked.kind, request, call: { ...asked.call, asksAgain } }, context, onAsk);
  };

  #attach(control: FeatureControl): void {
    this.#control = control;
    this.#remembered.attach(control);
  }

  /** The answer fits the kind of the request: it was checked to. */
  #begin<Answer>(asked: Asked, context: InteractionContext, onAsk: AskHandler): Promise<Answer | null> {
    const { clock, expiresAfterMs } = this.#options;
    const { requestId: id } = context;
    const createdAt = clock.now();
    const expiresAt = expiresAfterMs === undefined ? undefined : createdAt + expiresAfterMs;
    const settled = (ended: OpenAsk, how: AskEnd): void => this.#close(ended, how);
    const ask = new OpenAsk({ ...asked, id, context, createdAt, expiresAt, settled });
    this.#open.set(id, ask);
    this.#run(onAsk, ask);
    // A request that a handler decided at once is not reported.
    if (ask.isOpen) this.#wait(ask);
    return ask.answer as Promise<Answer | null>;
  }

  #run(onAsk: AskHandler, ask: OpenAsk): void {
    try {
      const answer: unknown = onAsk(ask.asAsk);
      const isRead = (typeof answer !== 'object' && typeof answer !== 'function') || answer === null;
      if (isRead || !('then' in answer)) this.#answered(ask, answer);
      else
        Promise.resolve(answer).then(
          (given: unknown) => this.#answered(ask, given),
          (error: unknown) => ask.fail(error),
        );
    } catch (error) {
      ask.fail(error);
    }
  }

  /** Never throws. `null` leaves it open; what does not fit the kind of the request fails it, which denies. */
  #answered(ask: OpenAsk, given: unknown): void {
    try {
      if (given === null) this.#refuseUnanswerable();
      else this.#conclude(readAnswer(given, ask.asAsk), ask);
    } catch (error) {
      ask.fail(error);
    }
  }

  #refuseUnanswerable(): void {
    if (this.#options.isAnswerable !== false) return;
    throw new TypeError(
      '`onAsk` returned null, and nothing else can answer here. Decide, or use openSession(), whose `pending` takes answers.',
    );
  }

  #conclude(answer: unknown, ask: OpenAsk): void {
    const remember = ask.tool !== undefined && isRecord(answer) ? answer['remember'] : undefined;
    if (remember === undefined) return void ask.settle('answered', answer);
    const [decision, request] = [answer as Decision, ask.request as PermissionRequest]; // of a call
    const isTaken = ask.settle('answered', withRememberedRules(decision, request, this.#options.environment));
    if (isTaken && decision.behavior === 'allow' && decision.remember !== undefined)
      this.#remembered.check(decision.remember, request);
  }

  #wait(ask: OpenAsk): void {
    const { clock, expiresAfterMs: ms } = this.#options;
    this.#shown.add(ask);
    this.#control?.append?.({ kind: 'ask_opened', ask: ask.asAsk });
    this.#notifyListeners();
    ask.watch();
    if (ms !== undefined && ask.isOpen)
      ask.releaseWhenSettled(clock.after(ms, () => ask.settle('expired', expiredAnswer(ask.asAsk, ms))));
  }

  #close(ask: OpenAsk, how: AskEnd): void {
    const { id } = ask;
    // The agent may have withdrawn it, and asked again under the same id.
    if (this.#open.get(id) === ask) this.#open.delete(id);
    this.#settled.set(id, how);
    const [oldest] = this.#settled.keys();
    if (this.#settled.size > mostSettled && oldest !== undefined) this.#settled.delete(oldest);
    if (!this.#shown.delete(ask)) return;
    this.#control?.append?.({ kind: 'ask_settled', id, how });
    this.#notifyListeners();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) notify(listener, (error) => this.#warnOfListener(error));
  }

  #warnOfListener(cause: unknown): void {
    this.#control?.warn({
      code: 'HEXAGENT_CALLBACK_FAILED',
      source: 'listener of the pending requests',
      message: `A listener of the pending requests failed: ${errorText(cause)}`,
      cause,
    });
  }
}

/** The protocol judges the answer to a call, and denies what it cannot use, with what fits: the drop-in's callback is judged alike. */
function readAnswer(given: unknown, ask: Ask): unknown {
  if (ask.kind !== 'call') return checkedAnswer(given, ask);
  return isRecord(given) ? plainAnswer(given) : given;
}

/** A call as the program's handler gets it. The agent checks the input of its own tools before it asks. */
function callOf({ tool_name: tool, input, permission_suggestions: suggestions = [] }: PermissionRequest): {
  readonly kind: PermissionAsk['kind'];
  readonly call: Omit<CallFields, 'asksAgain'>;
} {
  const call = { tool, input, suggestions };
  if (tool === 'AskUserQuestion') return { kind: 'question', call: { ...call, questions: input['questions'] } };
  if (tool !== 'ExitPlanMode') return { kind: 'call', call };
  const { plan } = input;
  return { kind: 'plan', call: { ...call, plan: typeof plan === 'string' ? plan : '' } };
}

function expiredAnswer(ask: Ask, ms: number): PermissionAnswer | ElicitationAnswer | DialogAnswer {
  if (ask.kind === 'elicitation') return { action: 'cancel' };
  return ask.kind === 'dialog' ? { behavior: 'cancelled' } : deny(nobodyDecidedWithin(ms, ask));
}

/** The message of a denial where no callback can decide. */
function noHandlerMessage({ kind, call }: ReturnType<typeof callOf>): string {
  if (kind === 'call') return `No rule allows ${call.tool}, and there is nobody to ask.`;
  return kind === 'question'
    ? 'There is nobody here to answer questions. Decide yourself, and say what you assumed.'
    : 'There is nobody here to approve a plan. Give the plan as your answer, and change nothing.';
}
