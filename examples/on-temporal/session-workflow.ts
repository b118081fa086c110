/* A session as a workflow of Temporal: one message at a time, in the order in which they came. */
import {
  ActivityFailure,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  proxyActivities,
  setHandler,
  workflowInfo,
  type QueryDefinition,
  type SignalDefinition,
} from '@temporalio/workflow';
import type { Answer, End, Message, Question, Step } from '../on-restate/driven-sessions.ts';
import type { Activities } from './activities.ts';

const activities = proxyActivities<Activities>({
  // A turn takes as long as it takes; a worker that died is seen by its heartbeats.
  startToCloseTimeout: '7 days',
  heartbeatTimeout: '10 seconds',
  retry: { nonRetryableErrorTypes: ['TypeError'] },
});

export const send: SignalDefinition<[Message]> = defineSignal('send');
export const answer: SignalDefinition<[string, Answer]> = defineSignal('answer');
export const question: QueryDefinition<Question | undefined> = defineQuery('question');
/** Of the messages since the history was begun anew; older ones are in the transcript. */
export const end: QueryDefinition<End | undefined, [string]> = defineQuery('end');

/** An invalid message must not end the session. */
function refused(error: unknown): Step {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  return { end: { kind: 'failed', text: error.cause?.message } };
}

/** The name of the workflow is the id of the session. Runs until it is terminated. */
export async function session(waiting: Message[] = []): Promise<void> {
  const { workflowId } = workflowInfo();
  const ends: Record<string, End> = {};
  const answers: Record<string, Answer> = {};
  let asked: Question | undefined;
  setHandler(send, (message) => void waiting.push(message));
  setHandler(answer, (id, given) => void (answers[id] ??= given));
  setHandler(question, () => asked);
  setHandler(end, (uuid) => ends[uuid]);

  const run = async (message: Message): Promise<End> => {
    for (;;) {
      const step = await activities.step(workflowId, message).catch(refused);
      if ('end' in step) return step.end;
      const { id } = step.asks;
      asked = step.asks;
      await condition(() => answers[id] !== undefined);
      asked = undefined;
      await activities.answer(id, answers[id] ?? { isAllowed: false });
    }
  };

  // The history of a workflow is bounded, that of a session is not.
  while (!workflowInfo().continueAsNewSuggested) {
    await condition(() => waiting.length > 0);
    const message = waiting.shift();
    if (message !== undefined) ends[message.uuid] ??= await run(message);
  }
  await continueAsNew<typeof session>(waiting);
}
