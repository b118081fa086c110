/* A session as a virtual object of Restate: one message at a time, in the order in which they came. */
import {
  handlers,
  object,
  TerminalError,
  type ObjectContext,
  type ObjectSharedContext,
  type VirtualObjectDefinition,
} from '@restatedev/restate-sdk';
import type { Answer, DrivenSessions, End, Message, Question } from './driven-sessions.ts';

/** A question as others see it: `answerId` is the awakeable that settles it. */
export interface OpenQuestion extends Question {
  readonly answerId: string;
}

type State = { question: OpenQuestion };

/** Clients are typed by it, and call without the context. */
export interface SessionHandlers {
  send(context: ObjectContext<State>, message: Message): Promise<End>;
  question(context: ObjectSharedContext<State>): Promise<OpenQuestion | null>;
}

export function sessionObject(sessions: DrivenSessions): VirtualObjectDefinition<'session', SessionHandlers> {
  /** Is executed again from the start after a crash; what `run` has stored is not. */
  const send = async (context: ObjectContext<State>, message: Message): Promise<End> => {
    for (;;) {
      const step = await context.run('step', () => sessions.step(context.key, message));
      if ('end' in step) return step.end;
      const { id, promise } = context.awakeable<Answer>();
      context.set('question', { ...step.asks, answerId: id });
      // For as long as it takes: after a minute Restate suspends this call, and holds nothing open for it.
      const answer = await promise;
      context.clear('question');
      await context.run('answer', () => sessions.answer(step.asks.id, answer));
    }
  };
  return object({
    name: 'session',
    handlers: {
      send,
      question: handlers.object.shared((context: ObjectSharedContext<State>) => context.get('question')),
    },
    options: {
      // A turn says nothing for as long as it runs. A longer one is called again, and joins the turn that runs.
      abortTimeout: { hours: 1 },
      // What the host refuses for now is tried again; an invalid message is not.
      asTerminalError: (error) => (error instanceof TypeError ? new TerminalError(error.message) : undefined),
    },
  });
}
