import { homedir } from 'node:os';
import path from 'node:path';

/**
 * The program's own variables, without the variable that an agent sets for the tools that run inside it, and without those that
 * are for this process alone: a tool that is a program with an agent would write the same tape,
 * and the address of its inspector into what the model reads.
 */
export function ownEnvironment(): Record<string, string | undefined> {
  const {
    CLAUDECODE: _,
    HEXAGENT_INSPECT: __,
    HEXAGENT_RECORD: ___,
    HEXAGENT_REPLAY: ____,
    HEXAGENT_REPLAY_WAIT_MS: _____,
    ...own
  } = process.env;
  return own;
}

/** The CLI's own folder, as this process finds it. */
export const ownConfigDir = (): string => process.env['CLAUDE_CONFIG_DIR'] || path.join(homedir(), '.claude');

/** One file for all agents of this process. */
let file: string | undefined;

/**
 * The log that the variable `DEBUG_CLAUDE_AGENT_SDK` of this process switches on, as in the official package. Its place is
 * printed when it is first needed.
 */
export function debugFile(): string | undefined {
  if (!process.env['DEBUG_CLAUDE_AGENT_SDK']) return undefined;
  if (file === undefined) {
    file = path.join(ownConfigDir(), 'debug', `sdk-${crypto.randomUUID()}.txt`);
    process.stderr.write(`SDK debug logs: ${file}\n`);
  }
  return file;
}
