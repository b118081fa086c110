import { handled } from '@hexagent/async';
import { SdkError, type Exit } from '@hexagent/ports';
import { faulty, hosts, signals, type Fault } from './faulty-protocol.ts';

const exits = (change: (exit: Exit) => Partial<Exit>): Fault[1] =>
  faulty({ connection: ({ exit }) => ({ exit: exit.then((kept) => ({ ...kept, ...change(kept) })) }) });
const isWhole = (line: string | undefined): boolean => line?.endsWith('}') === true;

/** Of how a conversation ends, on either side. */
export const ofExits: readonly Fault[] = [
  [
    'reports the exit twice',
    hosts((host) => ({ exited: (exit) => (host.exited(exit), host.exited(exit)) })),
    [
      'delivers every message before it reports the exit, once',
      'rejects open requests when the connection can no longer be read, and ends the agent',
      'ends an agent that has closed its input and runs on',
      'leaves the exit of an agent whose input broke to be reported as it is',
      '#57 aborts the signals of open callbacks when the agent exits, and drops their answers',
      'rejects open requests when it is closed, aborts callbacks, and delivers nothing more',
      'may be closed twice, while paused, and after the exit',
    ],
  ],
  [
    'loses a whole line without an ending',
    exits(({ unterminated }) => ({ unterminated: isWhole(unterminated) ? undefined : unterminated })),
    'delivers a last line without a line’s end when it is a complete frame',
  ],
  [
    'loses a part of a line',
    exits(({ unterminated }) => ({ unterminated: isWhole(unterminated) ? unterminated : undefined })),
    'reports an incomplete last frame in the exit and its errors',
  ],
  [
    'loses the signal by which the agent ended',
    exits(({ signal }) => (signal === 'SIGKILL' ? { signal: null, code: 137 } : {})),
    'rejects open requests when the agent exits, with how it exited and what was lost',
  ],
  [
    'reports another error than the one that broke it',
    hosts((host) => ({ broken: ({ code, message }) => host.broken?.(new SdkError(code, message)) })),
    'rejects open requests when the connection can no longer be read, and ends the agent',
  ],
  [
    'does not report that the input broke',
    hosts((host) => ({ broken: (error) => error.code !== 'CHANNEL_CLOSED' && host.broken?.(error) })),
    'ends an agent that has closed its input and runs on',
  ],
  [
    'takes each agent for one that was closed',
    hosts((host) => ({ exited: (exit) => host.exited({ ...exit, closed: true }) })),
    'leaves the exit of an agent whose input broke to be reported as it is',
  ],
  [
    'loses the cause of a closed channel',
    faulty({
      channel: ({ initialized }) => ({
        initialized: handled(
          initialized.catch((error: unknown) => {
            const isClosed = SdkError.is(error) && error.code === 'CHANNEL_CLOSED';
            throw isClosed ? new SdkError(error.code, error.message) : error;
          }),
        ),
      }),
    }),
    'rejects with CHANNEL_CLOSED when the connection fails with an error of its own',
  ],
  [
    'cannot be ended after the exit',
    faulty({
      channel: (kept, { exit }) => {
        let hasExited = false;
        void exit.then(() => (hasExited = true));
        return {
          async end() {
            if (hasExited) throw new SdkError('CHANNEL_CLOSED', 'The agent has exited.');
            await kept.end();
          },
        };
      },
    }),
    'refuses calls after the exit with CHANNEL_CLOSED',
  ],
  [
    'leaves callbacks alone when the agent exits',
    signals((reason) => (SdkError.is(reason) && reason.code === 'AGENT_EXITED' ? undefined : reason)),
    '#57 aborts the signals of open callbacks when the agent exits, and drops their answers',
  ],
  [
    'ends an agent that does not read',
    faulty({
      channel(kept, connection, { awaitInitialize }) {
        let open = 0;
        const done = (): void => void (open -= 1);
        return {
          send(input) {
            open += 1;
            return handled(kept.send(input).finally(done));
          },
          end: () => (open > 0 && !awaitInitialize ? connection.close() : kept.end()),
        };
      },
    }),
    'ends its side only after everything is written',
  ],
  [
    'ends its side before what it holds back',
    faulty({ channel: (_, connection) => ({ end: () => connection.end() }) }),
    'ends its side only when what initialize held back is out',
  ],
  [
    'reads nothing more after its end',
    faulty({ channel: (kept) => ({ end: async () => (await kept.end(), kept.pause()) }) }),
    'sends nothing after its side was ended, and still delivers messages',
  ],
  [
    'leaves callbacks alone when it is closed',
    signals((reason) => (SdkError.is(reason) && reason.code === 'CHANNEL_CLOSED' ? undefined : reason)),
    'rejects open requests when it is closed, aborts callbacks, and delivers nothing more',
  ],
  [
    'delivers the rest of a batch',
    faulty({ channel: (kept) => ({ close: async (options) => (await Promise.resolve(), await kept.close(options)) }) }),
    [
      'rejects open requests when it is closed, aborts callbacks, and delivers nothing more',
      'delivers not even the rest of a batch when the host closes in the middle',
    ],
  ],
  [
    'cannot be closed for a third time',
    faulty({
      channel(kept) {
        let count = 0;
        return {
          async close(options) {
            if ((count += 1) > 2) throw new SdkError('CHANNEL_CLOSED', 'It is closed.');
            await kept.close(options);
          },
        };
      },
    }),
    'may be closed twice, while paused, and after the exit',
  ],
  [
    'writes to an agent that has exited',
    faulty({ connection: (kept) => (void kept.exit.then(() => kept.send('{}').catch(() => {})), {}) }),
    [
      '#57 aborts the signals of open callbacks when the agent exits, and drops their answers',
      'answers nothing once it is closed',
    ],
  ],
];
