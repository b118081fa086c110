import { notify } from '@hexagent/async';
import { checkedAnswer, errorText, isRecord, kindOf, plainAnswer } from '@hexagent/checks';
import {
  nobodyDecidedWithin,
  type AnswerReceipt,
  type Approver,
  type Ask,
  type AskAnswer,
  type AskEnd,
  type Asker,
  type Clock,
  type Decision,
  type DialogAnswer,
  type DialogHost,
  type ElicitationAnswer,
  type Elicitor,
  type FeatureControl,
  type InteractionContext,
  type PendingKind,
  type PendingRequest,
  type PendingRequests,
  type PermissionAnswer,
  type PermissionRequest,
  type PlanHandler,
  type QuestionHandler,
  type SessionFeature,
  type ToolInputs,
} from '@hexagent/ports';
import { deny } from './answers.ts';
import { findAsksAgain, type SessionEnvironment } from './asked-again.ts';
import { OpenAsk, receiptOf, type OpenAskParts } from './open-ask.ts';
import { RememberedRules } from './remembered-rules.ts';
import { withRememberedRules } from './remembering.ts';

export interface AsksOptions {
  /** Decides about calls, and about questions and plans without a handler. */
  readonly approver?: Approver | undefined;
  readonly onQuestion?: QuestionHandler | undefined;
  readonly onPlan?: PlanHandler | undefined;
  readonly elicitor?: Elicitor | undefined;
  readonly dialogs?: (DialogHost & { readonly kinds: readonly string[] }) | undefined;
  /** After how many milliseconds what is open is denied or cancelled. Default: never. */
  readonly expiresAfterMs?: number | undefined;
  /** Whether anything can answer by id. Where nothing can, `null` is a denial. Default: `true`. */
  readonly isAnswerable?: boolean | undefined;
  readonly clock: Clock;
  /** The folder of the agent and the settings files of the session, on which the effect of a suggestion depends. */
  readonly environment: SessionEnvironment;
}

interface Handler {
  readonly call: (ask: OpenAsk) => unknown;
  /** Returns the answer as it is sent. Throws for an answer that must not be sent. */
  readonly read: (answer: unknown, ask: OpenAsk) => unknown;
}

type Asked = Pick<OpenAskParts, 'kind' | 'request' | 'call'>;

/** Settled requests that are kept, so that a late answer gets the reason why it had no effect. */
const mostSettled = 2000;

const kinds: ReadonlyMap<string, PendingKind> = new Map([
  ['AskUserQuestion', 'question'],
  ['ExitPlanMode', 'plan'],
]);

/**
 * The requests of one session's agent to people, in one table. A handler of the program is called, and a request that it leaves
 * open waits for an answer by its id. The first answer settles it.
 */
export class Asks implements PendingRequests {
  readonly #options: AsksOptions;
  readonly #handlers: Readonly<Record<PendingKind, Handler | undefined>>;
  readonly #remembered: RememberedRules;
  readonly #open = new Map<string, OpenAsk>();
  /** The asks that were reported to others. */
  readonly #shown = new Set<OpenAsk>();
  readonly #settled = new Map<string, AskEnd>();
  readonly #listeners = new Set<() => void>();
  #control: FeatureControl | undefined;

  constructor(options: AsksOptions) {
    this.#options = options;
    this.#handlers = handlersOf(options);
    this.#remembered = new RememberedRules(options.clock, options.environment);
  }

