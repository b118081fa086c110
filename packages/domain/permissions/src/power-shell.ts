import type { CommandPattern } from './command-rules.ts';

/** The names that PowerShell has for one command. */
const aliases: readonly (readonly string[])[] = [
  ['remove-item', 'ri', 'rm', 'rmdir', 'del', 'erase', 'rd'],
  ['move-item', 'mi', 'mv', 'move'],
  ['copy-item', 'cpi', 'cp', 'copy'],
  ['rename-item', 'rni', 'ren'],
  ['new-item', 'ni', 'mkdir', 'md'],
  ['set-item', 'si'],
  ['clear-item', 'cli'],
  ['get-content', 'gc', 'cat', 'type'],
  ['set-content', 'sc'],
  ['add-content', 'ac'],
  ['clear-content', 'clc'],
  ['get-childitem', 'gci', 'ls', 'dir'],
  ['invoke-webrequest', 'iwr', 'curl', 'wget'],
  ['invoke-restmethod', 'irm'],
  ['stop-process', 'spps', 'kill'],
  ['start-process', 'saps', 'start'],
  ['stop-service', 'spsv'],
  ['start-service', 'sasv'],
  ['set-location', 'sl', 'cd', 'chdir'],
  ['tee-object', 'tee'],
];

/** What is called by a value, evaluated, decoded, or given another name: it may be any command. */
const computed =
  /(?:^|[\s;|&{(=])[&.]\s*[^\s\w./\\~:&-]|\b(?:iex|invoke-expression|icm|invoke-command|invokescript|invoke-item|ii|sal|set-alias|nal|new-alias|scriptblock|get-command|gcm)\b|(?:^|\s)[-/]e(?:c|nc\w*)?\s|\$executioncontext/i;

/** Whether the command may run the program of the pattern. Escapes and quotes may stand anywhere in a name. */
export function mayRunInPowerShell({ program }: Pick<CommandPattern, 'program'>, command: string): boolean {
  if (program === undefined || computed.test(command)) return true;
  const text = command.replaceAll(/[`'"^]/g, '').toLowerCase();
  const names = aliases.find((known) => known.includes(program)) ?? [program];
  if (text.includes(program) || computed.test(text)) return true;
  const called = new Set(text.split(/[^\w.-]+/).map((word) => word.replace(/\.exe$/, '')));
  return names.some((name) => called.has(name));
}
