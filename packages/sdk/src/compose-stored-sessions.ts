import { homedir } from 'node:os';
import path from 'node:path';
import type { StoredSessions } from '@hexagent/ports';
import { createSessionFunctions, type SessionFunctions } from '@hexagent/official-api';
import { TranscriptFolder } from '@hexagent/transcript-files';
import { StoredSessionService } from '@hexagent/transcripts';
import { systemIds } from './system.ts';

/**
 * Joins what reads and changes stored sessions. Loaded by the first call, so that a program which only asks an agent pays
 * nothing for it.
 * @param configDir default: where an agent of this process would look, which its variables say at the time of a call
 */
export function storedSessionsIn(configDir: string | undefined): StoredSessions {
  const transcripts = new TranscriptFolder({ configDir: configDir ?? ownConfigDir(), ids: systemIds });
  return new StoredSessionService({ transcripts, ids: systemIds, now: () => Date.now() });
}

const ownConfigDir = (): string => process.env['CLAUDE_CONFIG_DIR'] || path.join(homedir(), '.claude');

export const sessionFunctions: SessionFunctions = createSessionFunctions(() => storedSessionsIn(undefined));
