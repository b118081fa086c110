import { decodedText } from './ansi-text.ts';
import { opensCalculation } from './shell-names.ts';
import {
  isNumber,
  isSimpleCalculation,
  lessKnown,
  originOfBraces,
  originOfName,
  readCalculation,
  type Origin,
} from './shell-origins.ts';

/** A word of a shell command, without its quotes. */
export interface Word {
  readonly text: string;
  /** Written as it is read: no quotes and no escapes. */
  readonly isPlain: boolean;
  /** The shell makes something else of it, which cannot be foreseen: a variable, a substitution, a brace. */
  readonly isUnknown: boolean;
  /** What the unknown pieces are made of; of several, the least known. */
  readonly origin: Origin;
  /** How much of the text precedes the first unknown piece. */
  readonly knownLength: number;
  /** It may become several words, or none. */
  readonly isSplit: boolean;
  /** The variable, where it is nothing else. */
  readonly variable: string | undefined;
  /** It may be names of files. */
  readonly isPattern: boolean;
}

/** Whether a piece of the word is more than a number, and not known. */
export const isVaried = ({ origin }: Word): boolean => origin === 'variable' || origin === 'computed';

/** A place in a text. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** How many `${` are open. */
  braces: number;
}

const mostBraces = 40;

/** What reading a word comes upon beside it. */
export interface Findings {
  /** Reads the commands of a substitution that begin there, and returns the place after its parenthesis. */
  readSubstitution(begin: number): number;
  /** Reads commands that are written in backticks. */
  readCommands(text: string): void;
  /** The text ends in the middle of something. */
  reportBroken(): void;
  /** Something is evaluated once more: a calculation, the brackets of a name, a transformation. With a text, only the variables in it. */
  reportEvaluation(of?: string): void;
  /** Within a word a variable is set to a text that may hold anything, or such a text is evaluated. */
  reportAssignment(): void;
  /** The output of a program is taken for a number, because of the program's name. */
  reportTrust(): void;
}

// Characters that look like a space or like nothing, and are neither to a shell.
const oddBlanks = /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

export function isOddBlank(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 32 ? code !== 9 && code !== 10 : code > 126 && oddBlanks.test(character);
}

const endsWord: ReadonlySet<string> = new Set(' \t\n;&|()<>');

