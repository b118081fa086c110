import { handled } from '@hexagent/async';
import { withFault } from '@hexagent/testing/contracts';
import {
  failing,
  faulty,
  isOf,
  mute,
  passing,
  reads,
  results,
  talks,
  turns,
  type Fault,
  type Read,
} from './faulty-conversations.ts';

const isSystem = (frame: Read, subtype: string): boolean => frame.type === 'system' && frame['subtype'] === subtype;
const dropped = { type: 'keep_alive' };
const uuidsOf = (frame: Read): readonly unknown[] =>
  Array.isArray(frame['user_message_uuids']) ? frame['user_message_uuids'] : [];

/** Of turns that share a result, and unsolicited ones. */
export const ofSharing: readonly Fault[] = [
  [
    'has an outcome of its own for each message',
    results((outcome) => ({ ...outcome })),
    [
      'gives messages that were merged the same outcome, and the first of them the messages',
      'gives a message that the agent folds into a running turn the outcome of that turn',
      'interrupts a folded message with its turn, and asks the agent once for both',
    ],
  ],
  [
    'counts the cost of a result for each message',
    reads('result', (frame) => ({
      total_cost_usd: Number(frame['total_cost_usd'] ?? 0) * Math.max(1, uuidsOf(frame).length),
    })),
    [
      'gives messages that were merged the same outcome, and the first of them the messages',
      'counts the cost of a shared result once',
    ],
  ],
  [
    'gives all unsolicited turns one id',
    talks((kept) => ({
      get turns() {
        return passing(kept.turns, { change: (turn) => withFault(turn, () => ({ id: 'unsent' })) });
      },
    })),
    'come by `turns`, with an id, messages and an outcome of their own',
  ],
  [
    'gives an unsolicited turn to the message that waits',
    faulty(() => {
      let queued: unknown;
      return {
        reads(frame) {
          if (frame['state'] === 'queued') queued = frame['command_uuid'];
          if (frame['state'] === 'started') queued = undefined;
          const isMeant = queued !== undefined && frame.type === 'result' && uuidsOf(frame).length === 0;
          return isMeant ? ({ ...frame, user_message_uuids: [queued] } as Read) : frame;
        },
      };
    }),
    [
      'take nothing from a message that waits',
      'names an unsolicited turn, and ends a turn that never ran or could not be written',
    ],
  ],
  [
    'does not report that unsolicited turns were lost',
    talks((kept) => ({
      get turns() {
        return passing(kept.turns, { ends: isOf('MESSAGES_DISCARDED') });
      },
    })),
    [
      'are kept for a late reader if they are few, and report the loss if they are many',
      'leaves a turn that is read at once its messages; nothing is kept for those that come late',
    ],
  ],
  [
    'pauses for unsolicited turns that are not read',
    faulty(() => ({
      connection(kept) {
        let count = 0;
        return {
          frames: passing(kept.frames, {
            change(lines) {
              count += lines.filter((line) => line.includes('"subtype":"init"')).length;
              if (count === 20) kept.pause();
              return lines;
            },
          }),
        };
      },
    })),
    'never hold up the others, though they are not read',
  ],
  [
    'keeps the first turn of a subagent',
    faulty(() => {
      const begun = new Set<unknown>();
      return {
        reads(frame) {
          const { tool_use_id: call } = frame;
          if (!isSystem(frame, 'task_started') && !isSystem(frame, 'task_notification')) return frame;
          if (!begun.has(call)) return (begun.add(call), frame);
          return { ...frame, tool_use_id: undefined } as Read;
        },
      };
    }),
    'assign the messages of a subagent in the foreground to the turn that it works for',
  ],
  [
    'does not read which call began a task',
    reads('system', () => ({ tool_use_id: undefined })),
    'are kept apart from what a subagent sends in the background of another turn',
  ],
];

/** Of `received`. */
export const ofReceiving: readonly Fault[] = [
  [
    'does not read that the agent has confirmed a message',
    faulty(() => ({
      reads: (frame) => (frame.type === 'command_lifecycle' && frame['state'] === 'queued' ? dropped : frame),
    })),
    [
      'resolves when the agent confirms the message, while another turn runs',
      'resolves although the messages before the confirmation are not read',
      'gives `allMessages()` everything in the order of the wire',
      'gives each turn its beginning, its messages and its end in the order of the wire, each event with the next number',
      'names an unsolicited turn, and ends a turn that never ran or could not be written',
    ],
  ],
  [
    'calls a message received at once',
    turns((kept) => ({
      get received() {
        return handled(Promise.race([kept.received, kept.result.then(() => {}), Promise.resolve()]));
      },
    })),
    [
      'resolves when the agent confirms the message, while another turn runs',
      'resolves when the turn begins, if the agent confirms nothing',
      'rejects as the result does',
    ],
  ],
  [
    'reads the first message that a result names alone',
    reads('result', (frame) => (uuidsOf(frame).length > 1 ? { user_message_uuids: uuidsOf(frame).slice(0, 1) } : {})),
    [
      'gives messages that were merged the same outcome, and the first of them the messages',
      'counts the cost of a shared result once',
      'gives a message that the agent folds into a running turn the outcome of that turn',
      'interrupts a folded message with its turn, and asks the agent once for both',
      'resolves when a result names the message',
      'names the turn that has the messages of one that was folded or merged, and ends both with the very same outcome',
    ],
  ],
  [
    'rejects `received` with an error of its own',
    turns((kept) => ({
      get received() {
        return failing(kept.received, isOf('AGENT_EXITED'), mute);
      },
    })),
    'rejects as the result does',
  ],
];
