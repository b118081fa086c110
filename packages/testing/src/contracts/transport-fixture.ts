import type { Connection, Launch, Transport } from '@hexagent/ports';

/** An agent of a known behaviour, and the way to it. */
export interface AgentAtHand {
  readonly transport: Transport;
  /** What `connect` is called with; a launch of nothing when absent. */
  readonly launch?: Partial<Launch> | undefined;
}

/**
 * Small agents that every transport can reach: as programs, or as functions in the same process. Unless it says
 * otherwise, an agent leaves with code 0 when its input has ended.
 */
export interface TransportFixture {
  /** Answers each line with the same line. */
  echoing(): AgentAtHand;
  /** Upon its first line: writes `lines` to its output, `stderr` to its error stream, and leaves with `code`. */
  crashing(words: { readonly lines: readonly string[]; readonly stderr: string; readonly code: number }): AgentAtHand;
  /** Upon each line: writes `count` lines, `{"n":0,"pad":"…"}` and so on, each with `pad` letters. */
  talkative(speech: { readonly count: number; readonly pad: number }): AgentAtHand;
  /** Upon its first line: writes `whole` as a line, `half` without a line's end, and leaves. */
  breakingOff(words: { readonly whole: string; readonly half: string }): AgentAtHand;
  /** Writes the line `here`, then neither reads, nor leaves when its input ends or when it is asked to. */
  stubborn(): AgentAtHand;
  /** Leaves with code 0 at once, without reading. */
  leaving(): AgentAtHand;
  /** Left out where what is sent is taken at once by an agent that does not read, as in memory. */
  readonly holdsBackSenders?: true | undefined;
}

/** Promises by name; each is kept by a fixture's agents. */
export type TransportPromises = Readonly<Record<string, (fixture: TransportFixture) => Promise<void>>>;

const launchOfNothing: Launch = { args: [], env: {}, initialize: {}, awaitInitialize: false };

export function reach(agent: AgentAtHand, signal?: AbortSignal): Promise<Connection> {
  return agent.transport.connect({ ...launchOfNothing, ...agent.launch }, { signal });
}

/** Gives a connection to `body` and closes it, whatever happens. */
export async function connected(agent: AgentAtHand, body: (connection: Connection) => Promise<void>): Promise<void> {
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

/** Reads `count` lines and leaves the rest for nobody: `frames` is read once. */
export async function readSome(connection: Connection, count: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const batch of connection.frames) {
    lines.push(...batch);
    if (lines.length >= count) break;
  }
  return lines;
}

/** For promises whose breaking would look like a hanging test: says what was waited for. */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${ms} ms.`)), ms);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
