import { isRecord, kindOf } from '@hexagent/checks';
import {
  AbortError,
  SdkError,
  type Clock,
  type ConfigFile,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
  type WarningListener,
} from '@hexagent/ports';
import { attempt, onAbort } from '@hexagent/async';
import { uuid } from './store-transcripts.ts';
import { withoutMetadata } from './transcript-of.ts';

export interface RestoreOptions {
  readonly store: SessionStore;
  readonly projectKey: string;
  /** Which session; without it the one of the project that was written last. */
  readonly sessionId?: string | undefined;
  /** How long one call of the store may take. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
  readonly warn: WarningListener;
}

/** A session of a store, as the agent can resume it. */
export interface RestoredSession {
  readonly sessionId: string;
  /** What the agent's config folder must hold. */
  readonly files: readonly ConfigFile[];
}

type Call = <T>(method: string, call: () => Promise<T>) => Promise<T>;

/**
 * Loads a session and everything that belongs to it. `undefined` where the store does not have it; a name that is not a uuid is
 * not one of a session. What the store throws, or rejects with, is passed on: no session is taken for new because a store failed.
 * @throws {SdkError} `STORE_TIMEOUT`; `AbortError`; `TypeError` for what is not a list of entries.
 */
export async function restoreSession(options: RestoreOptions): Promise<RestoredSession | undefined> {
  const { store, projectKey, warn } = options;
  const call = callerOf(options);
  const sessionId = options.sessionId ?? (await newestOf(store, projectKey, call));
  if (sessionId === undefined || !uuid.test(sessionId)) return undefined;
  const key = { projectKey, sessionId };
  const entries = await loadEntries(store, key, call);
  if (entries === undefined) return undefined;
  const folder = `projects/${projectKey}`;
  const files: ConfigFile[] = [{ path: `${folder}/${sessionId}.jsonl`, lines: linesOf(entries) }];
  for (const subpath of await subpathsOf(store, key, call, warn)) {
    const belonging = (await loadEntries(store, { ...key, subpath }, call)) ?? [];
    files.push(...filesOf(`${folder}/${sessionId}/${subpath}`, belonging));
  }
  return { sessionId, files };
}

async function newestOf(store: SessionStore, projectKey: string, call: Call): Promise<string | undefined> {
  const sessions = await call('listSessions', async () => (await store.listSessions?.(projectKey)) ?? []);
  return sessions
    .filter(({ sessionId }) => uuid.test(sessionId))
    .toSorted((one, two) => two.mtime - one.mtime)
    .at(0)?.sessionId;
}

async function loadEntries(
  store: SessionStore,
  key: SessionKey,
  call: Call,
): Promise<readonly SessionStoreEntry[] | undefined> {
  const loaded: unknown = await call('load', () => store.load(key));
  if (loaded === null || loaded === undefined) return undefined;
  if (!Array.isArray(loaded))
    throw new TypeError(`load() of the session store must return a list of entries, or null, not ${kindOf(loaded)}.`);
  const wrong = loaded.findIndex((entry) => !isRecord(entry));
  if (wrong !== -1)
    throw new TypeError(
      `load() of the session store must return entries as they were appended: number ${wrong} is ${kindOf(loaded[wrong])}.`,
    );
  return loaded.length === 0 ? undefined : loaded;
}

async function subpathsOf(
  store: SessionStore,
  key: SessionKey,
  call: Call,
  warn: WarningListener,
): Promise<readonly string[]> {
  // Each once: a transcript becomes a file.
  const given = [...new Set(await call('listSubkeys', async () => (await store.listSubkeys?.(key)) ?? []))];
  const safe = given.filter(isSafe);
  if (safe.length < given.length)
    warn({
      code: 'HEXAGENT_NOT_STORED',
      source: 'session store',
      message: `listSubkeys() of the session store returned ${given.length - safe.length} of ${given.length} subpaths that lead out of the session's folder, or name nothing. They are left out.`,
    });
  return safe;
}

/** A subpath becomes the path of a file, so it must not lead elsewhere. */
function isSafe(subpath: unknown): boolean {
  if (typeof subpath !== 'string' || /[\0\\]/.test(subpath)) return false;
  return subpath.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

/** The metadata of a subagent is a file beside its transcript. */
function filesOf(path: string, stored: readonly SessionStoreEntry[]): readonly ConfigFile[] {
  const { entries, metadata } = withoutMetadata(stored);
  return [
    ...(entries.length > 0 ? [{ path: `${path}.jsonl`, lines: linesOf(entries) }] : []),
    ...(metadata === undefined ? [] : [{ path: `${path}.meta.json`, lines: [JSON.stringify(metadata)] }]),
  ];
}

/** Made when they are written, so that a session is in memory once. */
function linesOf(entries: readonly SessionStoreEntry[]): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      for (const entry of entries) yield JSON.stringify(entry);
    },
  };
}

/** Calls a method of the store; rejects when it is late or the program aborts. */
function callerOf({ clock, timeoutMs, signal }: RestoreOptions): Call {
  return async (method, call) => {
    const stops: (() => void)[] = [];
    try {
      return await new Promise((resolve, reject) => {
        const late = (): void =>
          reject(new SdkError('STORE_TIMEOUT', `${method}() of the session store took longer than ${timeoutMs} ms.`));
        stops.push(
          clock.after(timeoutMs, late, { keepsAlive: true }),
          onAbort(signal, (cause) => reject(new AbortError('The session was not resumed: it was aborted.', { cause }))),
        );
        attempt(call).then(resolve, reject);
      });
    } finally {
      for (const stop of stops) stop();
    }
  };
}
