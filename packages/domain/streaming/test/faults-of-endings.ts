import { AbortError, SdkError, type Exit } from '@hexagent/ports';
import { withFault } from '@hexagent/testing/contracts';
import {
  failing,
  faulty,
  handles,
  isOf,
  mute,
  options,
  passing,
  talks,
  turns,
  type Fault,
} from './faulty-conversations.ts';

const isClosed = isOf('CONVERSATION_CLOSED');
const isExit = isOf('AGENT_EXITED');

/** Of `close()`. */
export const ofClosing: readonly Fault[] = [
  [
    'interrupts what runs alone',
    faulty(() => ({
      writes: (frame) =>
        frame.type === 'control_request'
          ? { ...frame, request: { ...frame.request, cancel_queued: undefined } }
          : frame,
    })),
    'interrupts what runs and what is queued, once, and ends the input',
  ],
  [
    'ends the reader of a turn without an error',
    turns((kept) => ({ [Symbol.asyncIterator]: () => passing(kept, { ends: isClosed }) })),
    'delivers nothing more, and gives the turn the end that the agent reports in time',
  ],
  [
    'interrupts nothing once it is closing',
    talks((kept) => {
      let isClosing = false;
      return {
        close: () => ((isClosing = true), kept.close()),
        interrupt: () => (isClosing ? Promise.resolve('nothing_running') : kept.interrupt()),
      };
    }),
    'resolves an interrupt with the outcome of the turn, and sends no further request',
  ],
  [
    'is idle when it is closed',
    talks((kept) => ({ idle: () => failing(kept.idle(), isClosed) })),
    'ends an agent that does not leave by itself, and rejects what is open',
  ],
  [
    'is never idle once it is closed',
    talks((kept) => {
      let isOver = false;
      void kept.exited.then(({ closed }) => (isOver = closed));
      return {
        idle: handles(async () => {
          if (isOver) throw new SdkError('CONVERSATION_CLOSED', 'It is closed.');
          await kept.idle();
        }),
      };
    }),
    'rejects requests that are begun afterwards',
  ],
  [
    'warns twice of what was not ended',
    faulty(() => ({ parts: ({ warn }) => ({ warn: (warning) => (warn?.(warning), warn?.(warning)) }) })),
    [
      'rejects with AGENT_NOT_ENDED, and names the processes that could not be ended',
      'may be called twice, and after the agent has exited',
    ],
  ],
  [
    'ends who reads the whole with an error',
    talks((kept) => {
      let isOver = false;
      return {
        close: () => ((isOver = true), kept.close()),
        allMessages: (...given) =>
          passing(kept.allMessages(...given), {
            atEnd() {
              if (isOver) throw new SdkError('CONVERSATION_CLOSED', 'It is closed.');
            },
          }),
      };
    }),
    [
      'ends who reads the whole without an error, and drops what was not read',
      'ends a conversation whose agent has not answered `initialize`',
    ],
  ],
  [
    'reads nothing more when it is closed',
    faulty(() => {
      let isClosing = false;
      return {
        conversation: (kept) => ({ close: () => ((isClosing = true), kept.close()) }),
        connection: (kept) => ({ resume: () => isClosing || kept.resume() }),
      };
    }),
    'reads what the agent still writes, although an earlier turn is unread and paused it',
  ],
  [
    'calls an agent that was closed one that failed',
    talks((kept) => ({
      ready: failing(kept.ready, isOf('CHANNEL_CLOSED'), (error) =>
        error.cause === undefined ? new SdkError('INITIALIZE_FAILED', 'It failed.') : error,
      ),
    })),
    'ends a conversation whose agent has not answered `initialize`',
  ],
];

/** Of the signal. */
export const ofAborting: readonly Fault[] = [
  [
    'follows its signal once the agent was started',
    options(({ signal }) => {
      if (!signal?.aborted) return {};
      const controller = new AbortController();
      void Promise.resolve().then(() => controller.abort(signal.reason));
      return { signal: controller.signal };
    }),
    'rejects with its reason before anything is started',
  ],
  [
    'leaves an agent behind',
    faulty(() => {
      let aborted: AbortSignal | undefined;
      return {
        options: ({ signal }) => ((aborted = signal), {}),
        connection: () => (aborted?.aborted ? { close: async () => {} } : {}),
      };
    }),
    'rejects with its reason while the agent is started, and leaves none behind',
  ],
  [
    'loses the reason of an abort',
    turns((kept) => ({
      get result() {
        return failing(
          kept.result,
          (error) => error instanceof AbortError,
          () => new AbortError('It was aborted.'),
        );
      },
    })),
    'ends readers, turns and everyone who waits with an AbortError that keeps the reason',
  ],
  [
    'takes an agent that was closed for one that exited',
    talks(({ exited }) => ({ exited: exited.then((exit) => ({ ...exit, closed: false })) })),
    ['ends an agent that does not leave by itself, and rejects what is open', 'ends the agent'],
  ],
  [
    'keeps listening to the signal',
    options(({ signal }) => (signal?.addEventListener('abort', () => {}), {})),
    'is not listened to any more when the agent has exited',
  ],
];

