import type { CommandReader, CommandReading, CommandWord, CommandWords } from '@hexagent/ports';
import { commandGlob, matchesGlob, type Glob } from './glob.ts';

/** The name of a program without its folder. File systems that ignore case run `rm` for `RM`. */
const programName = (text: string): string => text.slice(text.lastIndexOf('/') + 1).toLowerCase();

/** The names by which a rule may mean a program. On Windows `rm` runs `rm.exe`. */
function programNames(text: string): readonly string[] {
  const name = programName(text);
  return [text.toLowerCase(), name, name.replace(/\.(?:exe|com|cmd|bat)$/, '')];
}

/** The content of a rule such as `Bash(git push *)`. */
export interface CommandPattern {
  /** One for each word; `*` alone stands for any number of words. */
  readonly words: readonly PatternWord[];
  /** Ends in a star: any words may follow. */
  readonly isPrefix: boolean;
  /** The whole content, compared with a whole command. */
  readonly whole: Glob;
  /** The first word, in lower case and without a folder; `undefined` where it has a wildcard, so that it may be any program. */
  readonly program: string | undefined;
}

interface PatternWord {
  /** The form that a command must have to be allowed. */
  readonly text: string;
  readonly glob: Glob;
  readonly isAny: boolean;
}

/** `undefined` for a content without a program, such as `:*`. */
export function commandPattern(content: string, commands: CommandReader): CommandPattern | undefined {
  const isPrefix = /(?::| )\*$/.test(content);
  const kept = isPrefix ? content.slice(0, -2) : content;
  const words = splitWords(kept, commands).map((text) => ({ text, glob: commandGlob(text), isAny: text === '*' }));
  const [first] = words;
  if (first === undefined) return undefined;
  // `npm test*` covers `npm tests` and what follows it.
  const isOpen = isPrefix || /(?:^|[^\\])\*$/.test(words.at(-1)?.text ?? '');
  const program = first.glob.literal === undefined ? undefined : programName(first.glob.literal);
  return { words, isPrefix: isOpen, whole: commandGlob(isPrefix ? `${kept} *` : kept), program };
}

/** The words without their quotes, as those of the commands with which they are compared. */
function splitWords(content: string, commands: CommandReader): readonly string[] {
  // A star that the rule escapes is still one to be escaped when the words are read.
  const { parts, isCompound } = commands.read(content.replaceAll(String.raw`\*`, String.raw`\\*`), 'bash');
  const [words, ...others] = parts;
  if (isCompound || words === undefined || others.length > 0) return content.trim().split(/\s+/).filter(Boolean);
  return words.map(({ text }) => text);
}

/** Whether the command, or something that it runs, may match the pattern. In doubt it may. */
export function mayMatch(
  pattern: CommandPattern,
  command: string,
  { anything, candidates, scripts }: CommandReading,
): boolean {
  return (
    anything !== undefined ||
    matchesGlob(pattern.whole, command.trim().toLowerCase()) ||
    candidates.some(
      (words) =>
        mayBeProgram(pattern, words) && (matchesGlob(pattern.whole, textOf(words)) || follows(pattern, words, mayTake)),
    ) ||
    scripts.some((script) => mentions(script, pattern.program))
  );
}

const mayBeProgram = ({ program }: CommandPattern, [first]: CommandWords): boolean =>
  program === undefined || first?.form === 'unknown' || programNames(first?.text ?? '').includes(program);

const textOf = (words: CommandWords): string =>
  words
    .map(({ text }) => text)
    .join(' ')
    .toLowerCase();

/** How many of the remaining words one word of a pattern may match. */
type Taking = (wanted: PatternWord, word: CommandWord, at: number) => readonly Step[] | 'anything';
/** How many words of the command, and of the pattern. */
type Step = readonly [taken: number, done: 0 | 1];

const none: readonly Step[] = [];
const both: readonly Step[] = [[1, 1]];
const oneOrMore: readonly Step[] = [
  [1, 1],
  [1, 0],
];
const anyNumber: readonly Step[] = [
  [0, 1],
  [1, 0],
];
const option: readonly Step[] = [
  [1, 0],
  [2, 0],
];

/** Whether the words are those of the pattern. Each pair of places is tried once, so that no pattern takes long. */
function follows({ words: wanted, isPrefix }: CommandPattern, words: CommandWords, take: Taking): boolean {
  const tried = new Set<number>();
  const open: (readonly [number, number])[] = [[0, 0]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [from, at] = pair;
    const key = from * (words.length + 2) + at;
    if (tried.has(key) || at > words.length) continue;
    tried.add(key);
    const [next, word] = [wanted[from], words[at]];
    if (next === undefined) {
      if (isPrefix || word === undefined) return true;
    } else if (word === undefined) {
      if (next.isAny && take === mayTake) open.push([from + 1, at]);
    } else {
      const steps = take(next, word, at);
      if (steps === 'anything') return true;
      for (const [taken, done] of steps) open.push([from + done, at + taken]);
    }
  }
  return false;
}

function mayTake({ glob, isAny }: PatternWord, word: CommandWord, at: number): readonly Step[] | 'anything' {
  // What the shell makes of it may be all that is missing.
  if (word.form === 'unknown') return 'anything';
  if (isAny) return anyNumber;
  const text = word.text.toLowerCase();
  if (matchesGlob(glob, text)) return both;
  // A program may be called by any of its paths.
  if (at === 0 && programNames(word.text).some((name) => matchesGlob(glob, name) || name === nameOfLiteral(glob)))
    return both;
  // `git -C folder push`: options may stand before the word, with a value or without one.
  return at > 0 && /^[-+]/.test(text) ? option : none;
}

const nameOfLiteral = ({ literal }: Glob): string | undefined =>
  literal === undefined ? undefined : programName(literal);

/** A script in another language that names the program may run it. A pattern without a program may mean any. */
function mentions(script: string, program: string | undefined): boolean {
  if (program === undefined) return true;
  const text = script.toLowerCase();
  for (let at = text.indexOf(program); at !== -1; at = text.indexOf(program, at + 1))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + program.length])) return true;
  return false;
}

const isLetter = (character: string | undefined): boolean => character !== undefined && /[\w-]/.test(character);

/** Whether a pattern surely covers each of the commands. */
export const surelyCoverAll = (patterns: readonly CommandPattern[], parts: readonly CommandWords[]): boolean =>
  parts.length > 0 && parts.every((words) => patterns.some((pattern) => follows(pattern, words, surelyTakes)));

/** Wildcards take any arguments. Everything else must be written as in the rule, without quotes. */
function surelyTakes({ text, glob, isAny }: PatternWord, word: CommandWord): readonly Step[] | 'anything' {
  if (isAny) return oneOrMore;
  if (word.form !== 'plain') return none;
  if (glob.literal !== undefined) return word.text === text.replaceAll(String.raw`\*`, '*') ? both : none;
  return matchesGlob(glob, word.text.toLowerCase()) ? both : none;
}
