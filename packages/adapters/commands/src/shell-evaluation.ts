import { effectOf, type Effect } from './shell-builtins.ts';
import type { Assignment, ShellCommand, SimpleCommand } from './shell-reading.ts';
import { isVaried, type Word } from './shell-words.ts';

/*
 * What evaluates text once more than it looks: a calculation, the brackets of a name, a variable that a shell expands or
 * that a program runs. Of such a text each piece must be known: otherwise the command may be anything.
 */

/** Whether a text that holds this, or what is made of it, runs something where it is evaluated. */
const mayHide = ({ text, origin, isPattern }: Word): boolean =>
  origin === 'computed' || isPattern || /[$`\\[]/.test(text);

/** The beginning of a test, which is not a part of a name. */
const isBracket = ({ text, isPlain, isUnknown }: Word): boolean => isPlain && !isUnknown && /^\[\[?$/.test(text);

/** The first bracket belongs to the name, and what stands in it is evaluated, too. */
function mayHoldHidden({ value, word }: Assignment): boolean {
  return mayHide({ ...word, text: word.text.replace(/^\w+\[?/, ''), isPattern: /[*?]/.test(value) });
}

/** Whether the word may be the name of the variable, with a value or brackets behind it. */
const mayName = ({ text, knownLength }: Word, name: string): boolean =>
  text.split(/\+?=|\[/, 1)[0] === name && knownLength >= name.length;

/** Words among which a variable holds only numbers. */
const numeric = /^(?:in|-[a-z]+|-?\d+|\w+\+?=-?\d+)$/;
const isNumeric = ({ text, origin }: Word): boolean =>
  origin === 'number' || (origin === 'known' && numeric.test(text));

/** The evaluations in a command and in those that it runs, and the texts that they may evaluate. */
export class Evaluation {
  readonly #commands: ShellCommand[] = [];
  readonly #calculated = new Set<string>();
  readonly #words: (readonly Word[])[] = [];
  /** The variables that builtins such as `read` set. */
  readonly #read = new Set<string>();
  readonly #inputs: string[] = [];
  readonly #effects: Effect[] = [];

  add(command: ShellCommand): void {
    this.#commands.push(command);
    for (const name of command.calculated) this.#calculated.add(name);
  }

  /** A text that names variables, whose values are calculated in turn. It is empty where a list follows. */
  calculate(text: string): void {
    if (text === '') this.#effects.push({ evaluates: true });
    for (const [name] of text.matchAll(/[a-z_]\w*/gi)) this.#calculated.add(name);
  }

  addCommand({ words, inputs, isList }: SimpleCommand): void {
    const [first, ...others] = words;
    if (first === undefined) return;
    const effect = isList ? { makesLists: true } : effectOf(first, others);
    this.#effects.push(effect);
    for (const variable of effect.calculates ?? []) this.#calculated.add(variable);
    this.#words.push((isList ? words : others).filter((word) => !isBracket(word)));
    if (effect.reads === true) for (const { text } of others) this.#read.add(text);
    this.#inputs.push(...inputs);
  }

  /** Whether it evaluates a text that may run something which cannot be seen. */
  mayRunAnything(): boolean {
    if ((this.#reads('trusts') && this.#reads('redefines')) || this.#has('setsAny')) return true;
    const evaluates =
      this.#reads('evaluates') ||
      this.#has('evaluates') ||
      (this.#has('takesLists') && this.#has('makesLists')) ||
      [...this.#calculated].some((name) => !this.#isNumber(name));
    return evaluates && this.#holdsHidden();
  }

  #has(effect: keyof Effect): boolean {
    return this.#effects.some((one) => one[effect]);
  }

  #reads(finding: 'evaluates' | 'hasHidden' | 'namesFolder' | 'redefines' | 'trusts'): boolean {
    return this.#commands.some((one) => one[finding]);
  }

  get #assignments(): readonly Assignment[] {
    return this.#commands.flatMap(({ assignments }) => assignments);
  }

  #holdsHidden(): boolean {
    return (
      this.#reads('hasHidden') ||
      this.#reads('namesFolder') ||
      this.#has('reads') ||
      this.#assignments.some(mayHoldHidden) ||
      this.#words.some((words) => words.some(mayHide)) ||
      this.#inputs.some((input) => /[$`\\[]/.test(input))
    );
  }

  /** Whether a variable is set to numbers alone, and not to a list, whose value seems to be empty. The shell sets some that are written in capitals. */
  #isNumber(name: string): boolean {
    if (!/^\w*[a-z]\w*$/.test(name) || this.#read.has(name) || this.#reads('hasHidden')) return false;
    const values = this.#assignments.filter((assignment) => assignment.name === name);
    const words = this.#words.filter((some) => some.some((word) => mayName(word, name)));
    return (
      (this.#commands.some(({ counted }) => counted.has(name)) || values.length + words.length > 0) &&
      values.every(
        ({ value, word }) => (word.origin === 'number' ? /^-?\d*$/ : /^-?\d+$/).test(value) && !isVaried(word),
      ) &&
      words.every((some) => some.every((word) => word.text === name || isNumeric(word)))
    );
  }
}