export function readWord(cursor: Cursor, findings: Findings): Word {
  const begin = cursor.at;
  let [text, isPlain, isPattern, isSplit] = ['', true, false, false];
  let origin: Origin = 'known';
  let knownLength: number | undefined;
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === undefined || endsWord.has(character) || isOddBlank(character)) break;
    if (character === "'" || character === '"') {
      isPlain = false;
      const quoted = readQuoted(cursor, findings);
      isSplit ||= quoted.isSplit;
      origin = lessKnown(origin, quoted.origin);
      if (quoted.knownLength !== undefined) knownLength ??= text.length + quoted.knownLength;
      text += quoted.text;
    } else if (character === '\\') {
      isPlain = false;
      text += readEscaped(cursor, findings);
    } else if (character === '$' || character === '`') {
      const piece = readExpansion(cursor, findings);
      if (piece.text !== '') isPlain = false;
      isSplit ||= piece.origin !== 'known' && piece.origin !== 'number';
      origin = lessKnown(origin, piece.origin);
      // What is in `$'…'` is known, and taken for unknown where rules are compared.
      knownLength ??= text.length;
      text += piece.text;
    } else {
      isPattern ||= character === '*' || character === '?' || character === '[' || character === '~';
      text += character;
      cursor.at += 1;
    }
  }
  const written = cursor.text.slice(begin, cursor.at);
  if (/^\{\w+\[/.test(written)) reportBrackets(written, findings);
  if (hasBraces(written))
    [origin, knownLength, isSplit] = [/^\{\d+\.\.\d+\}$/.test(written) ? 'number' : 'computed', 0, true];
  const isUnknown = knownLength !== undefined;
  const variable = /^(?:\$(\w+)|"\$(\w+)")$/.exec(written)?.slice(1).find(Boolean);
  // As a word of its own, a bracket is the name of a command.
  if (written === '[' || written === '[[') isPattern = false;
  return { text, isPlain, isUnknown, isPattern, origin, knownLength: knownLength ?? text.length, isSplit, variable };
}

/** `{name[x]}>file` calculates the brackets. */
function reportBrackets(written: string, findings: Findings): void {
  findings.reportEvaluation();
  if (substitution.test(written)) findings.reportAssignment();
}

/** `{a,b}` and `{1..3}` are several words. Quotes around them count only around the whole word, so that nothing is overlooked. */
function hasBraces(written: string): boolean {
  if (/^(?:'[^']*'|"[^"$`\\]*")$/.test(written)) return false;
  const open = written.indexOf('{');
  return open !== -1 && written.includes('}', open) && /,|\.\./.test(written.slice(open));
}

/** As it was written, without the ends of lines that a backslash takes away: the shell sees none of them. */
export function joinedLines(written: string): string {
  return written.includes('\\\n')
    ? written.replaceAll(/\\([\s\S])/g, (pair, next) => (next === '\n' ? '' : pair))
    : written;
}

/** A line that ends in a backslash continues in the next. */
function readEscaped(cursor: Cursor, findings: Findings): string {
  const character = cursor.text[cursor.at + 1];
  if (character === undefined) findings.reportBroken();
  cursor.at += 2;
  return character === undefined || character === '\n' ? '' : character;
}

interface Quoted extends Pick<Word, 'text' | 'origin' | 'isSplit'> {
  readonly knownLength: number | undefined;
}

function readQuoted(cursor: Cursor, findings: Findings): Quoted {
  const quote = cursor.text[cursor.at];
  let [text, isSplit] = ['', false];
  let origin: Origin = 'known';
  let knownLength: number | undefined;
  cursor.at += 1;
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === undefined || character === quote) {
      if (character === undefined) findings.reportBroken();
      else cursor.at += 1;
      return { text, origin, knownLength, isSplit };
    }
    if (quote === '"' && character === '\\' && /[$`"\\\n]/.test(cursor.text[cursor.at + 1] ?? ''))
      text += readEscaped(cursor, findings);
    else if (quote === '"' && (character === '$' || character === '`')) {
      // `"$@"` and `"${x[@]}"` are several words.
      isSplit ||= /^\$(?:@|\{[^}]*@)/.test(cursor.text.slice(cursor.at, cursor.at + 40));
      knownLength ??= text.length;
      const piece = readExpansion(cursor, findings, true);
      origin = lessKnown(origin, piece.origin);
      text += piece.text;
    } else {
      text += character;
      cursor.at += 1;
    }
  }
}

/** Reads a text that is expanded as between double quotes, to its end. */
export function readExpansions(cursor: Cursor, findings: Findings): void {
  for (let character = cursor.text[cursor.at]; character !== undefined; character = cursor.text[cursor.at])
    if (character === '$' || character === '`') readExpansion(cursor, findings, true);
    else cursor.at += character === '\\' ? 2 : 1;
}

type Expanded = Pick<Word, 'text' | 'origin'>;

/** Reads `$name`, `${…}`, `$(…)`, `$'…'` and backticks, and the commands in them. The text is that in `$'…'`, or a `$` of another kind. */
function readExpansion(cursor: Cursor, findings: Findings, isQuoted = false): Expanded {
  const { text, at } = cursor;
  const following = text[at + 1] ?? '';
  if (text[at] === '`') {
    const end = endOf(cursor, '`', findings);
    const written = text.slice(at + 1, end);
    readBackticks(written, findings, isQuoted);
    cursor.at = end + 1;
    return { text: '', origin: originOfOutput(written, findings) };
  }
  if (following === '(') return readOutput(cursor, findings);
  if (following === '{') {
    const { origin, evaluated, defines, assigns } = originOfBraces(text.slice(at));
    findings.reportEvaluation(evaluated);
    if (assigns) findings.reportAssignment();
    if (defines) findings.reportBroken();
    readBraces(cursor, findings, isQuoted);
    // What a program prints is evaluated as the place or the length: `${x:$(y)}`.
    if (evaluated === undefined && substitution.test(text.slice(at, cursor.at))) findings.reportAssignment();
    return { text: '', origin };
  }
  if (following === "'" && !isQuoted) {
    cursor.at += 1;
    const end = endOf(cursor, "'", findings);
    cursor.at = end + 1;
    return { text: decodedText(text.slice(at + 2, end)), origin: 'known' };
  }
  return readName(cursor, findings, isQuoted);
}

/** Reads `$[…]`, `$1`, `$?` and the `$` of `$name`, whose name is left in the text. */
function readName(cursor: Cursor, findings: Findings, isQuoted: boolean): Expanded {
  const { text, at } = cursor;
  const following = text[at + 1] ?? '';
  cursor.at += 1;
  // `$[1 + 2]` calculates, and quotes and operators mean something else in it. Behind `$\` and the end of a line, anything may follow.
  if (following === '[') {
    findings.reportEvaluation();
    if (!isSimpleCalculation(text.slice(at))) findings.reportBroken();
    return { text: '', origin: 'variable' };
  }
  if (text.startsWith('\\\n', at + 1)) findings.reportBroken();
  if (following === '"' && !isQuoted) return { text: '', origin: 'computed' };
  if (/[#?$!@*-]/.test(following)) {
    cursor.at += 1;
    return { text: '', origin: /[@*-]/.test(following) ? 'variable' : 'number' };
  }
  if (!/\w/.test(following)) return { text: '$', origin: 'variable' };
  const { origin, evaluates } = originOfName(text.slice(at + 1));
  if (evaluates) findings.reportEvaluation();
  return { text: '', origin };
}

function readOutput(cursor: Cursor, findings: Findings): Expanded {
  const { text, at } = cursor;
  const calculation = readCalculation(text, at + 1);
  if (calculation !== undefined) {
    const written = text.slice(at + 3, calculation);
    for (const [, program = ''] of written.matchAll(/\$\(([^()]*)\)/g)) {
      findings.readCommands(program);
      findings.reportTrust();
    }
    findings.reportEvaluation(written.replaceAll(/\$\([^()]*\)/g, ''));
    cursor.at = calculation;
    return { text: '', origin: 'number' };
  }
  if (opensCalculation.test(text.slice(at + 1, at + 40))) findings.reportEvaluation();
  cursor.at = findings.readSubstitution(at + 2);
  return { text: '', origin: originOfOutput(text.slice(at + 2, cursor.at - 1), findings) };
}

function originOfOutput(program: string, findings: Findings): Origin {
  if (!isNumber(program)) return 'computed';
  findings.reportTrust();
  return 'number';
}

/** Between double quotes, some shells read `\"` in backticks as a quote and others as it is written. */
function readBackticks(written: string, findings: Findings, isQuoted: boolean): void {
  findings.readCommands(written.replaceAll(/\\([`$\\])/g, '$1'));
  if (isQuoted && written.includes('\\"')) findings.readCommands(written.replaceAll(/\\([`$\\"])/g, '$1'));
}

/** The beginning of a command that is to be replaced by its output. */
export const substitution: RegExp = /\$\(|`/;

/** Where the next such character is that no backslash precedes. */
function endOf({ text, at }: Cursor, wanted: string, findings: Findings): number {
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === wanted) return end;
    if (text[end] === '\\') end += 1;
  }
  findings.reportBroken();
  return text.length;
}

/**
 * `${X:-$(command)}` may hold commands. Whether a single quote in it hides them depends on much, between double quotes. In the
 * brackets of a name, and behind the colon, quotes and backslashes hide none.
 */
function readBraces(cursor: Cursor, findings: Findings, isQuoted: boolean): void {
  cursor.at += 2;
  // `${ command; }` and `${| command; }` run it, in newer shells.
  if (/[\s|]/.test(cursor.text[cursor.at] ?? '')) findings.reportBroken();
  // After a name that none can be, Bash may continue with the next line.
  if (/^[!#]?\w+[\s;&|<>()"'`\\]/.test(cursor.text.slice(cursor.at, cursor.at + 200))) findings.reportBroken();
  cursor.braces += 1;
  if (cursor.braces > mostBraces) cursor.at = cursor.text.length;
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === undefined) {
      findings.reportBroken();
      return;
    }
    if (character === '$' || character === '`') {
      if (substitution.test(readExpansion(cursor, findings, isQuoted).text)) findings.reportBroken();
    } else if (character === "'" && isQuoted) {
      findings.reportBroken();
      return;
    } else if (character === "'" || character === '"') {
      if (substitution.test(readQuoted(cursor, findings).text)) findings.reportBroken();
    } else if (character === '\\') {
      if (/[$`]/.test(cursor.text[cursor.at + 1] ?? '')) findings.reportBroken();
      cursor.at += 2;
    } else cursor.at += 1;
    if (character === '}') {
      cursor.braces -= 1;
      return;
    }
  }
}
