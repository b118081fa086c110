import { cameWith } from './came-with.ts';
import type { Exit } from './exit.ts';

const meanings: readonly (readonly [RegExp, string])[] = [
  [/unknown option/i, 'It does not support a flag it was started with: check `extraArgs` and the version of the CLI.'],
  [
    /dangerously-skip-permissions cannot be used with root/i,
    'It refuses to bypass permissions as root: run as another user, or set IS_SANDBOX=1 inside a sandbox.',
  ],
  [
    /No conversation found/i,
    'The session to resume does not exist for this working directory and configuration folder.',
  ],
  [/already in use/i, 'The session id is taken: resume it, or choose another.'],
  [/Invalid session ID|must be a valid UUID/i, 'A session id must be a uuid.'],
  [/Not logged in|Invalid API key/i, 'It has no valid credentials: set ANTHROPIC_API_KEY, or log in.'],
  [/Settings file not found|Invalid settings/i, 'The settings it was given could not be read.'],
  [/ENOSPC|no space left/i, 'The disk is full.'],
  [/EACCES|EROFS|read-only file system/i, 'It could not write: check HOME and CLAUDE_CONFIG_DIR.'],
];

/** How an agent ended, as the end of a sentence: `exited with code 1`. */
export function formatExit({ code, signal }: Pick<Exit, 'code' | 'signal'>): string {
  return signal === null ? `exited with code ${code ?? 'unknown'}` : `was killed by ${signal}`;
}

/** Explains the last lines of an agent's error stream, for texts that mislead or are too short. */
export function explainExit(stderr: string): string | undefined {
  const flag = /unknown option '(?<flag>--[a-z-]+)/i.exec(stderr)?.groups?.['flag'];
  const since = flag && cameWith(flag);
  if (since) return `It does not support \`${flag}\`. ${since}`;
  return meanings.find(([pattern]) => pattern.test(stderr))?.[1];
}
