import { SdkError, type Connection, type Exit, type Transport } from '@hexagent/ports';
import {
  linkedAgents,
  plantedFaults,
  transportContract,
  withFault,
  type TransportFixture,
} from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';

/** Agents whose connections have some members replaced. */
const spoiled = (change: (connection: Connection) => Partial<Connection>): TransportFixture =>
  linkedAgents((inner) => ({
    connect: async (launch, options) => withFault(await inner.connect(launch, options), change),
  }));

/** The frames of a connection, with each batch changed. */
async function* batches(
  { frames }: Connection,
  change: (batch: readonly string[]) => readonly (readonly string[])[],
): AsyncIterable<readonly string[]> {
  for await (const batch of frames) yield* change(batch);
}

const exits = (change: (exit: Exit) => Partial<Exit>): TransportFixture =>
  spoiled((connection) => ({ exit: connection.exit.then((exit) => ({ ...exit, ...change(exit) })) }));

const connecting = (connect: (inner: Transport) => Transport['connect']): TransportFixture =>
  linkedAgents((inner) => ({ connect: connect(inner) }));

/** Sends what came in one go in another order. */
function shuffled(connection: Connection): Partial<Connection> {
  let held: string[] = [];
  let flushed: Promise<unknown> = Promise.resolve();
  const flush = (): Promise<unknown> => {
    const lines = held.toReversed();
    held = [];
    return Promise.all(lines.map((line) => connection.send(line)));
  };
  return {
    async send(line) {
      if (held.push(line) === 1) flushed = Promise.resolve().then(flush);
      await flushed;
    },
    async end() {
      await flushed;
      await connection.end();
    },
  };
}

describe('The contract of transports', () => {
  plantedFaults(
    { it },
    {
      suite: transportContract,
      kept: linkedAgents(),
      rounds: 3000,
      faults: [
        [
          'cuts off what is long',
          spoiled((connection) => ({ send: (line) => connection.send(line.slice(0, 100_000)) })),
          'delivers lines whole and in the order sent',
        ],
        ['sends in another order', spoiled(shuffled), 'keeps the order of lines that were sent without waiting'],
        [
          'delivers empty batches',
          spoiled((connection) => ({ frames: batches(connection, (batch) => [[], batch]) })),
          'delivers batches that are never empty',
        ],
        [
          'loses what is delivered at its end',
          spoiled((connection) => ({
            frames: batches(connection, (batch) => [batch.filter((line) => !line.startsWith('{"n":2,"pad":""'))]),
          })),
          'delivers the agent’s lines after `end()`',
        ],
        [
          'loses lines when it was paused',
          spoiled((connection) => {
            let hasPaused = false;
            return {
              pause() {
                hasPaused = true;
                connection.pause();
              },
              frames: batches(connection, (batch) =>
                [hasPaused ? batch.slice(1) : batch].filter(({ length }) => length > 0),
              ),
            };
          }),
          [
            'loses nothing while paused, and delivers it in order when resumed',
            'loses nothing when the agent exits while reading is paused',
          ],
        ],
        [
          'keeps no error stream',
          exits(() => ({ stderr: '' })),
          'resolves `exit` with code, signal and stderr, after the last line',
        ],
        [
          'forgets a line without an ending',
          exits(() => ({ unterminated: undefined })),
          'reports a last line without an ending in the exit, not among the frames',
        ],
        [
          'sends to an agent that has exited',
          spoiled((connection) => {
            let hasExited = false;
            void connection.exit.then(({ closed }) => (hasExited = !closed));
            return { send: (line) => (hasExited ? Promise.resolve() : connection.send(line)) };
          }),
          'refuses to send with CHANNEL_CLOSED once the agent has exited',
        ],
        [
          'sends after `end()`',
          spoiled((connection) => {
            let hasEnded = false;
            return {
              end: () => ((hasEnded = true), connection.end()),
              send: (line) => (hasEnded ? Promise.resolve() : connection.send(line)),
            };
          }),
          'refuses to send with CHANNEL_CLOSED after `end()`',
        ],
        [
          'cannot be ended twice',
          spoiled((connection) => {
            let count = 0;
            return {
              async end() {
                if ((count += 1) > 1) throw new SdkError('CHANNEL_CLOSED', 'It was ended.');
                await connection.end();
              },
            };
          }),
          'lets `end()` be called twice, and after the agent has exited',
        ],
        [
          'takes a closed agent for one that exited',
          exits(() => ({ closed: false })),
          [
            'ends the reader at once, and reports in the exit that it was closed',
            'ends an agent that neither reads nor exits',
          ],
        ],
        [
          'cannot be closed twice',
          spoiled((connection) => {
            let count = 0;
            return {
              async close() {
                if ((count += 1) === 3) throw new SdkError('CHANNEL_CLOSED', 'It was closed.');
                await connection.close();
              },
            };
          }),
          'may be closed twice, at the same time and later',
        ],
        [
          'takes each agent for one that was closed',
          exits(() => ({ closed: true })),
          [
            'resolves `exit` with code, signal and stderr, after the last line',
            'does not report an agent as closed that had exited by itself',
          ],
        ],
        [
          'delivers what is unread after it was closed',
          spoiled((connection) => {
            let isClosed = false;
            return {
              close: (options) => ((isClosed = true), connection.close(options)),
              pause: () => {},
              frames: {
                async *[Symbol.asyncIterator]() {
                  if (isClosed) yield ['late'];
                  yield* connection.frames;
                },
              },
            };
          }),
          'discards what is unread',
        ],
        [
          'sends after it was closed',
          spoiled((connection) => {
            let isClosed = false;
            return {
              close: (options) => ((isClosed = true), connection.close(options)),
              send: (line) => (isClosed ? Promise.resolve() : connection.send(line)),
            };
          }),
          'refuses to send with CHANNEL_CLOSED afterwards',
        ],
        [
          'does not wait for an agent that does not read',
          spoiled((connection) => ({
            async send(line) {
              const sent = connection.send(line);
              if (line.length > 1_000_000) void sent.catch(() => {});
              else await sent;
            },
          })),
          'keeps `send()` pending while the agent does not read, and rejects it when the line could not be written',
        ],
        [
          'connects although it is aborted',
          connecting((inner) => (launch) => inner.connect(launch)),
          'rejects with an AbortError that has the reason when aborted before it begins',
        ],
        [
          'rejects with the reason of an abort',
          connecting((inner) => async (launch, options) => {
            const connection = await inner.connect(launch, options);
            await Promise.resolve();
            if (options?.signal?.aborted) throw options.signal.reason;
            return connection;
          }),
          'rejects with an AbortError when aborted while connecting, or is connected',
        ],
        [
          'closes when the signal aborts later',
          connecting((inner) => async (launch, options) => {
            const connection = await inner.connect(launch, options);
            options?.signal?.addEventListener('abort', () => void connection.close());
            return connection;
          }),
          'ignores the signal once it is connected',
        ],
      ],
      without: {
        'lets the agent write when its reader has left the loop':
          'A reader that leaves is not known to what wraps a connection.',
      },
    },
  );
});