const exits = (change: (exit: Exit) => Partial<Exit>): Fault[1] =>
  faulty(() => ({ connection: ({ exit }) => ({ exit: exit.then((kept) => ({ ...kept, ...change(kept) })) }) }));

/** Of an agent that leaves, or that cannot be read. */
export const ofLeaving: readonly Fault[] = [
  [
    'loses stderr of an agent that exits with code 0',
    exits(({ code, stderr }) => ({ stderr: code === 0 ? '' : stderr })),
    'is reported as a value, once all that it wrote was delivered',
  ],
  [
    'trims stderr',
    exits(({ signal, stderr }) => ({ stderr: signal === null ? stderr : stderr.trim() })),
    'while a turn runs rejects the turn with the exit, the end of the error stream and what was lost',
  ],
  [
    'takes an exit with code 0 for no failure',
    talks((kept) => ({
      allMessages: (...given) =>
        passing(kept.allMessages(...given), {
          ends: (error) => isExit(error) && 'exitCode' in error && error.exitCode === 0,
        }),
    })),
    'while a turn runs is a failure with code 0 too, for who reads the whole and who waits',
  ],
  [
    'ends `turns` with an error',
    talks((kept) => ({
      get turns() {
        return passing(kept.turns, {
          atEnd() {
            throw new SdkError('AGENT_EXITED', 'It has exited.');
          },
        });
      },
    })),
    'with code 0 when nothing is open is no failure',
  ],
  [
    'takes an exit with code 1 for no failure',
    talks((kept) => ({
      allMessages: (...given) =>
        passing(kept.allMessages(...given), {
          ends: (error) => isExit(error) && 'exitCode' in error && error.exitCode === 1,
        }),
    })),
    'with code 1 is a failure only if the last result was none',
  ],
  [
    'loses what `ready` is rejected with',
    talks((kept) => ({ ready: failing(kept.ready, isExit, mute) })),
    'rejects `ready` and what was sent when it had not answered `initialize`',
  ],
  [
    'does not name the turns that were lost',
    turns((kept) => ({
      get result() {
        return failing(kept.result, isExit, (error) => withFault<Error>(error, () => ({ lost: [] }) as Partial<Error>));
      },
    })),
    [
      'rejects as the result does',
      'while a turn runs rejects the turn with the exit, the end of the error stream and what was lost',
      'rejects what is sent into its broken pipe with how it went',
    ],
  ],
  [
    'does not report why a request is too late',
    talks((kept) => ({
      control: (...given) =>
        failing(kept.control(...given), isClosed, (error) => (isExit(error.cause) ? mute(error) : error)),
    })),
    'rejects requests that are begun afterwards, with the exit as the cause',
  ],
  [
    'has an error of its own for who waits',
    talks((kept) => ({ idle: () => failing(kept.idle(), isOf('LINE_TOO_LONG'), mute) })),
    'gives every reader and everyone who waits the same error, after what came before',
  ],
  [
    'ends who reads the whole of a broken conversation without an error',
    talks((kept) => ({
      allMessages: (...given) => passing(kept.allMessages(...given), { ends: isOf('LINE_TOO_LONG') }),
    })),
    'is reported to who reads the whole after all that came before',
  ],
  [
    'cannot be finished when it is broken',
    talks((kept) => ({
      finish: handles(async () => {
        const exit = await kept.finish();
        if (exit.closed) throw new SdkError('CHANNEL_CLOSED', 'It is broken.');
        return exit;
      }),
    })),
    'is ended; finish() and close() resolve',
  ],
  [
    'loses the cause of what `ready` is rejected with',
    talks((kept) => ({ ready: failing(kept.ready, isOf('CHANNEL_CLOSED'), mute) })),
    'rejects `ready` and an interrupt',
  ],
];
