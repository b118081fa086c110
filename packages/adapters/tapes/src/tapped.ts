import { errorText } from '@hexagent/checks';
import type { Connection, Exit, Launch, Transport } from '@hexagent/ports';
import { warnProcess } from '@hexagent/processes';

/** What a tap reports of one agent, as it happens. Lines are what was sent and received: nothing is redacted here. */
export type TapEvent =
  /** A line of the program, reported when it is sent. */
  | { readonly kind: 'out'; readonly line: string }
  /** Lines of the agent, reported when the program takes them. */
  | { readonly kind: 'in'; readonly lines: readonly string[] }
  | { readonly kind: 'end' | 'pause' | 'resume' }
  | { readonly kind: 'close'; readonly atOnce: boolean }
  /** `connect()` rejected; nothing follows. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The frames ended with an error. */
  | { readonly kind: 'broken'; readonly error: unknown }
  | { readonly kind: 'exit'; readonly exit: Exit };

/** Receives the events of one agent, synchronously. One that throws is called no more, and the process is warned. */
export type TapListener = (event: TapEvent) => void;

/** Called with each launch, before the agent is started. Returns what receives the events of that agent. */
export type TapSink = (launch: Launch) => TapListener;

/** The same transport, with a sink that sees all that passes. The conversation does not depend on the sink. */
export function tapped(transport: Transport, sink: TapSink): Transport {
  return {
    async connect(launch, options) {
      const report = safeListener(sink, launch);
      try {
        return tappedConnection(await transport.connect(launch, options), report);
      } catch (error) {
        report({ kind: 'failed', error });
        throw error;
      }
    },
  };
}

function safeListener(sink: TapSink, launch: Launch): TapListener {
  let listener: TapListener | undefined;
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (cause) {
      listener = undefined; // a sink that failed may be in a state in which it cannot continue
      const message = `What records this conversation failed, and the conversation continues without it: ${errorText(cause)}`;
      warnProcess({ code: 'HEXAGENT_NOT_RECORDED', source: 'sink', message, cause });
    }
  };
  attempt(() => (listener = sink(launch)));
  return (event) => attempt(() => listener?.(event));
}

function tappedConnection(connection: Connection, report: TapListener): Connection {
  return {
    frames: tappedFrames(connection.frames, report),
    exit: connection.exit.then((exit) => {
      report({ kind: 'exit', exit });
      return exit;
    }),
    send(line) {
      report({ kind: 'out', line });
      return connection.send(line);
    },
    end() {
      report({ kind: 'end' });
      return connection.end();
    },
    close(options) {
      report({ kind: 'close', atOnce: options?.atOnce === true });
      return connection.close(options);
    },
    pause() {
      report({ kind: 'pause' });
      connection.pause();
    },
    resume() {
      report({ kind: 'resume' });
      connection.resume();
    },
  };
}

type Batch = readonly string[];

/** Not a generator: its `return()` would wait for a `next()` that is pending. */
function tappedFrames(frames: Connection['frames'], report: TapListener): Connection['frames'] {
  const received = (result: IteratorResult<Batch>): IteratorResult<Batch> => {
    if (result.done !== true) report({ kind: 'in', lines: result.value });
    return result;
  };
  const failed = (error: unknown): never => {
    report({ kind: 'broken', error });
    throw error;
  };
  return {
    [Symbol.asyncIterator]() {
      const iterator = frames[Symbol.asyncIterator]();
      return {
        next: () => iterator.next().then(received, failed),
        async return() {
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
