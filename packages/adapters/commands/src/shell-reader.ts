import { assignment, isReserved, opensCalculation } from './shell-names.ts';
import { isSimpleIndex, readCalculation } from './shell-origins.ts';
import { expandedBody, takeHereDocument, type HereDocument } from './here-documents.ts';
import { plainWord, Reading, unknownWord, type ShellCommand } from './shell-reading.ts';
import {
  isOddBlank,
  joinedLines,
  readExpansions,
  readWord,
  substitution,
  type Cursor,
  type Findings,
  type Word,
} from './shell-words.ts';

/*
 * Reads a shell command as far as a rule needs it: which simple commands it consists of, and whether that is certain.
 * Quotes, substitutions, redirections and here-documents are read as POSIX and Bash do. What else a shell can do, such as
 * loops and functions, is read word by word and makes the reading uncertain.
 */

const mostNested = 40;
const qualifier = /^\((?:#q)?[^|()\s]*?(?:e[^\w\s|().*?-]|\+\w)/;

/** Reading a longer command would take noticeable time, and may find nothing. */
const mostCharacters = 100_000;

export function readShellCommand(text: string): ShellCommand {
  const reading = new Reading(text);
  if (text.length > mostCharacters) reading.isBroken = true;
  else new Reader(text, reading, 0).readList();
  return reading;
}

/** Reads the commands in a text that is expanded as between double quotes. */
export function readExpandedText(text: string): ShellCommand {
  const reading = new Reading(text);
  readExpansions({ text, at: 0, braces: 0 }, new Reader(text, reading, 0));
  return reading;
}

class Reader implements Findings {
  readonly #cursor: Cursor;
  readonly #reading: Reading;
  readonly #depth: number;
  #words: Word[] = [];
  #inputs: string[] = [];
  #hereDocuments: HereDocument[] = [];
  /** After `((`, a `<<` may be an operator of arithmetic, and no here-document follows. */
  #mayCalculate = false;
  /** Whether it begins as `$((`: between double quotes, single quotes are none in a calculation. */
  readonly #isCalculation: boolean;
  #isInArray = false;
  /** Whether a `[[` is open, and whether it was when the command began: then its words belong to that test, too. */
  #isInTest = false;
  #beganInTest = false;
  /** Whether a `#` begins a comment here. */
  #mayComment = true;

  constructor(text: string, reading: Reading, depth: number, isCalculation = false) {
    this.#isCalculation = isCalculation;
    this.#mayCalculate = isCalculation;
    this.#cursor = { text, at: 0, braces: 0 };
    this.#reading = reading;
    this.#depth = depth;
  }

  /** Reads commands to the end of the text, or to the parenthesis that ends the substitution. Returns the place behind it. */
  readList(isSubstitution = false): number {
    let open = 0;
    for (;;) {
      const character = this.#next();
      if (character === '' || (isSubstitution && character === ')' && open === 0)) break;
      if (character === '(') open += 1;
      if (character === ')') open -= 1;
      this.#readPart(character);
    }
    this.#endCommand();
    // Shells differ in where a here-document lies whose line the substitution ends.
    if (isSubstitution && this.#hereDocuments.length > 0) this.reportBroken();
    this.#takeHereDocuments();
    if (isSubstitution && this.#next() === '') this.reportBroken();
    return this.#cursor.at + 1;
  }

  readSubstitution(begin: number): number {
    if (this.#depth < mostNested) {
      const text = this.#cursor.text.slice(begin);
      return (
        begin +
        new Reader(text, this.#reading, this.#depth + 1, opensCalculation.test(`(${text.slice(0, 40)}`)).readList(true)
      );
    }
    this.reportBroken();
    return this.#cursor.text.length;
  }

  readCommands(text: string): void {
    if (this.#depth < mostNested) new Reader(text, this.#reading, this.#depth + 1).readList();
    else this.reportBroken();
  }

  reportBroken(): void {
    this.#reading.isBroken = true;
  }

  reportEvaluation(of?: string): void {
    if (of === undefined) {
      this.#reading.evaluates = true;
      return;
    }
    for (const [name] of of.matchAll(/[a-z_]\w*|\$[\d@*-]/gi)) this.#reading.calculated.add(name);
    for (const [, name = ''] of of.matchAll(/([a-z_]\w*)\s*(?:\+\+|--|[-+*/%]?=(?!=))/gi))
      this.#reading.counted.add(name);
  }

  reportAssignment(): void {
    this.#reading.assigns = true;
  }

  reportTrust(): void {
    this.#reading.trusts = true;
  }

  #next(): string {
    return this.#cursor.text[this.#cursor.at] ?? '';
  }

  #reportUncertain(): void {
    this.#reading.reportUncertain();
  }

  #readPart(character: string): void {
    if (character === ' ' || character === '\t') {
      this.#cursor.at += 1;
      this.#mayComment = true;
    } else if (character === '\n') {
      this.#endCommand();
      this.#cursor.at += 1;
      this.#mayComment = true;
      this.#takeHereDocuments();
    } else if (isOddBlank(character)) {
      this.#reportUncertain();
      // In the middle of a word, which may be the target of a redirection or a value.
      if (/^[^ \t\n;&|()]{3}$/.test(this.#cursor.text.slice(Math.max(0, this.#cursor.at - 1), this.#cursor.at + 2)))
        this.reportBroken();
      this.#cursor.at += 1;
      this.#mayComment = false;
    } else if (this.#cursor.text.startsWith('\\\n', this.#cursor.at)) this.#cursor.at += 2;
    else if (character === '#') this.#skipComment();
    else if (character === '<' || character === '>' || this.#cursor.text.startsWith('=(', this.#cursor.at))
      this.#readRedirection();
    else if (/[;&|()]/.test(character)) this.#readOperator();
    else this.#readNextWord();
  }

  /** What `&` ends runs in the background, and what parentheses contain runs in another shell. */
  #readOperator(): void {
    const { text, at } = this.#cursor;
    if (text.startsWith('&>', at)) {
      this.#cursor.at += 1;
      this.#readRedirection();
      return;
    }
    // Behind a word a parenthesis is a part of a pattern to zsh.
    this.#mayComment = text[at] !== ')' && (text[at] !== '(' || this.#words.length === 0);
    // After an error in a list of values, Bash continues with the next line.
    if (this.#isInArray && text[at] !== ')') this.reportBroken();
    const isLoop = this.#words.length === 1 && this.#words[0]?.text === 'for';
    const calculation = text.startsWith('((', at) ? readCalculation(text, at, isLoop) : undefined;
    if (calculation !== undefined) {
      this.reportEvaluation(text.slice(at, calculation));
      // To dash these are two subshells.
      for (const [name] of text.slice(at, calculation).matchAll(/\w+/g))
        this.#reading.commands.push({ words: [plainWord(name)], inputs: [], isList: false });
      this.#reportUncertain();
      this.#endCommand();
      this.#cursor.at = calculation;
      return;
    }
    if (opensCalculation.test(text.slice(at, at + 40))) {
      this.#mayCalculate = true;
      this.reportEvaluation();
    }
    const operator = /^(?:&&|\|\||\|&|[;&|()])/.exec(text.slice(at, at + 2))?.[0] ?? '';
    if (!['&&', '||', '|', ';'].includes(operator)) this.#reportUncertain();
    this.#endCommand();
    this.#isInArray = text.startsWith('=(', at - 1);
    this.#cursor.at += operator.length;
  }

  /** Behind a parenthesis or an odd blank, a `#` may belong to the word before. In a calculation and in brackets there are no comments. */
  #skipComment(): void {
    this.#reportUncertain();
    const { text, at } = this.#cursor;
    const end = text.indexOf('\n', at);
    const comment = text.slice(at, end === -1 ? undefined : end);
    if (!this.#mayComment) this.reportBroken();
    if (substitution.test(comment) && (this.#mayCalculate || text.lastIndexOf('[', at) !== -1)) this.#readBody(comment);
    this.#cursor.at += comment.length;
  }

  #readNextWord(): void {
    const begin = this.#cursor.at;
    const word = readWord(this.#cursor, this);
    const asWritten = this.#cursor.text.slice(begin, this.#cursor.at);
    const written = joinedLines(asWritten);
    // There, zsh takes a brace for the end of a command.
    if (/^[^{]*\}\\\n/.test(asWritten)) this.reportBroken();
    this.#mayComment = false;
    if (this.#isCalculation && written.includes("'")) this.reportBroken();
    // `2>file` and `{fd}>file`: the number or the name belongs to the redirection.
    if (/^(?:\d+|\{\w+\})$/.test(written) && /[<>]/.test(this.#next())) return;
    if (written === '[[' || written === ']]') this.#isInTest = written === '[[';
    const isFirst = this.#words.length === 0;
    // The parentheses of `case x in x)` have no beginning, so that the end of a substitution around it is not found.
    if (written === 'case' && this.#depth > 0 && (isFirst || this.#words.some(({ text }) => isReserved(text))))
      this.reportBroken();
    const isAssignment = isFirst && assignment.test(written);
    // The brackets of a name continue behind a blank or an operator.
    if (isFirst && /^\w+\[[^\]]*$/.test(written)) this.reportBroken();
    if (isAssignment || word.isUnknown || (isFirst && isReserved(written))) this.#reportUncertain();
    // Names of files by `!(x)` and the like; what is in the parentheses is read as commands.
    const isExtended = this.#next() === '(' && this.#cursor.text[this.#cursor.at + 1] !== ')';
    // Zsh runs what stands behind an `e` or a `+` there.
    if (isExtended && qualifier.test(this.#cursor.text.slice(this.#cursor.at, this.#cursor.at + 200)))
      this.reportBroken();
    if (isAssignment) {
      const [name = ''] = written.split(/[[+=]/, 1);
      const [target = ''] = word.text.split('=', 1);
      this.#reading.assignments.push({ name, value: word.text.slice(target.length + 1), word });
      const [index = ''] = /^\[.*\]/s.exec(written.slice(name.length)) ?? [];
      this.reportEvaluation(isSimpleIndex(index) ? index : undefined);
      // Quotes hide nothing between brackets.
      if (substitution.test(target)) this.#readBody(target);
    }
    if (!isAssignment) this.#words.push(isExtended ? { ...word, isPattern: true } : word);
  }

  /** Reads `>file`, `2>&1`, `<<EOF`, `<(…)` and the like. Only what touches no file leaves the command certain. */
  #readRedirection(): void {
    const { text, at } = this.#cursor;
    if (text[at + 1] === '(') {
      this.#reportUncertain();
      this.#cursor.at = this.readSubstitution(at + 2);
      this.#mayComment = false;
      this.#words.push(unknownWord);
      return;
    }
    const operator = /^(?:<<<|<<-|<<|<>|<&|>&|>>|>\||[<>])/.exec(text.slice(at, at + 3))?.[0] ?? '';
    this.#cursor.at += operator.length;
    while (this.#next() === ' ' || this.#next() === '\t') this.#cursor.at += 1;
    const begin = this.#cursor.at;
    const target = readWord(this.#cursor, this);
    const asWritten = this.#cursor.text.slice(begin, this.#cursor.at);
    const written = joinedLines(asWritten);
    this.#mayComment = false;
    if (written === '') this.reportBroken();
    if (operator === '<<<') this.#inputs.push(target.isUnknown ? '$input' : target.text);
    else if (operator.startsWith('<<')) {
      // Of these shells read something else as the delimiter.
      if (written !== asWritten || isOddBlank(this.#next())) this.reportBroken();
      this.#awaitHereDocument(target, operator === '<<-');
    } else if (operator.endsWith('&') ? /^\d$/.test(written) : written === '/dev/null') return;
    this.#reading.writesFile ||= operator.includes('>');
    this.#reportUncertain();
  }

  #awaitHereDocument({ text: delimiter, isPlain, isUnknown }: Word, mayBeIndented: boolean): void {
    // Where the shell would take the delimiter as it is written, what is read of it is something else.
    if (this.#mayCalculate || isUnknown) this.reportBroken();
    this.#hereDocuments.push({ delimiter, isQuoted: !isPlain, mayBeIndented, inputs: this.#inputs });
  }

  #endCommand(): void {
    if (
      this.#words.length > 0 ||
      this.#inputs.length > 0 ||
      this.#hereDocuments.some(({ inputs }) => inputs === this.#inputs)
    ) {
      this.#reading.commands.push({ words: this.#words, inputs: this.#inputs, isList: this.#isInArray });
      if (this.#beganInTest)
        this.#reading.commands.push({ words: [plainWord('[['), ...this.#words], inputs: [], isList: false });
    }
    this.#beganInTest = this.#isInTest;
    this.#words = [];
    this.#inputs = [];
  }

  /** Reads the lines that follow the line of the command. The shell expands them unless their delimiter is quoted. */
  #takeHereDocuments(): void {
    for (const document of this.#hereDocuments.splice(0)) {
      const body = takeHereDocument(this.#cursor, document, this);
      document.inputs.push(document.isQuoted ? body : expandedBody(body));
      if (!document.isQuoted && /[$`]/.test(body)) this.#readBody(joinedLines(body));
    }
  }

  /** Quotes are ordinary characters in a here-document, and what is expanded in it is a text of its own. */
  #readBody(body: string): void {
    if (this.#depth >= mostNested) this.reportBroken();
    else readExpansions({ text: body, at: 0, braces: 0 }, new Reader(body, this.#reading, this.#depth + 1));
  }
}
