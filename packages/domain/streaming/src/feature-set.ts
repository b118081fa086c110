import {
  mayBeAsked,
  type AgentMessage,
  type FeatureControl,
  type InitializeFields,
  type InitializeResult,
  type RequestHandlers,
  type SessionFeature,
  type TurnFailure,
  type UntypedHandlers,
} from '@hexagent/ports';
import { attempt, notify } from '@hexagent/async';
import { errorText } from '@hexagent/checks';
import { failedToReceive } from './listened-host.ts';

type Fields = Readonly<Record<string, unknown>>;
type Amendment = (answer: Fields) => Fields;

/** The features of one conversation, as one. */
export class FeatureSet {
  readonly #features: readonly SessionFeature[];
  readonly handlers: RequestHandlers;
  readonly untypedHandlers: UntypedHandlers;
  readonly #initialize: InitializeFields;
  readonly #amendments: ReadonlyMap<string, Amendment>;
  readonly #noting: readonly SessionFeature[];
  #control: FeatureControl | undefined;
  #areToolsListed = false;
  #closed: Promise<unknown> | undefined;

  /** @throws {TypeError} where two features answer or set up the same: one of them would be lost silently. */
  constructor(features: readonly SessionFeature[]) {
    this.#features = features;
    this.#noting = features.filter(({ note }) => note !== undefined);
    this.handlers = join(features, 'answer', ({ handlers }) => handlers);
    this.untypedHandlers = join(features, 'answer', ({ untypedHandlers }) => untypedHandlers);
    this.#initialize = join(features, 'set', ({ initialize }) => initialize);
    // A key names the request whose answer its amendment changes.
    const amendments: object = join(features, 'amend', ({ amend }) => amend);
    this.#amendments = new Map<string, Amendment>(Object.entries(amendments));
  }

  /** Whether the agent may ask anything of us now. */
  get answersAny(): boolean {
    return mayBeAsked(this.#features);
  }

  /** Whether `initialize` must succeed, since it sets features up. */
  get mustBeTaken(): boolean {
    return Object.keys(this.#initialize).length > 0 || this.checkInitialize !== undefined;
  }

  /** Checks that the agent applies what it accepted; `undefined` where no feature requires that. */
  get checkInitialize(): ((answer: InitializeResult) => void) | undefined {
    const checks = this.#features.filter(({ checkInitialize }) => checkInitialize !== undefined);
    if (checks.length === 0) return undefined;
    return (answer) => {
      for (const feature of checks) feature.checkInitialize?.(answer);
    };
  }

  /** Features that receive the messages of the agent. */
  get listeners(): readonly SessionFeature[] {
    return this.#features.filter(({ receive }) => receive !== undefined);
  }

  initialize(fields: InitializeFields): InitializeFields {
    return { ...fields, ...this.#initialize };
  }

  attach(control: FeatureControl): void {
    this.#control = control;
    for (const feature of this.#features) feature.attach?.(control);
  }

  /** Called with each message. */
  receive(message: AgentMessage): void {
    if (message.type === 'stream_event') return;
    for (const feature of this.#noting) this.#call(feature, () => feature.note?.(message));
    if (this.#areToolsListed || message.type !== 'system' || message.subtype !== 'init') return;
    const { tools }: { readonly tools?: unknown } = message; // a message that fails its check is delivered too
    if (!Array.isArray(tools)) return;
    this.#areToolsListed = true;
    const listed = tools.filter((tool: unknown) => typeof tool === 'string');
    for (const feature of this.#features) this.#call(feature, () => feature.toolsListed?.(listed));
  }

  /** Why a message may not be sent now. */
  refusal(): TurnFailure | undefined {
    for (const feature of this.#features) {
      const failure = this.#refusalOf(feature);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  /** What it throws is warned of: the turn is among those that are awaited by now. */
  #refusalOf(feature: SessionFeature): TurnFailure | undefined {
    try {
      return feature.refuse?.();
    } catch (cause) {
      const message = `${feature.name} failed before a message was sent: ${errorText(cause)}`;
      this.#control?.warn({ code: 'HEXAGENT_CALLBACK_FAILED', source: feature.name, message, cause });
      return undefined;
    }
  }

  #call(feature: SessionFeature, call: () => void): void {
    notify(call, (error) => this.#control?.warn(failedToReceive(feature, error)));
  }

  /** The agent's answer to a request, completed. */
  amended(subtype: string, answer: Promise<Fields>): Promise<Fields> {
    const amend = this.#amendments.get(subtype);
    return amend === undefined ? answer : answer.then(amend);
  }

  /** Closes each once. Never rejects. */
  close(): Promise<unknown> {
    this.#closed ??= Promise.allSettled(this.#features.map((feature) => attempt(() => feature.close?.())));
    return this.#closed;
  }
}

/** The fields of all features. What is `undefined` is not there. */
function join<Value extends object>(
  features: readonly SessionFeature[],
  act: string,
  read: (feature: SessionFeature) => Value | undefined,
): Value {
  const owners = new Map<string, string>();
  const joined: Record<string, unknown> = {};
  for (const feature of features) {
    for (const [key, value] of Object.entries(read(feature) ?? {})) {
      if (value === undefined) continue;
      const owner = owners.get(key);
      if (owner !== undefined) throw new TypeError(`Both ${owner} and ${feature.name} ${act} \`${key}\`.`);
      owners.set(key, feature.name);
      joined[key] = value;
    }
  }
  return joined as Value; // each field came from a value of this type
}
