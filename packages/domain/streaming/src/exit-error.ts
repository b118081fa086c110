import { AgentExitedError, SdkError, type Exit } from '@hexagent/ports';

/** What the agent's last words mean, where they are known to mislead or to be too short. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/unknown option/i, 'It does not know a flag it was started with: check `extraArgs` and the version of the CLI.'],
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

/** The error for an agent that went away while it was needed. Names how, what it said last and what was lost. */
export function exitError(exit: Exit, lost: readonly string[], wasReady: boolean): AgentExitedError {
  const idle = lost.length > 0 ? 'before it had answered' : 'while no turn was open';
  const phase = wasReady ? idle : 'before it was ready';
  const how = exit.signal === null ? `exited with code ${exit.code ?? 'unknown'}` : `was killed by ${exit.signal}`;
  const meaning = meanings.find(([pattern]) => pattern.test(exit.stderr))?.[1];
  const lastWords = exit.stderr.trim().split('\n').slice(-5).join('\n');
  const parts = [
    `The agent ${how} ${phase}.`,
    lost.length > 0 ? `Lost: ${lost.join(', ')}.` : undefined,
    meaning,
    lastWords === '' ? 'It wrote nothing to its error stream.' : `It last wrote:\n${lastWords}`,
  ];
  return new AgentExitedError(parts.filter((part) => part !== undefined).join(' '), { exit, lost });
}

/** The error for what comes too late, with how the conversation ended. */
export function closedError(what: string, cause?: Error): SdkError {
  if (cause === undefined) return new SdkError('CONVERSATION_CLOSED', `${what}.`);
  return new SdkError('CONVERSATION_CLOSED', `${what}. ${cause.message}`, { cause });
}
