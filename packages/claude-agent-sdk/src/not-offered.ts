import { SdkError } from '@hexagent/ports';

/** What to use in place of an entry that is left out. */
const instead = {
  './browser':
    'there is no connection from a browser to an agent elsewhere. Run `query()` on a server, and pass its messages on to the page by a socket of your own',
  './bridge':
    'it connects sessions to claude.ai, which this package does not do. Install the official package under a second name beside this one, and import it from there',
  './extract':
    'a CLI inside of a program that Bun compiled is not taken out. Put the CLI beside the program, and name its path in `pathToClaudeCodeExecutable` or in CLAUDE_CODE_PATH',
};

/** The error for a function of an entry that is left out. */
export function notOffered(name: string, entry: keyof typeof instead): SdkError {
  return new SdkError('NOT_OFFERED', `\`${name}()\` of \`${entry}\` is not offered: ${instead[entry]}.`);
}
