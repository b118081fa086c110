import type { SessionKey, SessionStore, SessionStoreEntry, SessionTranscript, TranscriptEntry } from '@hexagent/ports';
import { metadataType } from './transcript-of.ts';

export interface ImportOptions {
  readonly source: SessionTranscript;
  readonly store: Pick<SessionStore, 'append'>;
  readonly projectKey: string;
  /** Whether what belongs to the session is copied too. Default `true`. */
  readonly includeSubagents?: boolean | undefined;
  /** How many entries one call of the store is given at most. Default 500. */
  readonly batchSize?: number | undefined;
}

/**
 * Copies a session into a store, as a mirror would have stored it. Called again, it stores nothing twice that has a
 * `uuid`. What the store throws, or rejects with, is passed on.
 */
export async function importSession(options: ImportOptions): Promise<void> {
  const { source, store, projectKey, includeSubagents = true } = options;
  const key = { projectKey, sessionId: source.sessionId };
  await appendAll(key, source.entries(), options);
  if (!includeSubagents) return;
  for await (const { subpath, transcript, metadata } of source.parts()) {
    await appendAll({ ...key, subpath }, transcript.entries(), options);
    if (metadata !== undefined) await store.append({ ...key, subpath }, [{ ...metadata, type: metadataType }]);
  }
}

async function appendAll(
  key: SessionKey,
  entries: AsyncIterable<readonly TranscriptEntry[]>,
  { store, batchSize = 500 }: ImportOptions,
): Promise<void> {
  let batch: SessionStoreEntry[] = [];
  for await (const some of entries) {
    for (const entry of some) {
      batch.push(entry);
      if (batch.length < batchSize) continue;
      await store.append(key, batch);
      batch = [];
    }
  }
  if (batch.length > 0) await store.append(key, batch);
}
