import { SdkError } from '@hexagent/ports';
import { context, decides, faulty, hosts, put, reads, signals, type Fault } from './faulty-protocol.ts';

/** Of how callbacks are called. */
export const ofCallbacks: readonly Fault[] = [
  [
    'loses unknown fields of a request',
    decides(
      (decide) =>
        ({ tool_name, tool_use_id, input }, asked) =>
          decide({ subtype: 'can_use_tool', tool_name, tool_use_id, input } as never, asked),
    ),
    'passes the request of the agent with its own field names, and its id',
  ],
  [
    'answers in the order of the requests',
    decides((decide) => {
      let last: Promise<unknown> = Promise.resolve();
      return (...asked) => {
        const answer = decide(...asked);
        const answered = last.then(() => answer);
        last = answered.catch(() => {});
        return answered;
      };
    }),
    'calls each callback at once, and writes the answers in the order in which they settle',
  ],
  [
    'answers as often as it is asked',
    faulty({
      connection(kept) {
        const read: string[] = [];
        return {
          frames: (async function* () {
            for await (const lines of kept.frames) {
              read.push(...lines);
              yield lines;
            }
          })(),
          async send(line) {
            const { response } = JSON.parse(line) as { response?: { request_id?: unknown } };
            const id = JSON.stringify(response?.request_id) ?? 'none';
            await kept.send(line);
            if (read.filter((request) => request.includes(`"request_id":${id}`)).length > 1) await kept.send(line);
          },
        };
      },
    }),
    'answers a request once that the agent sends twice while it is open',
  ],
  [
    'aborts with a reason of its own when the agent withdraws',
    signals((reason) => (SdkError.is(reason) ? reason : 'withdrawn')),
    '#57 aborts the signal when the agent withdraws, and drops the late answer',
  ],
  [
    'makes the signal when it is read',
    context((kept) => {
      let isWithdrawn = false;
      kept.onAbort?.(() => (isWithdrawn = true));
      return {
        get signal() {
          return isWithdrawn ? new AbortController().signal : kept.signal;
        },
      };
    }),
    [
      '#57 aborts the signal when the agent withdraws, and drops the late answer',
      '#57 has an aborted signal for a callback that reads it only later',
    ],
  ],
  [
    'calls no listener',
    context(() => ({ onAbort: () => () => {} })),
    '#57 calls a listener of a withdrawn call without its signal, where it can',
  ],
  [
    'takes the cancelling of an MCP call for any notification',
    reads(put('request.message.method', (method: string) => method.replace('cancelled', 'other'))),
    '#57 ends an MCP call that the agent cancels, though its server never answers it',
  ],
  [
    'has a deadline of an hour',
    decides((decide, { clock }) => (request, asked) => {
      const late = new Promise<null>((resolve) => clock.after(3_600_000, () => resolve(null)));
      return Promise.race([decide(request, asked), late]);
    }),
    '#28 has no deadline for a permission',
  ],
  [
    'loses the error of a callback',
    faulty({
      ports: ({ observer }) => ({
        observer: observer && {
          observe: (event) =>
            observer.observe(
              event.kind === 'callback_failed' && event.subtype === 'can_use_tool'
                ? { ...event, error: 'It failed.' }
                : event,
            ),
        },
      }),
    }),
    'warns once of a callback that failed, with its error',
  ],
  [
    'blames the callback for a request that lacks fields',
    faulty({
      ports: ({ observer }) => ({
        observer: observer && {
          observe(event) {
            observer.observe(event);
            if (event.kind === 'sent' && JSON.stringify(event.frame).includes('can_use_tool needs'))
              observer.observe({ kind: 'callback_failed', subtype: 'can_use_tool', error: '', conversation: '' });
          },
        },
      }),
    }),
    'does not warn of a callback for a request that lacks fields',
  ],
  [
    'reports no change of the open calls',
    hosts(() => ({ activity: () => {} })),
    'reports every change of the open calls, an answered one once its answer is written',
  ],
];
