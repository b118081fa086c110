/* Sessions that an engine drives in steps: a step ends when the agent asks a person, or when the message is finished. */
import { createSessionHost, type HostedSessionOptions } from '@hexagent/chat';
import { allow, deny, type AskHandler } from '@hexagent/sdk';

/** The uuid is the caller's: a message that is sent again is run once. */
export interface Message {
  readonly uuid: string;
  readonly text: string;
}

/** A call of a tool that a person decides. */
export interface Question {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

export interface Answer {
  readonly isAllowed: boolean;
  readonly reason?: string | undefined;
}

/** `text` is missing where the worker died between the end of the turn and the engine's next call: then it is in the transcript alone. */
export interface End {
  readonly kind: 'completed' | 'failed' | 'interrupted' | 'cancelled';
  readonly text?: string | undefined;
}

export type Step = { readonly asks: Question } | { readonly end: End };

interface OpenQuestion {
  readonly session: string;
  readonly question: Question;
  readonly answer: (answer: Answer) => void;
}

export interface DrivenSessionsOptions {
  readonly folder: string;
  readonly session?: HostedSessionOptions | undefined;
}

/** Each call may be made again after any crash of either side: nothing is done twice. */
export class DrivenSessions {
  readonly host: ReturnType<typeof createSessionHost>;
  /** In the order in which the agents asked. */
  readonly #open = new Map<string, OpenQuestion>();
  readonly #asked = new EventTarget();
  /** For an engine that calls again where this process lives: the host does not keep what a turn said. The last thousand. */
  readonly #ends = new Map<string, Step>();

  constructor({ folder, session = {} }: DrivenSessionsOptions) {
    this.host = createSessionHost({
      folder,
      // The engine calls again by itself: no person is there to continue with what was cut off.
      autoResume: 'continue',
      session: ({ id }) => ({ ...session, permissions: { ...session.permissions }, onAsk: this.#onAsk(id) }),
    });
  }

  /** Sends a message unless it was sent, and resolves with what comes next. */
  async step(session: string, { uuid, text }: Message): Promise<Step> {
    await this.host.create(session);
    const { done } = await this.host.send(session, { uuid, content: text });
    const left = new AbortController();
    try {
      const ended = done.then((end) => this.#ends.get(uuid) ?? this.#keep(uuid, toStep(end)));
      return await Promise.race([ended, this.#question(session, left.signal)]);
    } finally {
      left.abort();
    }
  }

  /** `false` where the question is not open any more, as when the agent that asked was killed. The agent that continues asks anew. */
  answer(id: string, answer: Answer): boolean {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.answer(answer);
    return open !== undefined;
  }

  #keep(uuid: string, step: Step): Step {
    this.#ends.set(uuid, step);
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > 1000 && oldest !== undefined) this.#ends.delete(oldest);
    return step;
  }

  #onAsk(session: string): AskHandler {
    return ({ tool, input, signal }) =>
      new Promise((resolve) => {
        if (tool === undefined) return resolve(deny('Only calls of tools are asked about here.'));
        // An id of its own: agents may give the same one twice.
        const id = crypto.randomUUID();
        signal.addEventListener('abort', () => this.#open.delete(id), { once: true });
        const answer = ({ isAllowed, reason = 'The person said no.' }: Answer): void =>
          resolve(isAllowed ? allow() : deny(reason));
        this.#open.set(id, { session, question: { id, tool, input }, answer });
        this.#asked.dispatchEvent(new Event('asked'));
      });
  }

  #question(session: string, signal: AbortSignal): Promise<Step> {
    return new Promise((resolve) => {
      const look = (): void => {
        const open = this.#open.values().find((each) => each.session === session);
        if (open !== undefined) resolve({ asks: open.question });
      };
      this.#asked.addEventListener('asked', look, { signal });
      look();
    });
  }
}

type MessageEnd = Awaited<Awaited<ReturnType<DrivenSessions['host']['send']>>['done']>;

function toStep(end: MessageEnd): Step {
  if (end.state === 'cancelled') return { end: { kind: 'cancelled' } };
  const { outcome } = end;
  if (outcome === undefined) return { end: { kind: 'completed' } };
  return { end: outcome.kind === 'cancelled' ? { kind: 'cancelled' } : { kind: outcome.kind, text: outcome.text } };
}
