import type { Connection, Launch, Transport } from '@hexagent/ports';

/** An agent with a fixed behaviour, and the transport that reaches it. */
export interface TestAgent {
  readonly transport: Transport;
  /** Fields of the launch for `connect`, besides an empty launch. */
  readonly launch?: Partial<Launch> | undefined;
}

/**
 * Small agents, which are programs or functions in the same process. Unless stated otherwise, an agent exits with code 0
 * when its input has ended.
 */
export interface TransportFixture {
  /** Answers each line with the same line. */
  echoing(): TestAgent;
  /** On its first line, writes `lines` to its output and `stderr` to its error stream, and exits with `code`. */
  crashing(output: { readonly lines: readonly string[]; readonly stderr: string; readonly code: number }): TestAgent;
  /** On each line, writes `count` lines, `{"n":0,"pad":"…"}` and so on, each with `pad` letters. */
  talkative(output: { readonly count: number; readonly pad: number }): TestAgent;
  /** On its first line, writes `whole` as a line and `half` without a line's end, and exits. */
  breakingOff(output: { readonly whole: string; readonly half: string }): TestAgent;
  /** Writes the line `here`. Then it does not read, and does not exit when its input ends or on a signal that it can ignore. */
  stubborn(): TestAgent;
  /** Exits with code 0 at once, without reading. */
  exiting(): TestAgent;
  /** Left out for a transport in memory, where `send()` never waits for an agent that does not read. */
  readonly holdsBackSenders?: true | undefined;
}

/** The promises of a suite by name, each with its test. */
export type TransportPromises = Readonly<Record<string, (fixture: TransportFixture) => Promise<void>>>;

const emptyLaunch: Launch = { args: [], env: {}, initialize: {} };

export function reach(agent: TestAgent, signal?: AbortSignal): Promise<Connection> {
  return agent.transport.connect({ ...emptyLaunch, ...agent.launch }, { signal });
}

/** Calls `body` with a connection, and closes it in any case. */
export async function connected(agent: TestAgent, body: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await reach(agent);
  try {
    await body(connection);
  } finally {
    await connection.close();
  }
}

/** Reads to the end. */
export async function readAll(connection: Connection): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const batch of connection.frames) lines.push(...batch);
  return lines;
}

/** Reads at least `count` lines. The others are lost, since `frames` can be read only once. */
export async function readSome(connection: Connection, count: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const batch of connection.frames) {
    lines.push(...batch);
    if (lines.length >= count) break;
  }
  return lines;
}

/** Rejects with the name of what is late, where the test would otherwise hang. */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${ms} ms.`)), ms);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
