import { SdkError } from '@hexagent/ports';
import { handled } from '@hexagent/async';
import {
  failing,
  faulty,
  isOf,
  options,
  passing,
  reads,
  results,
  talks,
  turns,
  type Fault,
  type Read,
} from './faulty-conversations.ts';

const initializeFailed = isOf('INITIALIZE_FAILED');
const isSystem = (frame: Read, subtype: string): boolean => frame.type === 'system' && frame['subtype'] === subtype;
const dropped = { type: 'keep_alive' };
const uuidsOf = (frame: Read): readonly unknown[] =>
  Array.isArray(frame['user_message_uuids']) ? frame['user_message_uuids'] : [];

/** Of `open()`, `ready`, `id` and `sessionId`. */
export const ofOpening: readonly Fault[] = [
  [
    'takes any number',
    options(({ softMarkBytes: mark }) => ({ softMarkBytes: typeof mark === 'number' && mark >= 0 ? mark : undefined })),
    'rejects a number that makes no sense with a TypeError that names it, and starts nothing',
  ],
  [
    'rejects with an error of its own where the agent cannot be started',
    faulty(() => ({
      parts: ({ transport }) => ({
        transport: {
          connect: (...given) =>
            transport.connect(...given).catch((error: unknown) => {
              throw error instanceof Error && error.name === 'Error' ? new Error('Not started.') : error;
            }),
        },
      }),
    })),
    'rejects as the transport does when the agent cannot be started',
  ],
  [
    'loses the commands of the agent',
    talks((kept) => ({ ready: handled(kept.ready.then(({ commands: _, ...answer }) => answer)) })),
    'resolves when the agent runs; `ready` brings its answer, and the first message does not wait',
  ],
  [
    'ends with an agent that refuses `initialize`',
    talks((kept) => {
      kept.ready.catch((error: unknown) => (initializeFailed(error) ? kept.close() : undefined));
      return {};
    }),
    'continues with an agent that works, though it refuses `initialize` or is late',
  ],
  [
    'is idle with an agent that is late',
    talks((kept) => ({ idle: () => failing(kept.idle(), isOf('INITIALIZE_TIMEOUT')) })),
    'ends with an agent that is late and has written nothing at all',
  ],
  [
    'takes no limit for the usual one',
    options(({ initializeTimeoutMs: ms }) => ({ initializeTimeoutMs: ms === Infinity ? undefined : ms })),
    'waits for `initialize` without limit when asked to',
  ],
  [
    'does not name the conversation in an event',
    faulty(() => ({
      parts: ({ observer }) => ({
        observer: {
          observe: (event) => observer?.observe(event.kind === 'exited' ? { ...event, conversation: '' } : event),
        },
      }),
    })),
    'gives each conversation an id of its own, which every observed event names',
  ],
  [
    'has no session id before its agent is ready',
    talks((kept) => {
      let isReady = false;
      const ready = (): unknown => (isReady = true);
      kept.ready.then(ready, ready);
      return {
        get sessionId() {
          return isReady ? kept.sessionId : undefined;
        },
      };
    }),
    'has the session id of the launch at once',
  ],
  [
    'keeps its first session id',
    talks((kept) => {
      let first: string | undefined;
      return {
        get sessionId() {
          return (first ??= kept.sessionId);
        },
      };
    }),
    'has the session id when the first turn begins, and follows the agent from then on',
  ],
];

