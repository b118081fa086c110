import {
  forEachChild,
  parse,
  type Assignment,
  type Command,
  type ParsedScript,
  type Redirection,
  type SyntaxNode,
  type TestExpression,
  type Word as WrittenWord,
} from 'unbash';
import { hasWords, namesIn, operandsOf, type Calculation } from './shell-calculations.ts';
import { isSimpleIndex, lessKnown } from './shell-origins.ts';
import { ShellCommand } from './shell-reading.ts';
import { plainWord, readWord, type Word, type WordFindings } from './shell-words.ts';

/*!
 * Built with unbash. ISC License. Copyright (c) Lars Kappert
 * Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
 * granted, provided that the above copyright notice and this permission notice appear in all copies.
 * THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
 * IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
 * INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
 * ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
 * THIS SOFTWARE.
 */

/*
 * Reads a shell command as far as a rule needs it: which simple commands it consists of, and whether that is certain. The
 * grammar is Bash's, and the parser is `unbash`. Where dash or zsh read the same text in another way, it may be anything.
 */

const mostNested = 40;

/** Reading a longer command would take noticeable time, and may find nothing. */
const mostCharacters = 100_000;

/** A last line that is continued, a line that is continued behind a parenthesis, what only zsh takes for a word. */
const broken = /(?:^|[^\\])(?:\\\\)*\\$|\(\\\n|\)#/;

export function readShellCommand(text: string): ShellCommand {
  const reading = new ShellCommand(text);
  if (text.length > mostCharacters || broken.test(text)) reading.isBroken = true;
  else {
    // The ends of lines of Windows are a part of the last word, and of the delimiter of a here-document.
    if (text.includes('\r')) reading.isCertain = false;
    if (text.includes('\r') && text.includes('<<')) reading.isBroken = true;
    new Reader(reading).readText(text.replaceAll('\r\n', '\n'));
  }
  return reading;
}

/** Reads the commands in a text that is expanded as between double quotes. */
export function readExpandedText(text: string): ShellCommand {
  return readShellCommand(`: "${text.replaceAll('"', '')}"`);
}

/** A command of these nodes alone is certain. */
const plainNodes: ReadonlySet<string> = new Set(['Statement', 'AndOr', 'Pipeline', 'Command']);

class Reader implements WordFindings {
  source = '';
  readonly #reading: ShellCommand;
  #depth = 0;
  /** The places of what was read of the current script. */
  #read: { readonly pos: number; readonly end: number }[] = [];

  constructor(reading: ShellCommand) {
    this.#reading = reading;
  }

  readText(text: string): void {
    const { source } = this;
    this.source = text;
    this.readScript(parse(text));
    this.source = source;
  }

