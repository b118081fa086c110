import { decodedText } from './ansi-text.ts';

/** A word of a shell command, without its quotes. */
export interface Word {
  readonly text: string;
  /** Written as it is read: no quotes and no escapes. */
  readonly isPlain: boolean;
  /** The shell makes something else of it, which cannot be foreseen: a variable, a substitution, a brace. */
  readonly isUnknown: boolean;
  /** It may be names of files. */
  readonly isPattern: boolean;
}

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
  let [text, isPlain, isUnknown, isPattern] = ['', true, false, false];
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === undefined || endsWord.has(character) || isOddBlank(character)) break;
    if (character === "'" || character === '"') {
      isPlain = false;
      const quoted = readQuoted(cursor, findings);
      text += quoted.text;
      isUnknown ||= quoted.isUnknown;
    } else if (character === '\\') {
      isPlain = false;
      text += readEscaped(cursor, findings);
    } else if (character === '$' || character === '`') {
      isUnknown = true;
      const decoded = readExpansion(cursor, findings);
      if (decoded !== '') isPlain = false;
      text += decoded;
    } else {
      isPattern ||= character === '*' || character === '?' || character === '[' || character === '~';
      text += character;
      cursor.at += 1;
    }
  }
  return { text, isPlain, isUnknown: isUnknown || hasBraces(cursor.text.slice(begin, cursor.at)), isPattern };
}

/** `{a,b}` and `{1..3}` are several words. Quotes around them are not looked at, so that nothing is overlooked. */
function hasBraces(written: string): boolean {
  const open = written.indexOf('{');
  return open !== -1 && written.includes('}', open) && /,|\.\./.test(written.slice(open));
}

/** As it was written, without the ends of lines that a backslash takes away: the shell sees none of them. */
export function joinedLines(written: string): string {
  return written.includes('\\\n')
    ? written.replaceAll(/\\([\s\S])/g, (pair, next) => (next === '\n' ? '' : pair))
    : written;
}

/** A line that ends in a backslash goes on in the next. */
function readEscaped(cursor: Cursor, findings: Findings): string {
  const character = cursor.text[cursor.at + 1];
  if (character === undefined) findings.reportBroken();
  cursor.at += 2;
  return character === undefined || character === '\n' ? '' : character;
}

function readQuoted(cursor: Cursor, findings: Findings): Pick<Word, 'text' | 'isUnknown'> {
  const quote = cursor.text[cursor.at];
  let [text, isUnknown] = ['', false];
  cursor.at += 1;
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === undefined) {
      findings.reportBroken();
      return { text, isUnknown };
    }
    if (character === quote) {
      cursor.at += 1;
      return { text, isUnknown };
    }
    if (quote === '"' && character === '\\' && /[$`"\\\n]/.test(cursor.text[cursor.at + 1] ?? ''))
      text += readEscaped(cursor, findings);
    else if (quote === '"' && (character === '$' || character === '`')) {
      isUnknown = true;
      readExpansion(cursor, findings, true);
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

/** Reads `$name`, `${…}`, `$(…)`, `$'…'` and backticks, and the commands in them. Returns the text in `$'…'`. */
function readExpansion(cursor: Cursor, findings: Findings, isQuoted = false): string {
  const { text, at } = cursor;
  const following = text[at + 1];
  if (text[at] === '`') {
    const end = endOf(cursor, '`', findings);
    readBackticks(text.slice(at + 1, end), findings, isQuoted);
    cursor.at = end + 1;
  } else if (following === '(') cursor.at = findings.readSubstitution(at + 2);
  else if (following === '{') readBraces(cursor, findings, isQuoted);
  else if (following === "'" && !isQuoted) {
    cursor.at += 1;
    const end = endOf(cursor, "'", findings);
    cursor.at = end + 1;
    return decodedText(text.slice(at + 2, end));
  } else {
    // `$[1 + 2]` calculates, and quotes and operators mean something else in it. Behind `$\` and the end of a line, anything may follow.
    if (
      (following === '[' && !simpleCalculation.test(text.slice(at, at + longestCalculation))) ||
      text.startsWith('\\\n', at + 1)
    )
      findings.reportBroken();
    cursor.at += 1;
  }
  return '';
}

const simpleCalculation = /^\$\[[\w\s+\-*/%$]*\]/;

/** Between double quotes, some shells read `\"` in backticks as a quote and others as it is written. */
function readBackticks(written: string, findings: Findings, isQuoted: boolean): void {
  findings.readCommands(written.replaceAll(/\\([`$\\])/g, '$1'));
  if (isQuoted && written.includes('\\"')) findings.readCommands(written.replaceAll(/\\([`$\\"])/g, '$1'));
}

/** The place behind `((a + 1))`, where it can be nothing else: no word is followed by another, as in a command. */
export function readCalculation(text: string, at: number): number | undefined {
  const written = /^\(\(([\w\s+\-*/%<>=!&|^~?:,$]*)\)\)/.exec(text.slice(at, at + longestCalculation));
  if (written === null || /[\w$]\s+[\w$]|<<|&&|\|/.test(written[1] ?? '')) return undefined;
  return at + written[0].length;
}

const longestCalculation = 1000;

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
  // After a name that none can be, Bash may go on with the next line.
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
      if (substitution.test(readExpansion(cursor, findings, isQuoted))) findings.reportBroken();
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
