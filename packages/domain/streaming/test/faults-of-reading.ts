import { handled } from '@hexagent/async';
import { AbortError, type ConversationEvent } from '@hexagent/ports';
import { failing, faulty, isOf, mute, options, passing, talks, turns, type Fault } from './faulty-conversations.ts';

const isDiscarded = isOf('MESSAGES_DISCARDED');

/** Of which reader gets which messages. */
export const ofReading: readonly Fault[] = [
  [
    'does not detect at once that the result alone is awaited',
    turns((kept) => ({
      get result() {
        return handled(new Promise((resolve) => setImmediate(resolve)).then(() => kept.result));
      },
    })),
    'gives the result to a caller that does not read the turn, however long it is',
  ],
  [
    'does not report how much may be unread',
    turns((kept) => ({
      [Symbol.asyncIterator]: () => passing(kept, { fails: (error) => (isDiscarded(error) ? mute(error) : error) }),
    })),
    'reports to a late reader that messages were discarded',
  ],
  [
    'ends a second reader without an error',
    turns((kept) => ({ [Symbol.asyncIterator]: () => passing(kept, { ends: isOf('TURN_READ') }) })),
    'lets a turn be read once: a second reader would find nothing',
  ],
  [
    'hides what belongs to no turn',
    talks((kept) => ({
      get messages() {
        return passing(kept.messages, { keeps: ({ type }) => type !== 'prompt_suggestion' });
      },
    })),
    'gives the turn what belongs to it, and `messages` what belongs to no turn',
  ],
  [
    'hides the states of messages',
    talks((kept) => ({
      allMessages: (...given) =>
        passing(kept.allMessages(...given), { keeps: ({ type }) => type !== 'command_lifecycle' }),
    })),
    'gives `allMessages()` everything in the order of the wire',
  ],
  [
    'calls `onArrival` with what comes later',
    talks((kept) => ({
      allMessages(onArrival) {
        let isOpen = false;
        const reader = kept.allMessages((message) => isOpen && onArrival?.(message));
        isOpen = true;
        return reader;
      },
    })),
    'gives `allMessages()` what came before the call too, and its end',
  ],
  [
    'calls `onArrival` with what is read',
    talks((kept) => ({
      allMessages: (onArrival) => passing(kept.allMessages(), { change: (message) => (onArrival?.(message), message) }),
    })),
    [
      'has the session id when the first turn begins, and follows the agent from then on',
      'gives `allMessages()` what came before the call too, and its end',
      'calls `onArrival` with each message when it arrives, before anyone reads',
    ],
  ],
  [
    'lets one call of `next()` wait',
    talks((kept) => ({
      allMessages(...given) {
        const reader = kept.allMessages(...given);
        let isWaiting = false;
        return {
          ...passing(reader, {}),
          async next() {
            if (isWaiting) return { done: true, value: undefined };
            isWaiting = true;
            return await reader.next().finally(() => (isWaiting = false));
          },
        };
      },
    })),
    'delivers at once to a reader that waits',
  ],
  [
    'never pauses the agent',
    faulty(() => ({ connection: () => ({ pause: () => {} }) })),
    [
      'comes although the reader has stopped reading before the end of the turn',
      'pauses the agent for a slow reader, and loses nothing',
      'reads on for the questions of the agent, up to the hard mark',
      'pauses the agent for a slow reader and loses nothing, but not once `idle()` or `finish()` waits before the first `next()`',
      '`finish()` does not wait for a reader',
      'reads what the agent still writes, although an earlier turn is unread and paused it',
    ],
  ],
  [
    'keeps what waits as JSON',
    talks((kept) => ({
      allMessages: (...given) =>
        passing(kept.allMessages(...given), { change: (message) => JSON.parse(JSON.stringify(message)) }),
    })),
    'keeps a message that waits as the agent wrote it',
  ],
  [
    'reads on beyond the hard mark',
    options(() => ({ hardMarkBytes: undefined })),
    [
      'rejects a number that makes no sense with a TypeError that names it, and starts nothing',
      'rejects with REQUEST_STALLED when the end of the turn lies too far behind unread messages',
      'reads on for the questions of the agent, up to the hard mark',
      'reads on for the answer to a request, up to the hard mark',
    ],
  ],
  [
    'does not read on beyond the soft mark',
    options(({ softMarkBytes }) => ({ hardMarkBytes: softMarkBytes })),
    [
      'rejects a number that makes no sense with a TypeError that names it, and starts nothing',
      'resolves although the messages before the confirmation are not read',
      'comes although the reader has stopped reading before the end of the turn',
      'reads on for the questions of the agent, up to the hard mark',
    ],
  ],
  [
    'does not detect that a reader has left',
    turns((kept) => ({
      [Symbol.asyncIterator]() {
        const reader = kept[Symbol.asyncIterator]();
        return { next: () => reader.next() };
      },
    })),
    'holds nothing up for a reader that has left its loop',
  ],
  [
    'has a lowest mark',
    options(({ softMarkBytes: mark = 1 }) => {
      if (mark > 0 && mark < 1) throw new TypeError('It is too small.');
      return {};
    }),
    'delivers everything with marks of any size',
  ],
];