  readScript(script: ParsedScript | undefined): void {
    if (script === undefined || script.errors !== undefined || this.#depth > mostNested) return this.reportBroken();
    const [source, read] = [this.source, this.#read];
    this.#depth += 1;
    if (script.source !== undefined) this.source = script.source;
    this.#read = [];
    for (const statement of script.commands) this.#readNode(statement);
    this.#checkRest(script.source === undefined ? script : { pos: 0, end: script.source.length });
    this.#depth -= 1;
    [this.source, this.#read] = [source, read];
  }

  reportBroken(): void {
    this.#reading.isBroken = true;
  }

  reportEvaluation(of?: string): void {
    if (of === undefined) this.#reading.evaluates = true;
    else for (const name of namesIn(of)) this.#reading.calculated.add(name);
  }

  reportHidden(): void {
    this.#reading.hasHidden = true;
  }

  reportTrust(): void {
    this.#reading.trusts = true;
  }

  /** The parser leaves out what it does not understand: only operators, reserved words and comments may remain. */
  #checkRest({ pos, end }: { readonly pos: number; readonly end: number }): void {
    let [at, rest] = [pos, ''];
    for (const one of this.#read.toSorted((a, b) => a.pos - b.pos)) {
      if (one.pos > at) rest += `${this.source.slice(at, one.pos)} `;
      at = Math.max(at, one.end);
    }
    rest = (rest + this.source.slice(at, end)).replaceAll('\\\n', ' ').replaceAll(comment, '$1');
    const isOpen = rest.split('(').length > rest.split(')').length;
    if (isOpen || !operators.test(rest)) this.reportBroken();
  }

  #readNode(node: SyntaxNode): void {
    if (!plainNodes.has(node.type)) this.#reading.isCertain = false;
    if (node.type === 'Command') this.#readCommand(node);
    else if (node.type === 'Word') this.#readWord(node);
    else if (node.type === 'Redirect' || node.type === 'HereString' || node.type === 'HereDoc')
      this.#readRedirection(node, []);
    else if (node.type === 'ArithmeticCommand') this.readCalculation(node);
    else this.#readCompound(node);
  }

  #readCompound(node: SyntaxNode): void {
    if (node.type === 'For' || node.type === 'Select') {
      const values = node.wordlist === undefined ? [] : [plainWord('in'), ...this.#readWords(node.wordlist)];
      this.#addCommand([plainWord(node.type.toLowerCase()), this.#readWord(node.name), ...values]);
      this.#readNode(node.body);
    } else if (node.type === 'Case') {
      this.#addCommand([plainWord('case'), this.#readWord(node.word)]);
      for (const item of node.items) this.#readNode(item);
    } else if (node.type === 'TestCommand') {
      this.#addCommand([plainWord('[['), ...this.#readTest(node.expression), plainWord(']]')]);
    } else if (node.type === 'ArithmeticFor') {
      this.readCalculation(node);
      this.#readNode(node.body);
    } else this.#readOthers(node);
  }

  /** A command in the background, negated, timed, or with its errors in a pipe is not certain. */
  #readOthers(node: SyntaxNode): void {
    const isMore =
      (node.type === 'Statement' && node.background === true) ||
      (node.type === 'Pipeline' && (node.prefixes.length > 0 || node.operators.includes('|&')));
    if (isMore) this.#reading.isCertain = false;
    forEachChild(node, (child) => this.#readNode(child));
  }

  #readCommand({ name, prefix, args, redirects }: Command): void {
    for (const one of prefix) if (one.type === 'Assignment') this.#readAssignment(one);
    const inputs: string[] = [];
    const words = [
      ...(name === undefined ? [] : [this.#readWord(name)]),
      ...args.map((one) => (one.type === 'Assignment' ? this.#readSetting(one) : this.#readWord(one))),
    ];
    for (const redirection of redirects) this.#readRedirection(redirection, inputs);
    if (words.some(({ isUnknown }) => isUnknown)) this.#reading.isCertain = false;
    if (words.length > 0 || inputs.length > 0) this.#addCommand(words, inputs);
  }

  #addCommand(words: readonly Word[], inputs: readonly string[] = [], isList = false): void {
    this.#reading.commands.push({ words, inputs, isList });
  }

  #readWord(word: WrittenWord): Word {
    this.#read.push(word);
    return readWord(word, this);
  }

  #readWords(words: readonly WrittenWord[]): readonly Word[] {
    return words.map((word) => this.#readWord(word));
  }

  #readAssignment(assignment: Assignment): void {
    this.#reading.isCertain = false;
    const { name, value, index } = assignment;
    const word = this.#readSetting(assignment);
    const kept = value.type === 'ArrayValue' ? '' : word.text.slice(word.text.indexOf('=') + 1);
    this.#reading.assignments.push({ name, value: kept, word });
    const brackets = index && `[${index.text}]`;
    if (brackets !== undefined) this.reportEvaluation(isSimpleIndex(brackets) ? brackets : undefined);
  }

  /** The word of `name=value`, as a command such as `export` receives it. */
  #readSetting(assignment: Assignment): Word {
    this.#read.push(assignment);
    const { name, value, append } = assignment;
    const index = assignment.index && this.#readWord(assignment.index);
    const before = `${name}${index === undefined ? '' : `[${index.text}]`}${append === true ? '+=' : '='}`;
    if (value.type === 'ArrayValue') {
      this.#reading.isCertain = false;
      if (value.elements.some(({ text }) => text.startsWith('['))) this.reportEvaluation();
      this.#addCommand(this.#readWords(value.elements), [], true);
      return { ...plainWord(before), isPlain: false };
    }
    const word = this.#readWord(value);
    return {
      ...word,
      text: before + word.text,
      isUnknown: word.isUnknown || index?.isUnknown === true,
      isPattern: word.isPattern || index?.isPattern === true,
      origin: lessKnown(index?.origin ?? 'known', word.origin),
      knownLength: index?.isUnknown === true ? name.length + 1 + index.knownLength : before.length + word.knownLength,
      variable: undefined,
    };
  }

