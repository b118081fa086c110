import {
  forEachChild,
  type CommandExpansionPart,
  type ParameterExpansionPart,
  type ParsedScript,
  type Word as WrittenWord,
  type WordPart,
} from 'unbash';
import type { Calculation } from './shell-calculations.ts';
import { isNumber, lessKnown, originOfBraces, originOfName, type Origin } from './shell-origins.ts';

/** A word of a shell command, without its quotes. */
export interface Word {
  readonly text: string;
  /** Written as it is read: no quotes and no escapes. */
  readonly isPlain: boolean;
  /** The shell makes something else of it, which cannot be foreseen: a variable, a substitution, a brace. */
  readonly isUnknown: boolean;
  /** The origin of the unknown pieces; of several, the least known one. */
  readonly origin: Origin;
  /** How much of the text precedes the first unknown piece. */
  readonly knownLength: number;
  /** The shell may make several words of it, or none. */
  readonly isSplit: boolean;
  /** The variable, where it is nothing else. */
  readonly variable: string | undefined;
  /** The shell may replace it by names of files. */
  readonly isPattern: boolean;
}

/** Whether a piece of the word is more than a number, and not known. */
export const isVaried = ({ origin }: Word): boolean => origin === 'variable' || origin === 'computed';

export const plainWord = (text: string): Word => ({
  text,
  isPlain: true,
  isUnknown: false,
  isPattern: false,
  origin: 'known',
  knownLength: text.length,
  isSplit: false,
  variable: undefined,
});

/** Receives what the reader finds in a word beside its text. */
export interface WordFindings {
  /** The text to which positions refer. */
  readonly source: string;
  /** Reads the commands of a substitution; `undefined` where the parser found none. */
  readScript(script: ParsedScript | undefined): void;
  /** Returns whether it has only variables, numbers and operators. */
  readCalculation(calculation: Calculation): boolean;
  /** Shells read it in different ways. */
  reportBroken(): void;
  /** Something is evaluated once more; with a text, only the variables in it. */
  reportEvaluation(of?: string): void;
  /** A text that is not in the command may be evaluated. */
  reportHidden(): void;
  /** The output of a program is taken for a number, because of the program's name. */
  reportTrust(): void;
}

// Characters that look like a space or like nothing. Shells differ in which of them end a word.
const oddBlank = /[^\P{White_Space} \t\n]|(?![\t\n])\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|\u2800/u;

