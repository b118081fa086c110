import { errorText } from '@hexagent/checks';
import type { ControlRequest, Frame, ObservedEvent, ObservedFact, Observer, WarningListener } from '@hexagent/ports';
import { notify } from '@hexagent/async';

/** Reports to the observer and to the listener for warnings. Both may be absent, and both may fail without an effect on the wire. */
export class SafeObserver {
  readonly #observer: Observer | undefined;
  readonly #warn: WarningListener | undefined;
  readonly #conversation: string;
  /** Whether there is an observer. Without one, no event is made for a line. */
  readonly active: boolean;

  constructor(observer: Observer | undefined, warn: WarningListener | undefined, conversation: string) {
    this.#observer = observer;
    this.#warn = warn;
    this.#conversation = conversation;
    this.active = observer !== undefined;
  }

  report(fact: ObservedFact): void {
    this.#pass({ ...fact, conversation: this.#conversation });
  }

  /** A line arrived. There are so many of them that the event is made at once, and not as a copy of a fact. */
  received(frame: Frame, bytes: number): void {
    this.#pass({ kind: 'received', frame, bytes, conversation: this.#conversation });
  }

  #pass(event: ObservedEvent): void {
    notify(
      () => this.#observer?.observe(event),
      (error) => this.#warnOf('observer', `The observer failed: ${errorText(error)}`, error),
    );
  }

  /** Reports that a callback of the program failed, and that the agent received an error. `cause` is what it threw, if it did. */
  callbackFailed(request: ControlRequest, error: unknown, cause?: unknown): void {
    this.report({ kind: 'callback_failed', subtype: request.subtype, error });
    const source = sourceOf(request);
    this.#warnOf(source, `The ${source} failed, and the agent got the error: ${errorText(error)}`, cause);
  }

  /** Reports that a part of the SDK failed that the protocol called. */
  hostFailed(subtype: string, error: unknown): void {
    this.report({ kind: 'callback_failed', subtype, error });
    this.#warnOf(subtype, `Receiving \`${subtype}\` failed: ${errorText(error)}`, error);
  }

  #warnOf(source: string, message: string, cause: unknown): void {
    notify(() => this.#warn?.({ code: 'HEXAGENT_CALLBACK_FAILED', source, message, cause }));
  }
}

const sources: Readonly<Record<string, (request: ControlRequest) => string>> = {
  can_use_tool: () => 'permission callback',
  hook_callback: ({ input }) => `hook for ${nameIn(input, 'hook_event_name')}`,
  mcp_message: (request) => `in-process MCP server ${nameIn(request, 'server_name')}`,
  elicitation: () => 'elicitation callback',
  request_user_dialog: () => 'dialog callback',
};

const sourceOf = (request: ControlRequest): string => sources[request.subtype]?.(request) ?? request.subtype;

/** A name for a sentence. Of the request, only the subtype was checked. */
function nameIn(fields: unknown, name: string): string {
  const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined;
  return typeof value === 'string' ? value : 'an unknown name';
}