  #readRedirection(redirection: Redirection, inputs: string[]): void {
    this.#read.push(redirection);
    const { descriptor } = redirection;
    if (descriptor?.type === 'FileDescriptorVariable') {
      this.#reading.isCertain = false;
      // `{name[x]}>file` calculates the brackets.
      if (/\W/.test(descriptor.name)) this.reportEvaluation();
      if (/[$`]/.test(descriptor.name)) this.reportBroken();
    }
    if (redirection.type === 'HereDoc') {
      const { delimiter, body, closing } = redirection;
      this.#reading.isCertain = false;
      this.#read.push(body, ...(closing === undefined ? [] : [closing]));
      // Shells read something else as the delimiter.
      if (delimiter === undefined || closing === undefined || /[$`\\\n]/.test(delimiter.text)) this.reportBroken();
      inputs.push(delimiter?.quoted === true ? body.text : expandedBody(body.text));
      for (const part of body.parts ?? []) this.#readParts(part);
      return;
    }
    const { target, operator } = redirection;
    if (target === undefined) return this.reportBroken();
    const word = this.#readWord(target);
    if (redirection.type === 'HereString') inputs.push(word.isUnknown ? '$input' : word.text);
    if (operator.endsWith('&') ? /^\d$/.test(target.text) : target.text === '/dev/null') return;
    this.#reading.writesFile ||= operator.includes('>');
    this.#reading.isCertain = false;
  }

  #readParts(part: NonNullable<WrittenWord['parts']>[number]): void {
    readWord({ type: 'Word', text: '', value: '', pos: part.pos, end: part.end, parts: [part] }, this);
  }

  #readTest(expression: TestExpression): readonly Word[] {
    this.#read.push(expression);
    switch (expression.type) {
      case 'TestUnary':
        return [plainWord(expression.operator), this.#readWord(expression.operand)];
      case 'TestBinary':
        return [this.#readWord(expression.left), plainWord(expression.operator), this.#readWord(expression.right)];
      case 'TestLogical':
        return expression.operands.flatMap((operand) => this.#readTest(operand));
      case 'TestNot':
        return this.#readTest(expression.operand);
      default:
        return this.#readTest(expression.expression);
    }
  }

  readCalculation(calculation: Calculation): boolean {
    const { source } = this;
    const isLoop = calculation.type === 'ArithmeticFor';
    const end = isLoop ? source.lastIndexOf('))', calculation.body.pos) + 2 : calculation.end;
    this.#read.push({ pos: calculation.pos, end });
    const { isSimple, names, counted, inner } = operandsOf(calculation);
    for (const name of names) this.#reading.calculated.add(name);
    for (const name of counted) this.#reading.counted.add(name);
    if (!isSimple) this.reportEvaluation();
    if (inner.some((one) => /\$\((?!\()|`/.test(one.text)) && !isSimple) this.reportHidden();
    for (const one of inner) {
      if (one.type !== 'ArithmeticCommandExpansion') this.#readParts(one);
      else {
        this.readScript(one.script);
        this.reportTrust();
      }
    }
    const written = source.slice(calculation.pos, end);
    // Here quotes and comments differ between shells, and so do two words, which may be a command.
    if (hasWords(calculation) || /['#]|<</.test(written.replaceAll(/\$\{?#/g, ''))) this.reportBroken();
    // To dash these are two subshells.
    if (calculation.type === 'ArithmeticCommand')
      for (const [name] of written.matchAll(/\w+/g)) this.#addCommand([plainWord(name)]);
    return isSimple;
  }
}

const comment = /(^|[\s;&|()])#[^\n]*/g;
const operators =
  /^(?:[\s;&|(){}!<>=~]|\[\[|\]\]|-\w+|\b(?:if|then|elif|else|fi|for|select|while|until|do|done|case|in|esac|function|time|coproc)\b)*$/;

/** The text of a here-document without its backslashes. An expansion in it may be anything. */
function expandedBody(body: string): string {
  const read = body.replaceAll(/\\([$`\\\n])/g, (_, next: string) => (next === '\n' ? '' : next));
  return /[$`]/.test(body.replaceAll(/\\[\s\S]/g, '')) ? `$input\n${read}` : read;
}
