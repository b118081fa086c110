import { handled } from '@hexagent/async';
import { SdkError } from '@hexagent/ports';
import { withFault } from '@hexagent/testing/contracts';
import {
  failing,
  faulty,
  handles,
  isOf,
  mute,
  options,
  passing,
  reads,
  talks,
  type Fault,
} from './faulty-conversations.ts';

const isClosed = isOf('CONVERSATION_CLOSED');
const isExit = isOf('AGENT_EXITED');

/** Of `idle()`. */
export const ofIdling: readonly Fault[] = [
  [
    'waits for a first message',
    talks((kept) => {
      let hasSent = false;
      return {
        send: (input) => ((hasSent = true), kept.send(input)),
        idle: handles(async () => {
          if (!hasSent) await kept.exited;
          await kept.idle();
        }),
      };
    }),
    [
      'resolves at once when nothing was sent',
      'waits for each task that went to the background, where the agent gives no list',
      'resolves when the agent has exited after finish(), and rejects when it has exited before',
    ],
  ],
  [
    'is idle at any time',
    talks((kept) => ({ idle: handles(() => Promise.race([kept.idle(), Promise.resolve()])) })),
    [
      'ends with an agent that is late and has written nothing at all',
      'waits for turns, for tasks, and for the agent to report that it is idle',
      'waits for the turn of an agent too old to report its state',
      'waits for each task that went to the background, where the agent gives no list',
      'resolves when the agent has exited after finish(), and rejects when it has exited before',
      'ends an agent that does not leave by itself, and rejects what is open',
      'ends readers, turns and everyone who waits with an AbortError that keeps the reason',
      'while a turn runs is a failure with code 0 too, for who reads the whole and who waits',
      'gives every reader and everyone who waits the same error, after what came before',
    ],
  ],
  [
    'does not read the list of tasks',
    reads('system', ({ subtype }) => (subtype === 'background_tasks_changed' ? { tasks: [] } : {})),
    [
      'waits for turns, for tasks, and for the agent to report that it is idle',
      'resolves when the agent has exited after finish(), and rejects when it has exited before',
      'waits for a background task and for the turn that it reports with',
      'stops each background shell once and waits for its notification',
    ],
  ],
  [
    'does not read that a task went to the background',
    reads('system', ({ subtype }) => (subtype === 'task_started' ? { is_backgrounded: false } : {})),
    'waits for each task that went to the background, where the agent gives no list',
  ],
  [
    'waits for the readers of turns',
    talks((kept) => {
      const reading: Promise<unknown>[] = [];
      return {
        send(input) {
          const turn = kept.send(input);
          let end = (): void => {};
          reading.push(new Promise<void>((resolve) => (end = resolve)));
          return withFault(turn, () => ({ [Symbol.asyncIterator]: () => passing(turn, { atEnd: end }) }));
        },
        idle: handles(async () => void (await Promise.all([kept.idle(), ...reading]))),
      };
    }),
    [
      'ends without a result when the agent becomes idle and owes one',
      'rejects a message that cannot be written, and no other; its uuid may be used again',
      'are kept apart from what a subagent sends in the background of another turn',
      'waits for turns, for tasks, and for the agent to report that it is idle',
      'waits for the turn of an agent too old to report its state',
      '`idle()` does not wait for a reader',
      'resolves when the agent has exited after finish(), and rejects when it has exited before',
    ],
  ],
  [
    'is idle when the agent has exited',
    talks((kept) => ({ idle: () => failing(kept.idle(), isExit) })),
    [
      'resolves when the agent has exited after finish(), and rejects when it has exited before',
      'while a turn runs is a failure with code 0 too, for who reads the whole and who waits',
    ],
  ],
];

/** Of `finish()`. */
export const ofFinishing: readonly Fault[] = [
  [
    'cannot be finished twice',
    talks((kept) => {
      let count = 0;
      return {
        finish: handles(async () => {
          if ((count += 1) > 1) throw new SdkError('CONVERSATION_CLOSED', 'It is finished.');
          return await kept.finish();
        }),
      };
    }),
    'ends the input at once when nothing was sent, and resolves with the exit',
  ],
  [
    'does not name finish()',
    talks((kept) => ({
      send(input) {
        try {
          return kept.send(input);
        } catch (error) {
          throw isClosed(error) && error.message.includes('finish()') ? mute(error) : error;
        }
      },
    })),
    'throws for a message that is sent afterwards',
  ],
  [
    'finishes at the first result',
    talks((kept) => ({
      finish: () =>
        handled(kept.progress && kept.progress.open > 1 ? kept.close().then(() => kept.exited) : kept.finish()),
    })),
    'keeps the input open until queued turns have ended, and for callbacks until the agent is idle',
  ],
  [
    'leaves requests to the exit',
    options(() => ({ openRequests: 'leave' })),
    'keeps the input open for requests in either direction',
  ],
  [
    'waits for each request',
    options(() => ({ openRequests: 'wait' })),
    'leaves requests to the exit with `openRequests: leave`',
  ],
  [
    'waits for no delegated task',
    reads('system', ({ subtype, tasks }) =>
      subtype === 'background_tasks_changed' && Array.isArray(tasks)
        ? { tasks: tasks.filter((task: { task_type?: string }) => task.task_type !== 'local_agent') }
        : {},
    ),
    [
      'waits for turns, for tasks, and for the agent to report that it is idle',
      'resolves when the agent has exited after finish(), and rejects when it has exited before',
      'waits for a background task and for the turn that it reports with',
    ],
  ],
  [
    'leaves shells to the agent',
    options(() => ({ backgroundTasks: 'wait' })),
    'stops each background shell once and waits for its notification',
  ],
  [
    'stops each shell',
    options(() => ({ backgroundTasks: 'stop' })),
    'leaves background shells to the agent with `backgroundTasks: wait`',
  ],
  [
    'never resumes the agent',
    faulty(() => ({ connection: () => ({ resume: () => {} }) })),
    [
      'resolves although the messages before the confirmation are not read',
      'comes although the reader has stopped reading before the end of the turn',
      'rejects with REQUEST_STALLED when the end of the turn lies too far behind unread messages',
      'reads on for the answer to a request, up to the hard mark',
      'pauses the agent for a slow reader and loses nothing, but not once `idle()` or `finish()` waits before the first `next()`',
      '`finish()` does not wait for a reader',
      'reads what the agent still writes, although an earlier turn is unread and paused it',
    ],
  ],
  [
    'does not read that a message was handled',
    reads('command_lifecycle', ({ state }) => (state === 'completed' ? { state: 'odd' } : {})),
    [
      'ends without a result when the agent had handled the message before',
      'ends without a result when the agent becomes idle and owes one',
      'is `too_late` for a message that the agent had handled before',
      'is read from what follows the result of a local command, which gives no reason',
      'continues when the last message was handled before, or cannot be written',
    ],
  ],
  [
    'is finished although something was not ended',
    talks((kept) => ({
      finish: () => failing(kept.finish(), isOf('AGENT_NOT_ENDED')).then((exit) => exit ?? kept.exited),
    })),
    'rejects with AGENT_NOT_ENDED, and names the processes that could not be ended',
  ],
];
