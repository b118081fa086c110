/* What a workflow may not do itself: reach the agents. */
import { Context } from '@temporalio/activity';
import type { Answer, DrivenSessions, Message, Step } from '../on-restate/driven-sessions.ts';

export interface Activities {
  step(session: string, message: Message): Promise<Step>;
  answer(question: string, answer: Answer): Promise<boolean>;
}

/** More often than the workflow's `heartbeatTimeout`, by which Temporal sees that a worker died in mid-turn. */
const heartbeatMs = 3000;

export function activitiesOf(sessions: DrivenSessions): Activities {
  return {
    async step(session, message) {
      const { heartbeat, cancelled } = Context.current();
      heartbeat();
      const beat = setInterval(heartbeat, heartbeatMs);
      try {
        // A cancelled workflow leaves the turn to the host; to stop it, call `cancel()` of the host.
        return await Promise.race([sessions.step(session, message), cancelled]);
      } finally {
        clearInterval(beat);
      }
    },
    answer: async (question, answer) => sessions.answer(question, answer),
  };
}
