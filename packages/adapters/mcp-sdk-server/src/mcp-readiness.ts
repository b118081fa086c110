import { Deferred, onAbort } from '@hexagent/async';
import {
  AbortError,
  SdkError,
  type Clock,
  type McpReadyOptions,
  type McpServerState,
  type RequestOptions,
} from '@hexagent/ports';
import { knownServer } from './session-mcp-checks.ts';
import { isReady, notReady } from './mcp-server-states.ts';

/** The agent sends no notification when a server connects, so it is asked: often at first, then every second. */
const firstPauseMs = 25;
const longestPauseMs = 1000;
/** The CLI gives a server 30 seconds, and one in this process a second try. */
const defaultTimeoutMs = 65_000;

interface Waiting {
  readonly clock: Clock;
  readonly ended: AbortSignal;
  /** The states of the program's own servers before the agent has reported any. */
  readonly assumed: readonly McpServerState[];
  readonly status: (limits: RequestOptions) => Promise<readonly McpServerState[]>;
}

export async function waitUntilReady(
  { clock, ended, assumed, status }: Waiting,
  { servers: names, timeoutMs = defaultTimeoutMs, signal }: McpReadyOptions,
): Promise<readonly McpServerState[]> {
  const began = clock.now();
  let unready = assumed.filter(({ name }) => names?.includes(name) ?? true);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const leftMs = timeoutMs - (clock.now() - began);
    const all = await status({ signal, timeoutMs: Math.max(leftMs, 1) }).catch((error: unknown) => {
      throw isLate(error) ? notReady(unready, timeoutMs, error) : error;
    });
    const wanted = wantedOf(all, names);
    unready = wanted.filter((server) => !isReady(server));
    if (unready.length === 0) return wanted;
    if (unready.some(({ state }) => isFinal(state))) throw notReady(unready);
    const restMs = timeoutMs - (clock.now() - began);
    if (restMs <= 0) throw notReady(unready, timeoutMs);
    await pause(Math.min(pauseMs, restMs), { clock, ended, signal });
  }
}

/** The named servers, else all but those that were turned off. */
function wantedOf(all: readonly McpServerState[], names: readonly string[] | undefined): readonly McpServerState[] {
  if (names === undefined) return all.filter(({ state }) => state !== 'disabled');
  const known = all.map(({ name }) => name);
  for (const [index, name] of names.entries()) knownServer(name, `servers[${index}]`, known);
  return all.filter(({ name }) => names.includes(name));
}

const isLate = (error: unknown): boolean => SdkError.is(error) && error.code === 'REQUEST_TIMEOUT';

const isFinal = (state: McpServerState['state']): boolean => state !== 'connected' && state !== 'pending';

/** Resolves also when the session ends: the next request rejects with the reason. */
async function pause(
  ms: number,
  { clock, ended, signal }: Pick<Waiting, 'clock' | 'ended'> & Pick<McpReadyOptions, 'signal'>,
): Promise<void> {
  const paused = new Deferred<void>();
  const stops = [
    clock.after(ms, () => paused.resolve(), { keepsAlive: true }),
    onAbort(ended, () => paused.resolve()),
    onAbort(signal, (cause) => paused.reject(new AbortError(undefined, { cause }))),
  ];
  try {
    await paused.promise;
  } finally {
    for (const stop of stops) stop();
  }
}