  /** Whether anyone can be asked about a call. */
  get hasAnyone(): boolean {
    return Object.values(this.#handlers).some((handler) => handler !== undefined);
  }

  /** Whether anyone can be asked about a call of this tool. */
  canAsk(tool: string): boolean {
    return this.#handlers[kinds.get(tool) ?? 'call'] !== undefined;
  }

  /** Answers MCP servers and dialogs, and adds what is asked to the events. The calls come through a gate, which has `ask`. */
  get feature(): SessionFeature {
    const { elicitor, dialogs } = this.#options;
    return {
      name: 'asks',
      launch: dialogs && { supportedDialogKinds: dialogs.kinds },
      handlers: {
        elicitation: elicitor && this.#asked('elicitation', elicitor.elicit.bind(elicitor)),
        request_user_dialog: dialogs && this.#asked('dialog', dialogs.show.bind(dialogs)),
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

  /** Called by a gate for a call that its rules leave open. Rejects when a handler does: then the call is denied. */
  readonly ask: Asker = (request, context) => {
    const { tool_name: tool, input, permission_suggestions: suggestions = [] } = request;
    const kind = kinds.get(tool) ?? 'call';
    const handler = this.#handlers[kind];
    if (handler === undefined) return deny(noHandlerMessage({ kind, tool }));
    const call = { tool, input, suggestions, asksAgain: findAsksAgain(request, this.#options.environment) };
    // The agent checks the input of its own tools before it asks, and the protocol what is answered.
    const asked = { kind, request: request as PendingRequest['request'], call };
    return this.#begin(asked, context, handler) as ReturnType<Asker>;
  };

  #attach(control: FeatureControl): void {
    this.#control = control;
    this.#remembered.attach(control);
  }

  /** Makes the function that answers such requests. The protocol checks the answer of the handler. */
  #asked<Request extends Ask['request'], Answer>(
    kind: Ask['kind'],
    handle: (request: Request, context: InteractionContext) => Promise<Answer | null>,
  ): (request: Request, context: InteractionContext) => Promise<Answer | null> {
    return async (request, context) => {
      const call = (ask: OpenAsk): unknown => handle(request, contextOf(ask));
      return (await this.#begin({ kind, request }, context, { call, read: (answer) => answer })) as Answer | null;
    };
  }

  #begin(asked: Asked, context: InteractionContext, handler: Handler): unknown {
    const { clock, expiresAfterMs } = this.#options;
    const { requestId: id } = context;
    const createdAt = clock.now();
    const expiresAt = expiresAfterMs === undefined ? undefined : createdAt + expiresAfterMs;
    const settled = (ended: OpenAsk, how: AskEnd): void => this.#close(ended, how);
    const ask = new OpenAsk({ ...asked, id, context, createdAt, expiresAt, settled });
    this.#open.set(id, ask);
    this.#run(handler, ask);
    // A request that a handler decided at once is not reported.
    if (ask.isOpen) this.#wait(ask);
    return ask.answer;
  }

  #run(handler: Handler, ask: OpenAsk): void {
    try {
      const answer = handler.call(ask);
      const isRead = (typeof answer !== 'object' && typeof answer !== 'function') || answer === null;
      if (isRead || !('then' in answer)) this.#answered(handler, ask, answer);
      else
        Promise.resolve(answer).then(
          (given: unknown) => this.#answered(handler, ask, given),
          (error: unknown) => ask.fail(error),
        );
    } catch (error) {
      ask.fail(error);
    }
  }

  /** Never throws. `null` leaves it open. */
  #answered({ read }: Handler, ask: OpenAsk, given: unknown): void {
    try {
      if (given === null) this.#refuseUnanswerable();
      else this.#conclude(read(given, ask), ask);
    } catch (error) {
      ask.fail(error);
    }
  }

  #refuseUnanswerable(): void {
    if (this.#options.isAnswerable !== false) return;
    throw new TypeError(
      'The approver answered null, and nothing else can answer here. Decide, or use openSession(), whose `pending` takes answers.',
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

/** The handler of each kind of call. */
function handlersOf({ approver, onQuestion, onPlan }: AsksOptions): Readonly<Record<PendingKind, Handler | undefined>> {
  const checked = (answer: unknown, { asAsk }: OpenAsk): unknown => checkedAnswer(answer, asAsk);
  const asRequest = ({ asAsk }: OpenAsk): PendingRequest => asAsk as PendingRequest; // of a call
  const call = approver && {
    call: (ask: OpenAsk): unknown => approver(asRequest(ask).request, asRequest(ask)),
    // The protocol checks the rest, and denies what it cannot use.
    read: (answer: unknown): unknown => (isRecord(answer) ? plainAnswer(answer) : answer),
  };
  return {
    call,
    question: onQuestion
      ? {
          call: (ask) => onQuestion(ask.input as ToolInputs['AskUserQuestion'], asRequest(ask)), // by its kind
          read: checked,
        }
      : call,
    plan: onPlan ? { call: (ask) => onPlan(asRequest(ask).input, asRequest(ask)), read: checked } : call,
  };
}

/** The context for a handler. Its signal also aborts when the ask is answered by its id or expires. */
function contextOf(ask: OpenAsk): InteractionContext {
  return { requestId: ask.id, signal: ask.signal };
}

function expiredAnswer(ask: Ask, ms: number): PermissionAnswer | ElicitationAnswer | DialogAnswer {
  if (ask.kind === 'elicitation') return { action: 'cancel' };
  return ask.kind === 'dialog' ? { behavior: 'cancelled' } : deny(nobodyDecidedWithin(ms, ask));
}

/** The message of a denial where no callback can decide. */
function noHandlerMessage({ kind, tool }: Pick<PendingRequest, 'kind' | 'tool'>): string {
  if (kind === 'call') return `No rule allows ${tool}, and there is nobody to ask.`;
  return kind === 'question'
    ? 'There is nobody here to answer questions. Decide yourself, and say what you assumed.'
    : 'There is nobody here to approve a plan. Give the plan as your answer, and change nothing.';
}
