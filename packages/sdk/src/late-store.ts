/*
 * What a query with a store needs, and no other: loaded with the first of them.
 */
import { realpath } from 'node:fs/promises';
import type { RestoredSession, RestoreRequest } from '@hexagent/official-api';
import type { Clock, WarningListener } from '@hexagent/ports';
import { projectFolder } from '@hexagent/transcript-files';
import { restoreSession } from '@hexagent/transcripts';

export { mirrorFeature } from '@hexagent/transcripts';

/** Loads what is resumed from a store. */
export async function restoreFrom(
  { cwd, ...request }: RestoreRequest,
  parts: { readonly clock: Clock; readonly warn: WarningListener },
): Promise<RestoredSession | undefined> {
  return await restoreSession({ ...request, ...parts, projectKey: await projectKeyOf(cwd) });
}

/** Whose sessions an agent works on that works in this folder, in the spelling of the agent. */
export async function projectKeyOf(cwd: string = process.cwd()): Promise<string> {
  // The agent takes the path that links lead to. Of a folder that is elsewhere, or missing, only the name is known.
  return projectFolder(await realpath(cwd).catch(() => cwd));
}
