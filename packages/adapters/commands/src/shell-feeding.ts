import { carriers, isAmong, shellTakers } from './shell-programs.ts';
import type { Word } from './shell-words.ts';

/** Whether what `xargs` reads becomes a command: it is the program, or that of a carrier, or stands in commands for a shell. */
export function feedsCommands(others: readonly Word[]): boolean {
  const texts = others.map(({ text }) => text);
  const place = placeOfInput(texts);
  const program = texts.findIndex((text, at) => !text.startsWith('-') && !/^-[InPdLsEa]$/.test(texts[at - 1] ?? ''));
  if (texts[program] === place) return true;
  const carrier = others.findLastIndex((word) => isAmong(carriers, word) || isAmong(shellTakers, word));
  if (carrier === -1) return false;
  const given = texts.slice(carrier + 1);
  return (
    given.every((text) => text === place || /^[-+;]|^\d+[a-z]?$|^\w+=/.test(text)) ||
    (isAmong(shellTakers, others[carrier]) && given.some((text) => text.includes(place)))
  );
}

/** The placeholder of the input, from the option `-I`. */
function placeOfInput(texts: readonly string[]): string {
  const option = texts.findIndex((text) => /^-[iI]|^--replace/.test(text));
  const place = texts[option] === '-I' ? texts[option + 1] : /^(?:-[iI]|--replace=)(.+)/.exec(texts[option] ?? '')?.[1];
  return place ?? '{}';
}
