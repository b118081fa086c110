import { join } from 'node:path';
import { environmentOf } from '../environment.ts';
import { foldersOf, type CheckedOptions } from '../session-options.ts';
import type { ReadTurns } from './session-turns.ts';

/** Reads the turns of a session where its agent stores them: in the store of the program, else in the folder of the agent's settings. */
export function storedTurnsReader(options: CheckedOptions): ReadTurns {
  const { store, persist } = options;
  const { cwd, home } = foldersOf(options);
  const { CLAUDE_CONFIG_DIR } = environmentOf(options);
  const configDir = CLAUDE_CONFIG_DIR || (home === undefined ? undefined : join(home, '.claude'));
  return async (sessionId) => {
    if (persist === false) return undefined;
    const { storedTurnsOf } = await import('../compose-stored-sessions.ts');
    return await storedTurnsOf(sessionId, { store, configDir, dir: cwd });
  };
}
