import { createSdk, type Clock, type Parts, type Session, type SessionOptions, type Transport } from '@hexagent/sdk';
import { createQuery, type Options, type SDKUserMessage } from '@hexagent/sdk/claude-agent-sdk';
import { linkedTransport, scriptedAgent, type TurnScript } from '@hexagent/testing';
import { ends, passes, settled, type Run } from './callback-runs.ts';

/** Deadlines pass a hundred times as fast. */
const quickClock = clockOf(100);
/** For parts that keep everybody waiting: a minute is a thirtieth of a second. */
export const hurriedClock = clockOf(2000);

function clockOf(factor: number): Clock {
  return {
    now: () => performance.now() * factor,
    after(ms, callback) {
      const timer = setTimeout(callback, ms / factor);
      return () => clearTimeout(timer);
    },
  };
}

interface Setting {
  /** A function where making them calls the program's code. */
  readonly options?: SessionOptions | (() => SessionOptions);
  readonly parts?: Parts;
  readonly script?: TurnScript;
}

/** One turn of a session, read by a loop, awaited, and closed. */
export async function inSession(run: Run, { options, parts, script = 'Done.' }: Setting): Promise<void> {
  const aborting = new AbortController();
  const { transport } = linkedTransport(scriptedAgent({ turns: () => script }));
  const sdk = createSdk({ transport, clock: quickClock, onWarning: () => {}, ...parts });
  const live: { session?: Session | undefined } = {};
  run.conversation.current = {
    close: () => live.session?.close(),
    interrupt: () => live.session?.interrupt(),
    send: (text) => live.session?.send(text),
    request: () => live.session?.request('mcp_status'),
    abort: () => aborting.abort(),
  };
  const made = attemptOf(options);
  if (made === undefined) return;
  const opening = sdk.openSession({ ...made, signal: aborting.signal });
  await Promise.race([settled(opening), run.called.then(() => passes())]);
  const session = await opened(opening, aborting);
  if (session === undefined) return;
  live.session = session;
  await settled(oneTurn(run, session));
  const finished = settled(session.finish());
  await passes();
  await session.close();
  await finished;
  await settled(session.finish());
  await settled(session.ready);
}

/** A refusal before anything is started is an end like any other. */
function attemptOf(options: Setting['options']): SessionOptions | undefined {
  try {
    return typeof options === 'function' ? options() : (options ?? {});
  } catch {
    return undefined;
  }
}

/** What cannot be opened by now never will be. */
async function opened(opening: Promise<Session>, aborting: AbortController): Promise<Session | undefined> {
  const isOpen = await Promise.race([
    opening.then(
      () => true,
      () => true,
    ),
    passes().then(() => false),
  ]);
  if (!isOpen) aborting.abort();
  return await opening.catch(() => undefined);
}

/** Reads to the end, however that comes. */
async function readAll(messages: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of messages);
  } catch {
    // Telling of an end by throwing is what a loop is for.
  }
}

async function oneTurn(run: Run, session: Session): Promise<void> {
  const turn = session.send('go');
  const read = readAll(turn);
  await ends(run, turn.result, () => session.close());
  await read;
}

interface QuerySetting {
  readonly script?: TurnScript;
  readonly prompt?: string | AsyncIterable<SDKUserMessage>;
  readonly transport?: Transport | undefined;
}

/** A query, read to its end. */
export async function inQuery(
  run: Run,
  options: Options,
  { script = 'Done.', prompt = 'go', ...parts }: QuerySetting = {},
): Promise<void> {
  const abortController = new AbortController();
  const linked = linkedTransport(scriptedAgent({ turns: () => script }));
  const transport = 'transport' in parts ? parts.transport : linked.transport;
  const start = createQuery({ transport, clock: quickClock, onWarning: () => {} });
  const query = start({ prompt, options: { abortController, ...options } });
  run.conversation.current = {
    close: () => query.close(),
    interrupt: () => query.interrupt(),
    send: () => query.streamInput(userMessages()),
    request: () => query.mcpServerStatus(),
    abort: () => abortController.abort(),
  };
  const read = readAll(query);
  await ends(run, read, () => query.close());
  await query[Symbol.asyncDispose]();
}

async function* userMessages(): AsyncGenerator<SDKUserMessage> {
  yield { type: 'user', message: { role: 'user', content: 'more' }, parent_tool_use_id: null };
}

/** An iterable whose methods act where the seed says so. */
export function oddStream(run: Run, where: 'start' | 'next' | 'return' | 'value'): AsyncIterable<SDKUserMessage> {
  const first = userMessages();
  const iterator: AsyncIterator<SDKUserMessage> = {
    next: async () => await first.next(),
    return: () => Promise.resolve({ done: true, value: undefined }),
  };
  if (where === 'next') iterator.next = () => run.act();
  if (where === 'value') iterator.next = () => Promise.resolve().then(() => ({ done: false, value: run.act() }));
  if (where === 'return') {
    iterator.next = () => new Promise(() => {});
    iterator.return = () => run.act();
  }
  return { [Symbol.asyncIterator]: () => (where === 'start' ? run.act() : iterator) };
}

export async function withStreamInput(run: Run, where: 'start' | 'next' | 'return' | 'value'): Promise<void> {
  const { transport } = linkedTransport(scriptedAgent({ turns: () => 'Done.' }));
  const query = createQuery({ transport, clock: quickClock, onWarning: () => {} })({ prompt: 'go' });
  run.conversation.current = {
    close: () => query.close(),
    interrupt: () => query.interrupt(),
    send: () => query.streamInput(userMessages()),
    request: () => query.mcpServerStatus(),
    abort: () => query.close(),
  };
  // It is not awaited, as a program may do.
  void query.streamInput(oddStream(run, where));
  const read = readAll(query);
  await ends(run, read, () => query.close());
  await query[Symbol.asyncDispose]();
}