const event = (change: (event: ConversationEvent) => ConversationEvent): Fault[1] =>
  talks((kept) => ({ events: (...given) => passing(kept.events(...given), { change }) }));

/** Of `events()`. */
export const ofEvents: readonly Fault[] = [
  [
    'leaves out numbers',
    event((kept) => ({ ...kept, seq: kept.seq * 2 })),
    [
      'gives each turn its beginning, its messages and its end in the order of the wire, each event with the next number',
      'begins with the first event, unless something was read or more than the soft mark has arrived',
    ],
  ],
  [
    'does not name the turn that has the messages',
    event((kept) => (kept.kind === 'turn_started' ? { ...kept, within: undefined } : kept)),
    'names the turn that has the messages of one that was folded or merged, and ends both with the very same outcome',
  ],
  [
    'takes each turn for one that was sent',
    event((kept) => (kept.kind === 'turn_started' ? { ...kept, isUnsolicited: false } : kept)),
    'names an unsolicited turn, and ends a turn that never ran or could not be written',
  ],
  [
    'does not report why the conversation is ended',
    event((kept) => (kept.kind === 'closing' ? { ...kept, error: undefined } : kept)),
    'reports every ending: an end that this side wants drops unread messages, and no end of a turn',
  ],
  [
    'lets each reader miss something',
    talks((kept) => ({ events: () => kept.events({ mayMiss: true }) })),
    [
      'pauses the agent for a slow reader and loses nothing, but not once `idle()` or `finish()` waits before the first `next()`',
      'leaves a turn that is read at once its messages; nothing is kept for those that come late',
      'begins with the first event, unless something was read or more than the soft mark has arrived',
    ],
  ],
  [
    'lets no reader miss anything',
    talks((kept) => ({ events: () => kept.events() })),
    'never pauses the agent for a reader that may miss something, and ends it once it has',
  ],
  [
    'does not report that messages of no turn were lost',
    talks((kept) => ({
      get messages() {
        return passing(kept.messages, { ends: isDiscarded });
      },
    })),
    'leaves a turn that is read at once its messages; nothing is kept for those that come late',
  ],
  [
    'does not report that events were lost',
    talks((kept) => ({ events: (...given) => passing(kept.events(...given), { ends: isDiscarded }) })),
    [
      'pauses the agent for a slow reader and loses nothing, but not once `idle()` or `finish()` waits before the first `next()`',
      'never pauses the agent for a reader that may miss something, and ends it once it has',
      'begins with the first event, unless something was read or more than the soft mark has arrived',
    ],
  ],
];

/** Of `control()`. */
export const ofControl: readonly Fault[] = [
  [
    'loses a field',
    faulty(() => ({
      writes: (frame) =>
        frame.type === 'control_request' ? { ...frame, request: { ...frame.request, model: undefined } } : frame,
    })),
    'writes the request with its fields, and resolves with the answer',
  ],
  [
    'loses the message of a refusal',
    talks((kept) => ({ control: (...given) => failing(kept.control(...given), isOf('REQUEST_FAILED'), mute) })),
    'rejects with REQUEST_FAILED when the agent refuses',
  ],
  [
    'rejects with the reason of an abort',
    talks((kept) => ({
      control: (...given) =>
        failing(
          kept.control(...given),
          (error) => error instanceof AbortError,
          ({ cause }) => new Error(String(cause)),
        ),
    })),
    'rejects with REQUEST_TIMEOUT after `timeoutMs`, and with an AbortError when its signal aborts',
  ],
  [
    'takes any time',
    talks((kept) => ({
      control: (...given) =>
        failing(
          kept.control(...given),
          (error) => error instanceof TypeError,
          () => new Error('It failed.'),
        ),
    })),
    'rejects with a TypeError for an invalid `timeoutMs`, and writes nothing',
  ],
  [
    'calls a closed input a failed request',
    talks((kept) => ({
      control: (...given) =>
        failing(kept.control(...given), isOf('CHANNEL_CLOSED'), () => new Error('It was not written.')),
    })),
    [
      'ends an agent that does not leave by itself, and rejects what is open',
      'rejects with CHANNEL_CLOSED once the input was ended',
    ],
  ],
];
