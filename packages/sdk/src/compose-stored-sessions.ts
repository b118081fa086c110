import {
  SdkError,
  type Clock,
  type Ids,
  type Launcher,
  type SessionStore,
  type StoredSessions,
  type WarningListener,
} from '@hexagent/ports';
import {
  createSessionFunctions,
  startWithStore,
  type ImportRequest,
  type RestoredSession,
  type RestoreRequest,
  type SessionFunctions,
  type StoreChoice,
} from '@hexagent/official-api';
import { projectKeyOf, TranscriptFolder } from '@hexagent/transcript-files';
import {
  importSession,
  mirrorFeature,
  restoreSession,
  storedTurns,
  StoredSessionService,
  StoreTranscripts,
  type StoredTurns,
} from '@hexagent/transcripts';
import { ownConfigDir } from './own-environment.ts';
import { systemIds } from './system.ts';

export { mirrorFeature };

/**
 * Joins what reads and changes stored sessions.
 * @param configDir default: the folder of an agent of this process, by its variables at the time of a call
 */
export function storedSessionsIn(configDir: string | undefined): StoredSessions {
  const transcripts = new TranscriptFolder({ configDir: configDir ?? ownConfigDir(), ids: systemIds });
  return new StoredSessionService({ transcripts, ids: systemIds, now: () => Date.now() });
}

/** The sessions of a store, for the project in `dir`, or in the directory of this process. */
export function storedSessionsOf(store: SessionStore): StoredSessions {
  const now = (): number => Date.now();
  const transcripts = new StoreTranscripts({ store, projectKeyOf, ids: systemIds, now });
  return new StoredSessionService({ transcripts, ids: systemIds, now });
}

/** The turns of one session in a store, else in a folder; `undefined` where it is not found. */
export async function storedTurnsOf(
  sessionId: string,
  {
    store,
    configDir,
    dir,
  }: { readonly store: SessionStore | undefined } & Readonly<Record<'configDir' | 'dir', string | undefined>>,
): Promise<StoredTurns | undefined> {
  const transcripts =
    store === undefined
      ? new TranscriptFolder({ configDir: configDir ?? ownConfigDir(), ids: systemIds })
      : new StoreTranscripts({ store, projectKeyOf, ids: systemIds, now: () => Date.now() });
  const transcript = await transcripts.find(sessionId, store === undefined ? {} : { dir });
  return transcript && (await storedTurns(transcript));
}

async function importInto(store: SessionStore, sessionId: string, { dir, ...options }: ImportRequest): Promise<void> {
  const transcripts = new TranscriptFolder({ configDir: ownConfigDir(), ids: systemIds });
  const source = await transcripts.find(sessionId, { dir });
  if (source === undefined) throw new SdkError('SESSION_NOT_FOUND', `Session ${sessionId} not found.`);
  // Without a directory, the session is stored where its agent worked: that is where resuming searches for it.
  const cwd = dir ?? (await storedSessionsIn(undefined).get(sessionId))?.cwd;
  await importSession({ source, store, projectKey: await projectKeyOf(cwd), ...options });
}

export const sessionFunctions: SessionFunctions = createSessionFunctions({
  sessionsOf: (store) => (store === undefined ? storedSessionsIn(undefined) : storedSessionsOf(store)),
  importSession: async (sessionId, store, options) => await importInto(store, sessionId, options),
});

/** Loads what is resumed from a store. */
export async function restoreFrom(
  { cwd, ...request }: RestoreRequest,
  parts: { readonly clock: Clock; readonly warn: WarningListener },
): Promise<RestoredSession | undefined> {
  return await restoreSession({ ...request, ...parts, projectKey: await projectKeyOf(cwd) });
}

interface SessionParts {
  readonly launcher: Launcher;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly warn: WarningListener;
}

/**
 * The launch and the features of a session that is kept in a store. What the agent writes is stored as it comes: where its process is
 * killed, what it has done is known to the agent that resumes the session on another machine.
 */
export async function startSessionWithStore(
  store: SessionStore,
  { launcher, clock, ids, warn }: SessionParts,
  asked: Parameters<typeof startWithStore>[2],
): ReturnType<typeof startWithStore> {
  const parts = {
    launcher,
    mirror: async (choice: StoreChoice) => mirrorFeature({ ...choice, clock, ids }),
    restore: (request: RestoreRequest) => restoreFrom(request, { clock, warn }),
  };
  return await startWithStore(parts, { store, flush: 'eager' }, asked);
}
