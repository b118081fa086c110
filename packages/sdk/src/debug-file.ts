import path from 'node:path';
import { ownConfigDir } from './own-config-dir.ts';

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
