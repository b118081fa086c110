import { AbortError, SdkError } from '@hexagent/ports';
import { withFault } from '@hexagent/testing/contracts';
import { asks, failing, faulty, isDelay, put, reads, without, writes, type Fault } from './faulty-protocol.ts';

const mute = ({ code }: SdkError): SdkError => new SdkError(code, 'It failed.');

/** Of messages and requests of the program. */
export const ofRequests: readonly Fault[] = [
  [
    'loses the priority of a message',
    writes(put('priority', without)),
    'writes a message with its uuid and priority and its unchanged content',
  ],
  [
    'writes a message later than a request',
    faulty({
      channel: (kept, _, { awaitInitialize }) =>
        awaitInitialize ? {} : { send: async (input) => (await Promise.resolve(), await kept.send(input)) },
    }),
    ['writes messages and requests in the order of the calls', 'ends its side only after everything is written'],
  ],
  [
    'cuts off what is long',
    writes(put('message.content', (text: unknown) => (typeof text === 'string' ? text.slice(0, 100_000) : text))),
    '#32 writes a message of a megabyte as one line behind others',
  ],
  [
    'writes whatever it is given',
    writes(put('message.content', (content: unknown) => (typeof content === 'number' ? `${content}` : content))),
    'refuses content that JSON cannot hold, and stays open',
  ],
  [
    'fills an empty answer',
    reads(
      put('response', (answer: object) =>
        'subtype' in answer && !('error' in answer) ? { response: { isEmpty: true }, ...answer } : answer,
      ),
    ),
    'resolves a request with the payload of its answer, an empty one included',
  ],
  [
    'uses its ids again',
    faulty({
      ports({ ids }) {
        let count = 0;
        return { ids: withFault(ids, () => ({ request: () => `request-${(count += 1) % 60}` })) };
      },
    }),
    '#41 matches 100 requests with answers that come in the opposite order',
  ],
  [
    'loses the message of a refusal',
    faulty({ channel: (kept) => ({ requestUntyped: (...given) => failing(kept.requestUntyped(...given), mute) }) }),
    'rejects with the message of an agent that refuses',
  ],
  [
    'has a deadline of an hour',
    faulty({
      channel: (kept) => ({
        requestUntyped: (subtype, fields, options) =>
          kept.requestUntyped(subtype, fields, { timeoutMs: 3_600_000, ...options }),
      }),
    }),
    '#28 waits for an answer as long as the agent runs, unless `timeoutMs` is given',
  ],
  [
    'takes any time',
    asks(
      (ask) => (subtype, fields, options) =>
        ask(subtype, fields, isDelay(options?.timeoutMs) ? options : { signal: options?.signal }),
    ),
    'refuses a timeoutMs that is not a delay, and writes nothing',
  ],
  [
    'loses the reason of an abort',
    asks(
      (ask) =>
        (...asked) =>
          ask(...asked).catch((error: unknown) => {
            throw error instanceof AbortError ? new AbortError('Aborted.') : error;
          }),
    ),
    'rejects an aborted request with the reason, cancels it at the agent, and drops its late answer',
  ],
  [
    'gives requests up with an error of its own',
    faulty({ channel: (kept) => ({ giveUpRequests: (error) => kept.giveUpRequests(mute(error)) }) }),
    'rejects all open requests with one error and cancels them at the agent; initialize keeps its deadline',
  ],
  [
    'writes a request that was aborted before',
    asks((ask) => (subtype, fields, options) => {
      if (options?.signal?.aborted) void ask(subtype, fields).catch(() => {});
      return ask(subtype, fields, options);
    }),
    'writes nothing for a request that was aborted before',
  ],
  [
    'checks the signal once the fields are read',
    faulty({
      channel: (kept) => ({
        requestUntyped(subtype, fields, options) {
          const read = { ...fields };
          return kept.requestUntyped(subtype, read, options?.signal?.aborted ? {} : options);
        },
      }),
    }),
    'rejects a request that is aborted while its fields are read',
  ],
  [
    'calls any failure a failed request',
    asks(
      (ask) =>
        (...asked) =>
          ask(...asked).catch((error: unknown) => {
            const isOurs = SdkError.is(error) || error instanceof AbortError || error instanceof TypeError;
            throw isOurs ? error : new SdkError('REQUEST_FAILED', 'It failed.', { cause: error });
          }),
    ),
    'rejects with the error of a signal that cannot be followed',
  ],
  [
    'sends what was aborted while it was held back',
    asks((ask, { awaitInitialize }) => (subtype, fields, options) => {
      if (awaitInitialize && options?.signal) void ask(subtype, fields).catch(() => {});
      return ask(subtype, fields, options);
    }),
    'never sends a request that is aborted while it is held back',
  ],
  [
    'sends the subtype among the fields',
    faulty({
      channel: (kept) => ({
        requestUntyped: (subtype, fields, options) =>
          kept.requestUntyped(fields && 'subtype' in fields ? String(fields['subtype']) : subtype, fields, options),
      }),
    }),
    'sends the given subtype, whatever the fields contain',
  ],
  [
    'leaves its timers',
    faulty({
      ports: ({ clock }) => ({
        clock: withFault(clock, () => ({ after: (...given) => (clock.after(...given), () => {}) })),
      }),
    }),
    [
      'leaves no listener and no timer when a request has ended',
      'leaves the exit of an agent whose input broke to be reported as it is',
    ],
  ],
  [
    'takes a list for an answer',
    reads(put('response.response', (payload: unknown) => (Array.isArray(payload) ? {} : payload))),
    'rejects when the payload of an answer is not an object',
  ],
  [
    'takes a malformed answer for one',
    reads((frame) =>
      frame.type === 'control_response' && 'request_id' in frame
        ? ({ ...frame, response: { subtype: 'success', request_id: frame.request_id, response: {} } } as never)
        : frame,
    ),
    'ignores answers without a request, and malformed ones',
  ],
];
