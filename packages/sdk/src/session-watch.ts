import type { Clock, Conversation, WarningListener } from '@hexagent/ports';
import type { Session } from './session.ts';

/** How long a session may be idle. */
const idleMs = 10_000;
/** How often sessions are checked. */
const pollMs = 2000;

/** All that are open in this process, of every SDK: only together they explain why it does not exit. */
const open = new Set<WatchedSession>();

/** The members by which a program waits for something of the agent. */
interface Awaitable extends Pick<Session, 'exited' | 'turns' | 'messages'> {
  send(...input: Parameters<Session['send']>): unknown;
}

export interface SessionWatch {
  readonly conversation: Pick<Conversation, 'isIdle'>;
  readonly clock: Clock;
  readonly warn: WarningListener;
  /** The place in the program that opened it. */
  readonly openedAt: string | undefined;
  /** Whether so many agents are all that keeps this process running. */
  readonly keptByAgents: (count: number) => boolean;
}

/**
 * Warns of a forgotten `close()`: a session has been idle for ten seconds, and only such sessions keep the process running. A
 * program that waits for something of the agent, such as an unsolicited turn or its exit, keeps the session open on purpose.
 */
export function watchSession<T extends Awaitable>(session: T, watch: SessionWatch): T {
  const watched = new WatchedSession(watch);
  const { turns, messages, exited, send } = session;
  void exited.then(() => watched.stop());
  const awaiting = <T>(read: () => T): T => {
    watched.isAwaited = true;
    return read();
  };
  return Object.defineProperties(session, {
    exited: { get: () => awaiting(() => exited) },
    turns: { value: { [Symbol.asyncIterator]: () => awaiting(() => turns[Symbol.asyncIterator]()) } },
    messages: { value: { [Symbol.asyncIterator]: () => awaiting(() => messages[Symbol.asyncIterator]()) } },
    send: {
      value: (...input: Parameters<typeof send>) => {
        watched.idleSince = undefined;
        return send(...input);
      },
    },
  });
}

class WatchedSession {
  isAwaited = false;
  idleSince: number | undefined;
  readonly #watch: SessionWatch;
  #cancel: () => void = () => {};

  constructor(watch: SessionWatch) {
    this.#watch = watch;
    open.add(this);
    this.#look();
  }

  stop(): void {
    open.delete(this);
    this.#cancel();
  }

  get #isForgotten(): boolean {
    const { clock } = this.#watch;
    return !this.isAwaited && this.idleSince !== undefined && clock.now() - this.idleSince >= idleMs;
  }

  #look(): void {
    const { conversation, clock, keptByAgents, openedAt, warn } = this.#watch;
    this.idleSince = conversation.isIdle === true ? (this.idleSince ?? clock.now()) : undefined;
    if ([...open].every((each) => each.#isForgotten) && keptByAgents(open.size)) {
      const which = openedAt === undefined ? 'A session' : `The session opened at ${openedAt}`;
      warn({
        code: 'HEXAGENT_SESSION_OPEN',
        source: 'session',
        message: `${which} has been idle for ${idleMs / 1000} seconds, and nothing else keeps this process running. Call its \`close()\` or \`finish()\`, or open it with \`await using\`.`,
      });
      return;
    }
    // It keeps nothing alive: the process may exit in between.
    this.#cancel = clock.after(pollMs, () => this.#look());
  }
}

/** The caller in a stack that was taken in `openSession()`. `calling` is the wrapper of `withHandledPromises()`. */
export function callerIn(stack: string | undefined): string | undefined {
  const frames = stack?.split('\n').slice(1) ?? [];
  const caller = frames.find((frame) => !/\bat (?:\w+\.)*(?:openSession|calling)\b/.test(frame));
  return caller?.trim().replace(/^at /, '');
}