/** A qualifier of a zsh pattern that runs a command. */
const qualifier = /^\((?:#q)?[^|()\s]*?(?:e[^\w\s|().*?-]|\+\w)/;

export function readWord(written: WrittenWord, findings: WordFindings): Word {
  const { text: raw, value, parts, end } = written;
  // Only some shells join these lines where a name or a number stands before them.
  if (raw.includes('\\\n') || findings.source.startsWith('\\\n', end)) findings.reportBroken();
  // `{name[x]}>file` calculates the brackets.
  if (/^\{\w+\[/.test(raw)) {
    findings.reportEvaluation();
    if (/\$\(|`/.test(raw)) findings.reportHidden();
  }
  if (parts === undefined) {
    if (oddBlank.test(raw)) findings.reportBroken();
    return { ...plainWord(value), isPlain: raw === value, isPattern: namesHome.test(raw) };
  }
  return new WordReader(findings).read(raw, parts);
}

const namesHome = /^~|[=:]~/;

class WordReader {
  readonly #findings: WordFindings;
  #text = '';
  #isPlain = true;
  #isPattern = false;
  #isSplit = false;
  #origin: Origin = 'known';
  #knownLength: number | undefined;

  constructor(findings: WordFindings) {
    this.#findings = findings;
  }

  read(raw: string, parts: readonly WordPart[]): Word {
    for (const part of parts) this.#readPart(part, false);
    const text = this.#text;
    return {
      text,
      isPlain: this.#isPlain,
      isUnknown: this.#knownLength !== undefined,
      isPattern: this.#isPattern || namesHome.test(raw),
      origin: this.#origin,
      knownLength: this.#knownLength ?? text.length,
      isSplit: this.#isSplit,
      variable: /^(?:\$(\w+)|"\$(\w+)")$/.exec(raw)?.slice(1).find(Boolean),
    };
  }

  #readPart(part: WordPart, isQuoted: boolean): void {
    switch (part.type) {
      case 'Literal':
        if (!isQuoted && oddBlank.test(part.text)) this.#findings.reportBroken();
        this.#isPlain &&= part.value === part.text;
        this.#text += part.value;
        break;
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        this.#isPlain = false;
        // What is in `$'…'` is known, and taken for unknown where rules are compared.
        if (part.type === 'AnsiCQuoted') this.#knownLength ??= this.#text.length;
        this.#text += part.value;
        break;
      case 'DoubleQuoted':
      case 'LocaleString':
        this.#isPlain = false;
        if (part.type === 'LocaleString') this.#addUnknown('computed', false);
        for (const child of part.parts) this.#readPart(child, true);
        break;
      case 'Glob':
      case 'ExtendedGlob':
        if (part.type === 'ExtendedGlob' && qualifier.test(`(${part.pattern}`)) this.#findings.reportBroken();
        this.#isPattern = true;
        this.#text += part.text;
        this.#readInside(part.parts);
        break;
      case 'BraceExpansion':
        this.#addUnknown(/^\{\d+\.\.\d+\}$/.test(part.text) ? 'number' : 'computed', false);
        this.#isSplit = true;
        this.#text += part.text;
        this.#readInside(part.parts);
        break;
      default:
        this.#readExpansion(part, isQuoted);
    }
  }

  #readExpansion(part: WordPart, isQuoted: boolean): void {
    if (part.type === 'SimpleExpansion') this.#readVariable(part.pos, part.text.slice(1), isQuoted);
    else if (part.type === 'ParameterExpansion') this.#readBraces(part, isQuoted);
    else if (part.type === 'CommandExpansion') this.#readOutput(part, isQuoted);
    else if (part.type === 'ArithmeticExpansion')
      this.#addUnknown(this.#findings.readCalculation(part) ? 'number' : 'variable', isQuoted);
    else if (part.type === 'ProcessSubstitution') {
      this.#findings.readScript(part.script);
      this.#addUnknown('computed', isQuoted);
    }
  }

  #readInside(parts: readonly WordPart[] | undefined): void {
    if (parts !== undefined) new WordReader(this.#findings).read('', parts);
  }

  #addUnknown(origin: Origin, isQuoted: boolean): void {
    this.#knownLength ??= this.#text.length;
    this.#origin = lessKnown(this.#origin, origin);
    if (!isQuoted && origin !== 'number') this.#isSplit = true;
  }

  /** Zsh reads brackets and changes behind a name. */
  #readVariable(at: number, name: string, isQuoted: boolean): void {
    if (/^[#?$!@*-]/.test(name)) {
      // `"$@"` is several words.
      this.#addUnknown(/^[@*-]/.test(name) ? 'variable' : 'number', isQuoted && name !== '@');
      return;
    }
    const { origin, evaluates } = originOfName(this.#findings.source.slice(at + 1, at + 200));
    if (evaluates) this.#findings.reportEvaluation();
    this.#addUnknown(origin, isQuoted);
    this.#text += name;
  }

  #readBraces(part: ParameterExpansionPart, isQuoted: boolean): void {
    const { text, operation } = part;
    const { origin, evaluated, defines, assigns } = originOfBraces(part);
    this.#findings.reportEvaluation(evaluated);
    // What a program prints is evaluated as the place or the length: `${x:$(y)}`.
    if (assigns || (evaluated === undefined && /\$\(|`/.test(text))) this.#findings.reportHidden();
    // Shells differ in which quotes hide a substitution here.
    if (defines || operation?.type === 'Unknown' || (/['\\]/.test(text) && /\$\(|`/.test(text)))
      this.#findings.reportBroken();
    this.#addUnknown(origin, isQuoted && !text.includes('@'));
    const readOperand = (node: Parameters<typeof forEachChild>[0]): void =>
      node.type === 'Word' ? void readWord(node, this.#findings) : forEachChild(node, readOperand);
    forEachChild(part, readOperand);
  }

  #readOutput({ text, script }: CommandExpansionPart, isQuoted: boolean): void {
    this.#findings.readScript(script);
    // `${ command; }`, in newer shells.
    if (text.startsWith('${')) this.#findings.reportBroken();
    const isDigits = isNumber(text.startsWith('`') ? text.slice(1, -1) : text.slice(2, -1));
    if (isDigits) this.#findings.reportTrust();
    this.#addUnknown(isDigits ? 'number' : 'computed', isQuoted);
  }
}
