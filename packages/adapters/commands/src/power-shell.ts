import type { CommandReading } from '@hexagent/ports';
import { readShell } from './shell.ts';

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

/** Calls by a value, evaluations, decoded texts and new names: each may be any command. */
const computed =
  /(?:^|[\s;|&{(=])[&.]\s*[^\s\w./\\~:&-]|\b(?:iex|invoke-expression|icm|invoke-command|invokescript|invoke-item|ii|sal|set-alias|nal|new-alias|scriptblock|get-command|gcm)\b|(?:^|\s)[-/]e(?:c|nc\w*)?\s|\$executioncontext/i;

/**
 * By the names in it, since its grammar is another one. It is certain only where nothing in it means something else than in
 * other shells.
 */
export function readPowerShell(command: string): CommandReading {
  // Escapes and quotes may stand anywhere in a name.
  const text = command.replaceAll(/[`'"^]/g, '').toLowerCase();
  const read = readShell(command);
  const isComputed = computed.test(command) || computed.test(text);
  const called = new Set(text.split(/[^\w.-]+/).map((word) => word.replace(/\.exe$/, '')));
  const others = aliases.filter((known) => known.some((name) => called.has(name))).flat();
  return {
    ...read,
    isCertain: read.isCertain && /^[\w ./:=-]*$/.test(command),
    candidates: [],
    scripts: [text, ...others],
    anything: isComputed ? 'it calls, evaluates or renames a command that is not known beforehand' : undefined,
  };
}