/** Of turns. */
export const ofTurns: readonly Fault[] = [
  [
    'hides the result of a turn',
    turns((kept) => ({
      [Symbol.asyncIterator]: () => passing(kept, { keeps: ({ type }) => type !== 'result' }),
    })),
    [
      'gives the messages of the turn and its outcome',
      'keeps the messages of each turn for a reader that comes after the exit',
      'ends without a result when the agent becomes idle and owes one',
      'gives messages that were merged the same outcome, and the first of them the messages',
      'gives a message that the agent folds into a running turn the outcome of that turn',
      'come by `turns`, with an id, messages and an outcome of their own',
      'are kept apart from what a subagent sends in the background of another turn',
      'rejects with REQUEST_STALLED when the end of the turn lies too far behind unread messages',
      'lets a turn be read once: a second reader would find nothing',
      'gives the turn what belongs to it, and `messages` what belongs to no turn',
      'pauses the agent for a slow reader, and loses nothing',
      'delivers everything with marks of any size',
      'never pauses the agent for a reader that may miss something, and ends it once it has',
      'leaves a turn that is read at once its messages; nothing is kept for those that come late',
      'reads what the agent still writes, although an earlier turn is unread and paused it',
      'is reported as a value, once all that it wrote was delivered',
    ],
  ],
  [
    'loses unknown fields',
    reads('from_the_future', () => ({ deep: {} })),
    'passes on what the agent wrote, with unknown types and fields',
  ],
  [
    'writes a uuid of its own',
    faulty(() => ({
      writes: (frame) => (frame.type === 'user' && frame.uuid === 'named' ? { ...frame, uuid: 'own' } : frame),
    })),
    'writes messages in the order in which they were sent, each with the id of its turn',
  ],
  [
    'keeps nothing beyond the exit',
    faulty(() => {
      let hasExited = false;
      return {
        conversation: ({ exited }) => (
          exited.then(
            () => (hasExited = true),
            () => {},
          ),
          {}
        ),
        turn: (kept) => ({
          [Symbol.asyncIterator]: () => passing(kept, { keeps: () => !hasExited }),
        }),
      };
    }),
    [
      'keeps the messages of each turn for a reader that comes after the exit',
      'are kept apart from what a subagent sends in the background of another turn',
      'gives the turn what belongs to it, and `messages` what belongs to no turn',
      'pauses the agent for a slow reader, and loses nothing',
      'reads what the agent still writes, although an earlier turn is unread and paused it',
      'is reported as a value, once all that it wrote was delivered',
      'while a turn runs rejects the turn with the exit, the end of the error stream and what was lost',
    ],
  ],
  [
    'does not recognize a reason',
    reads('result', ({ terminal_reason: reason }) => (reason === 'api_error' ? { terminal_reason: 'x' } : {})),
    'reports as a value how the turn ended',
  ],
  [
    'takes the text of a subagent for that of the turn',
    reads('assistant', () => ({ parent_tool_use_id: null })),
    [
      'reports the last text where the result has none',
      'are kept apart from what a subagent sends in the background of another turn',
    ],
  ],
  [
    'does not detect that the agent counts anew',
    faulty(() => {
      let most = 0;
      return {
        reads(frame) {
          const { total_cost_usd: total } = frame;
          if (typeof total !== 'number') return frame;
          most = Math.max(most, total);
          return { ...frame, total_cost_usd: most } as Read;
        },
      };
    }),
    'reports what this turn cost, though the agent reports a total',
  ],
  [
    'counts no cost of each model',
    reads('result', () => ({ model_usage_since_last_result: undefined })),
    'reports the cost of each model since the last result, where the agent does',
  ],
  [
    'calls what was withdrawn repeated',
    results((outcome) => (outcome.kind === 'cancelled' ? { ...outcome, why: 'repeated' } : outcome)),
    [
      'ends without a result when the agent drops the message from its queue',
      'ends without a result when the agent becomes idle and owes one',
    ],
  ],
  [
    'calls what was repeated withdrawn',
    results((outcome) => (outcome.kind === 'cancelled' ? { ...outcome, why: 'withdrawn' } : outcome)),
    'ends without a result when the agent had handled the message before',
  ],
  [
    'waits for what an idle agent owes',
    faulty(() => {
      let owes = false;
      return {
        reads(frame) {
          if (frame.type === 'result') owes = false;
          if (frame['state'] === 'completed') return ((owes = true), frame);
          return owes && frame['state'] === 'idle' ? dropped : frame;
        },
      };
    }),
    [
      'ends without a result when the agent becomes idle and owes one',
      'rejects a message that cannot be written, and no other; its uuid may be used again',
      'gives each turn its beginning, its messages and its end in the order of the wire, each event with the next number',
      'keeps the input open until queued turns have ended, and for callbacks until the agent is idle',
      'leaves requests to the exit with `openRequests: leave`',
    ],
  ],
  [
    'ignores the message of a result whose beginning was not reported',
    faulty(() => {
      const begun = new Set<unknown>();
      return {
        reads(frame) {
          if (frame['state'] === 'started') begun.add(frame['command_uuid']);
          for (const uuid of isSystem(frame, 'init') ? uuidsOf(frame) : []) begun.add(uuid);
          const isKnown = frame.type !== 'result' || uuidsOf(frame).every((uuid) => begun.has(uuid));
          return isKnown ? frame : ({ ...frame, user_message_uuids: undefined } as Read);
        },
      };
    }),
    [
      'is the one that a result names, although the agent did not report its beginning',
      'counts the cost of a shared result once',
      'resolves when a result names the message',
      'names the turn that has the messages of one that was folded or merged, and ends both with the very same outcome',
    ],
  ],
  [
    'gives a result that names no message to the newest',
    faulty(() => {
      let isOld = true;
      let newest: unknown;
      return {
        writes: (frame) => ((newest = frame.type === 'user' ? frame.uuid : newest), frame),
        reads(frame) {
          if (frame.type === 'command_lifecycle') isOld = false;
          const isMeant = isOld && newest !== undefined && frame.type === 'result' && uuidsOf(frame).length === 0;
          return isMeant ? ({ ...frame, user_message_uuids: [newest] } as Read) : frame;
        },
      };
    }),
    'follows the order of sending where an older agent names no message',
  ],
  [
    'needs another frame before a result',
    faulty(() => {
      let count = 0;
      return {
        reads(frame) {
          if (frame.type !== 'control_response') count += 1;
          return count === 1 && frame.type === 'result' ? dropped : frame;
        },
      };
    }),
    'ends with a result that came without any other frame',
  ],
  [
    'gives the turn of a uuid again',
    talks((kept) => {
      const sent = new Map<unknown, ReturnType<typeof kept.send>>();
      return {
        send(input) {
          const uuid = typeof input === 'object' ? input.uuid : undefined;
          try {
            const turn = kept.send(input);
            sent.set(uuid, turn);
            return turn;
          } catch (error) {
            const first = sent.get(uuid);
            if (first && isOf('MESSAGE_REPEATED')(error)) return first;
            throw error;
          }
        },
      };
    }),
    'refuses a uuid that was used, and one that is not text, before anything is written',
  ],
  [
    'does not take the uuid of what was not written',
    talks((kept) => {
      const used = new Set<unknown>();
      return {
        send(input) {
          const uuid = typeof input === 'object' ? input.uuid : undefined;
          if (used.has(uuid)) throw new SdkError('MESSAGE_REPEATED', 'It was used.');
          if (uuid !== undefined) used.add(uuid);
          return kept.send(input);
        },
      };
    }),
    'rejects a message that cannot be written, and no other; its uuid may be used again',
  ],
];
