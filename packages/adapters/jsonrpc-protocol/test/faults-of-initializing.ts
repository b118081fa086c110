import { handled } from '@hexagent/async';
import { SdkError } from '@hexagent/ports';
import { faulty, failing, isDelay, put, without, writes, type Fault } from './faulty-protocol.ts';

/** Of how a channel is set up. */
export const ofInitializing: readonly Fault[] = [
  [
    'loses a field of initialize',
    writes(put('request.title', without)),
    'writes initialize first, at once, with the fields it was given',
  ],
  [
    'loses the answer to initialize',
    faulty({ channel: ({ initialized }) => ({ initialized: handled(initialized.then(() => ({}))) }) }),
    'resolves `initialized` with the answer of the agent',
  ],
  [
    'calls the host while it opens',
    faulty({ options: ({ host }) => (host.activity?.(), {}) }),
    [
      'does not call the host before `open()` has returned the channel',
      'reports every change of the open calls, an answered one once its answer is written',
    ],
  ],
  [
    'holds messages back without being asked to',
    faulty({
      options: ({ awaitInitialize = true }) => ({ awaitInitialize }),
    }),
    [
      'does not hold a message back until initialize is answered',
      'rejects `initialized` with the message of an agent that refuses it, and stays open',
      'rejects all open requests with one error and cancels them at the agent; initialize keeps its deadline',
    ],
  ],
  [
    'sends requests before the messages that were held back',
    faulty({
      channel: (kept, _, { awaitInitialize }) =>
        awaitInitialize ? { send: async (input) => (await Promise.resolve(), await kept.send(input)) } : {},
    }),
    [
      'holds everything back until initialize is answered when asked to, then keeps the order',
      'ends its side only when what initialize held back is out',
    ],
  ],
  [
    'holds answers back too',
    faulty({
      connection: (kept, { awaitInitialize }) => ({
        send: (line) => (awaitInitialize && line.includes('control_response') ? Promise.resolve() : kept.send(line)),
      }),
    }),
    'answers the agent while it holds back: without those answers initialize would wait for ever',
  ],
  [
    'rejects a request that was held back with an error of its own',
    faulty({
      channel: (kept) => ({
        request: (...given) =>
          failing(kept.request(...given), (error) => (error.code === 'INITIALIZE_FAILED' ? new Error('late') : error)),
      }),
    }),
    'rejects messages that were held back when initialize fails',
  ],
  [
    'does not check the answer to initialize',
    faulty({ options: () => ({ checkInitialize: undefined }) }),
    'rejects messages that were held back when the answer to initialize fails the check',
  ],
  [
    'is closed by a refusal',
    faulty({
      channel: (kept, _, { awaitInitialize }) => {
        if (!awaitInitialize)
          kept.initialized.catch((error: unknown) => {
            if (SdkError.is(error) && error.code === 'INITIALIZE_FAILED') void kept.close();
          });
        return {};
      },
    }),
    'rejects `initialized` with the message of an agent that refuses it, and stays open',
  ],
  [
    'waits for initialize for half as long',
    faulty({ options: ({ initializeTimeoutMs = 30_000 }) => ({ initializeTimeoutMs }) }),
    '#29 gives initialize a deadline of 60 s, or of `initializeTimeoutMs`',
  ],
  [
    'takes any deadline',
    faulty({
      options: ({ initializeTimeoutMs: ms }) => ({ initializeTimeoutMs: isDelay(ms) ? ms : undefined }),
    }),
    'refuses an initializeTimeoutMs that is not a delay',
  ],
  [
    'takes a deadline of 0 for the default',
    faulty({
      options: ({ initializeTimeoutMs }) => ({
        initializeTimeoutMs: initializeTimeoutMs === 0 ? undefined : initializeTimeoutMs,
      }),
    }),
    '#29 waits for ever when the deadline is 0',
  ],
  [
    'loses stderr of an agent that exits with a code',
    faulty({
      connection: ({ exit }) => ({
        exit: exit.then((kept) => ({ ...kept, stderr: kept.code === 1 ? '' : kept.stderr })),
      }),
    }),
    '#29 rejects `initialized` with the end of stderr of an agent that exits before it answers',
  ],
  [
    'leaves out of initialize what cannot be written',
    writes(put('request.unwritable', without)),
    'writes nothing when initialize cannot be written, since the agent would run without its settings',
  ],
];
