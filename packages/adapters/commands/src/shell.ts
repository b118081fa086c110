import type { CommandReading, CommandWord, CommandWords } from '@hexagent/ports';
import { candidatesOf } from './shell-candidates.ts';
import { isReserved } from './shell-names.ts';
import { readShellCommand } from './shell-reader.ts';
import type { Word } from './shell-words.ts';

export function readShell(text: string): CommandReading {
  const read = readShellCommand(text);
  const { commands, isBroken, isCertain, writesFile } = read;
  const candidates = candidatesOf(read);
  return {
    parts: commands.map(({ words }) => wordsOf(words)),
    isCertain: isCertain && candidates.anything === undefined,
    isCompound: isBroken || commands.some(({ words: [first] }) => first !== undefined && isReserved(first.text)),
    writesFile,
    candidates: candidates.commands.map(wordsOf),
    scripts: candidates.scripts,
    anything: candidates.anything,
  };
}

const wordsOf = (words: readonly Word[]): CommandWords => words.map(wordOf);

function wordOf({ text, isPlain, isPattern, isUnknown, origin }: Word, at: number): CommandWord {
  // No program has a number as its name.
  const isAny = isPattern || (isUnknown && (at > 0 || origin !== 'number'));
  // To zsh an `=` before the name of a program has it searched for.
  const known = at === 0 ? text.replace(/^=(?=\w)/, '') : text;
  return { text: known, form: isAny ? 'unknown' : isPlain && !isUnknown ? 'plain' : 'quoted' };
}
