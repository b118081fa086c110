import { SdkError } from '@hexagent/ports';
import { launchError } from './errors.ts';
import type { AgentChoice } from './query-parts.ts';

/** The names of the transport's options in the drop-in. */
const ownNames: Readonly<Record<string, string>> = {
  spawn: 'spawnClaudeCodeProcess',
  executable: 'pathToClaudeCodeExecutable',
  interpreter: 'executable',
  interpreterArgs: 'executableArgs',
};

/**
 * An error of the transport that this choice made, as the drop-in gives it: its message names the options of the drop-in. An error of a
 * transport that the program brought along keeps the names that it was made with.
 */
export function withOwnNames(
  error: unknown,
  { transport, spawn, executable, interpreter, interpreterArgs }: AgentChoice,
): unknown {
  const isMadeHere = transport === undefined && (spawn ?? executable ?? interpreter ?? interpreterArgs) !== undefined;
  if (!isMadeHere || !(error instanceof Error)) return error;
  error.message = error.message.replaceAll(
    /\b(?<article>the option )`(?<name>\w+)`/gi,
    (text, article: string, name: string) => (name in ownNames ? `${article}\`${ownNames[name]}\`` : text),
  );
  return SdkError.is(error) && executable !== undefined ? launchError(error, executable) : error;
}
