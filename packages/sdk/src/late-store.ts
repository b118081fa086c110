/*
 * What a query with a store needs, and no other: loaded with the first of them.
 */
import type { RestoredSession, RestoreRequest } from '@hexagent/official-api';
import type { Clock, WarningListener } from '@hexagent/ports';
import { projectKeyOf } from '@hexagent/transcript-files';
import { restoreSession } from '@hexagent/transcripts';

export { mirrorFeature } from '@hexagent/transcripts';

/** Loads what is resumed from a store. */
export async function restoreFrom(
  { cwd, ...request }: RestoreRequest,
  parts: { readonly clock: Clock; readonly warn: WarningListener },
): Promise<RestoredSession | undefined> {
  return await restoreSession({ ...request, ...parts, projectKey: await projectKeyOf(cwd) });
}
