import type { SessionStoreEntry, TranscriptPart } from '@hexagent/ports';
import { transcriptOf } from './transcript-of.ts';

/** The subpath of a subagent's transcript, with its id. */
export const subagentPath: RegExp = /^subagents\/(?:.+\/)?agent-([^/]+)$/;

/** The metadata of a subagent is an entry of its transcript in a store, and a file beside it in the agent's folder. */
export const metadataType = 'agent_metadata';

/** A transcript that belongs to a session, as a store has it. */
export function partOf(subpath: string, stored: readonly SessionStoreEntry[]): TranscriptPart {
  const transcript = transcriptOf(stored.filter(({ type }) => type !== metadataType));
  const newest = stored.findLast(({ type }) => type === metadataType);
  if (newest === undefined) return { subpath, transcript, metadata: undefined };
  const { type: _, ...metadata } = newest;
  return { subpath, transcript, metadata };
}
