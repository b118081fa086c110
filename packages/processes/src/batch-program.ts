import type { HostEnvironment } from './host-environment.ts';
import type { Program } from './starting.ts';
import { systemTool } from './system-tools.ts';

const metaCharacters = /[()\][%!^"`<>&|;, *?]/g;

export interface BatchProgram {
  readonly program: Program;
  readonly args: readonly string[];
}

/**
 * Windows cannot start a batch file such as `npx.cmd` itself: the command interpreter does, which reads a line, in which
 * every character that means something to it is escaped. `undefined` for every other program.
 */
export function batchProgram(path: string, args: readonly string[], host: HostEnvironment): BatchProgram | undefined {
  if (host.platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(path)) return undefined;
  // What npm puts into `.bin` hands its arguments on to another line.
  const times = /[\\/]node_modules[\\/]\.bin[\\/][^\\/]+$/i.test(path) ? 2 : 1;
  const line = [escaped(path), ...args.map((arg) => escapedArgument(arg, times))].join(' ');
  return {
    program: { file: systemTool('cmd', host), args: ['/d', '/s', '/c', `"${line}"`], verbatim: true },
    args: [],
  };
}

function escaped(text: string): string {
  return text.replaceAll(metaCharacters, '^$&');
}

function escapedArgument(argument: string, times: number): string {
  // A backslash before a quote, or at the end, would take away the meaning of the quote.
  const quoted = `"${argument.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
  return Array.from({ length: times }).reduce<string>(escaped, quoted);
}
