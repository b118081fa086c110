import {
  isReserved,
  readExpandedText,
  readShellCommand,
  type Assignment,
  type ShellCommand,
  type SimpleCommand,
} from './shell-reader.ts';
import {
  carriers,
  feeders,
  interpreters,
  isAmong,
  nameOf,
  openers,
  optionTakers,
  shells,
  shellTakers,
  words,
} from './shell-programs.ts';
import { substitution, type Word } from './shell-words.ts';

/** Everything that a shell command may run, as far as can be seen in it. */
export interface Candidates {
  /** Programs with their arguments. What begins inside another, as after `sudo`, is one of its own. */
  readonly commands: readonly (readonly Word[])[];
  /** The same as texts, in lower case. */
  readonly texts: readonly string[];
  /** Programs in other languages: what they mention they may run. */
  readonly scripts: readonly string[];
  /** It may run anything: the name of its program is computed, or its commands come from elsewhere. */
  readonly isAnything: boolean;
}

export function candidatesOf(command: ShellCommand): Candidates {
  const collector = new Collector();
  collector.add(command, 0);
  collector.addEvaluated(0);
  return collector;
}

/** Reserved words, and behind which word their command begins. Behind the others it may begin anywhere. */
const beginners: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(['!', '{', 'if', 'then', 'elif', 'else', 'while', 'until', 'do'].map((word) => [word, ''])),
  for: 'do',
  select: 'do',
  '[[': ']]',
};

const mostNested = 8;
/** A command that is made to keep the reader busy is taken for one that may run anything. */
const mostCommands = 300;

class Collector implements Candidates {
  readonly commands: (readonly Word[])[] = [];
  readonly scripts: string[] = [];
  isAnything = false;
  #texts: readonly string[] | undefined;
  /** Texts in quotes that hold a substitution, which runs where the text is evaluated. */
  readonly #quoted = new Set<string>();
  #evaluates = false;
  /** How many commands were looked at, those included that came to nothing. */
  #looked = 0;

  get texts(): readonly string[] {
    this.#texts ??= this.commands.map((words) =>
      words
        .map(({ text }) => text)
        .join(' ')
        .toLowerCase(),
    );
    return this.#texts;
  }

  add({ commands, assignments, evaluates, isBroken }: ShellCommand, depth: number): void {
    if (isBroken || depth > mostNested) this.isAnything = true;
    if (this.isAnything) return;
    this.#evaluates ||= evaluates;
    for (const assignment of assignments) this.#addAssignment(assignment, depth);
    for (const command of commands) this.#addCommand(command, depth);
  }

  /** Where something evaluates what is in variables, what was quoted runs. */
  addEvaluated(depth: number): void {
    if (!this.#evaluates) return;
    for (const text of this.#quoted) this.add(readExpandedText(text), depth + 1);
  }

  /** A program may run what a variable holds, and a shell expands the value of some of its own. */
  #addAssignment({ name, value }: Assignment, depth: number): void {
    if (substitution.test(value)) this.add(readExpandedText(value), depth + 1);
    if (name === 'PROMPT_COMMAND') this.add(readShellCommand(value), depth + 1);
    else this.#addHeld(value, depth);
  }

  /** A text that may be a command, and mostly is none: what cannot be read is not. */
  #addHeld(text: string, depth: number): void {
    const before = this.commands.length;
    this.add(readShellCommand(text), depth + 1);
    if (!this.isAnything || this.#looked > mostCommands) return;
    this.isAnything = false;
    this.commands.length = before;
  }

  #addCommand({ words: all, inputs }: SimpleCommand, depth: number): void {
    const [first, ...others] = all;
    if (first === undefined) return;
    this.commands.push(all);
    this.#looked += 1;
    if (first.isUnknown || (first.isPattern && !/^\[\[?$/.test(first.text)) || this.#looked > mostCommands)
      this.isAnything = true;
    if (this.isAnything) return;
    const name = nameOf(first);
    // An assignment to a shell that takes more for a name.
    if (first.text.includes('=') && others.length > 0) this.#addCommand({ words: others, inputs }, depth);
    for (const { text, isPlain } of all) if (!isPlain && substitution.test(text)) this.#quoted.add(text);
    for (const input of inputs) if (substitution.test(input)) this.#quoted.add(input);
    this.#evaluates ||= evaluates(name, others);
    if (isAmong(shellTakers, first)) this.#addShellArguments(others, depth);
    if (isAmong(optionTakers, first)) this.#addOptionValues(others, depth);
    if (isAmong(shells, first)) this.#addShellInput(others, inputs, depth);
    if (name === 'set' && others.some(({ text }) => /^-[a-z]*H|^histexpand$/.test(text))) this.isAnything = true;
    if (name === 'git') this.#addAliases(others, depth);
    if (isAmong(interpreters, first)) this.#addScripts(others, inputs);
    if ((name === 'source' || name === '.') && others.some(isStandardInput)) this.isAnything = true;
    if (isAmong(openers, first)) this.#addOpenedInput(others, inputs, depth);
    if (isAmong(feeders, first) && feedsCommands(others)) this.isAnything = true;
    if (isReserved(first.text)) this.#addCompound(first.text, others, depth);
    else if (isAmong(carriers, first) || loader.test(name) || first.text.startsWith('-'))
      this.#addCarried(others, depth);
    else {
      const run = others.findIndex(({ text }) => text === 'run' || text === 'exec' || text === 'dlx');
      if (run !== -1) this.#addCarried(others.slice(run + 1), depth);
    }
  }

  /** What follows such a word is a command, or has one behind another such word. */
  #addCompound(word: string, others: readonly Word[], depth: number): void {
    const begin = beginners[word];
    if (begin === undefined) this.#addCarried(others, depth);
    else {
      const at = begin === '' ? 0 : others.findIndex(({ text }) => text === begin || text === '{') + 1;
      if (begin === '' || at > 0) this.#addCommand({ words: others.slice(at), inputs: [] }, depth);
    }
  }

  /** Where the carried program begins depends on the options of its carrier, so it may be any of the words. */
  #addCarried(others: readonly Word[], depth: number): void {
    for (const [index, begin] of others.entries()) {
      if (this.isAnything) return;
      this.#addCommand({ words: others.slice(index), inputs: [] }, depth);
      const isGiven = /^-(?:exec|ok)(?:dir)?$/.test(others[index - 1]?.text ?? '');
      if (isGiven && (begin.text.includes('{}') || feedsCommands(others.slice(index)))) this.isAnything = true;
      // It has added what follows it.
      if (isAmong(carriers, begin)) return;
    }
  }

  #addShellArguments(others: readonly Word[], depth: number): void {
    for (const { text, isUnknown } of others) {
      if (isUnknown) this.isAnything = true;
      for (const command of commandsIn(text)) this.add(readShellCommand(command), depth + 1);
    }
    if (others.length > 1) this.add(readShellCommand(others.map(({ text }) => text).join(' ')), depth + 1);
  }

  /** One word is a name: `man zap` runs nothing. */
  #addOptionValues(others: readonly Word[], depth: number): void {
    for (const [index, { text }] of others.entries()) {
      const command = text.replace(/^-[\w-]*=|^[\w.-]+=|^[:+]*(?:!|shell\s)/, '').replace(/^exec=/, '');
      const isValue = command !== text || others[index - 1]?.text.startsWith('-') === true;
      if (isValue && (/\S\s/.test(command) || isCommand.test(text))) this.#addHeld(command, depth);
    }
  }

  /** A shell that is given no command and no file reads its commands from what is fed to it. */
  #addShellInput(others: readonly Word[], inputs: readonly string[], depth: number): void {
    if (others.some(({ text }) => /^-\w*c/.test(text))) {
      if (others.some(({ isUnknown }) => isUnknown)) this.isAnything = true;
      return;
    }
    const readsInput =
      others.every((word, at) => /^[-+]/.test(word.text) || takesValue(others[at - 1]) || isStandardInput(word)) ||
      others.some(isStandardInput);
    if (!readsInput && !others.some(({ text }) => /^-\w*s/.test(text))) return;
    if (inputs.length === 0) this.isAnything = true;
    for (const input of inputs) this.add(readShellCommand(input), depth + 1);
  }

  /** Without a command of its own such a program starts a shell, which reads its commands from what is fed to it. */
  #addOpenedInput(others: readonly Word[], inputs: readonly string[], depth: number): void {
    for (const input of inputs) this.add(readShellCommand(input), depth + 1);
    if (
      inputs.length === 0 &&
      others.filter(({ text }) => !text.startsWith('-')).length < 2 &&
      !others.some(({ text }) => onlyPrintsInfo.test(text) || text.startsWith('-c'))
    )
      this.isAnything = true;
  }

  #addScripts(others: readonly Word[], inputs: readonly string[]): void {
    if (others.some(({ text, isUnknown }) => isUnknown && !isPath(text))) this.isAnything = true;
    const isFed = others.every(
      (word, at) =>
        word.text.startsWith('-') || optionsWithValue.test(others[at - 1]?.text ?? '') || isStandardInput(word),
    );
    if (isFed && inputs.length === 0 && !others.some(({ text }) => onlyPrintsInfo.test(text))) this.isAnything = true;
    if (inputs.some((input) => input.startsWith('$input'))) this.isAnything = true;
    this.scripts.push(...others.map(({ text }) => text), ...inputs);
  }

  /** An alias of git that begins with `!` is a shell command; values of its configuration may be, and what `rebase` and `foreach` take. */
  #addAliases(others: readonly Word[], depth: number): void {
    for (const [index, { text }] of others.entries()) {
      const command = /=\s*!(.*)$/s.exec(text)?.[1];
      if (command !== undefined) this.add(readShellCommand(command), depth + 1);
      else if (others[index - 1]?.text === '-c') this.#addHeld(text.replace(/^[^=]*=/, ''), depth);
    }
    if (others.some(({ text }) => text === 'rebase' || text === 'foreach')) this.#addShellArguments(others, depth);
  }
}

/** The loader of the system, which runs the program that it is given. */
const loader = /^ld[\w.-]*\.so/;

/** What can be nothing else, although it is one word. */
const isCommand = /^[:+]*!|=exec=|^--(?:filter|to-command|rsh|[\w-]*-program|[\w-]*-command)=/;

const evaluators = words(
  'let integer float print declare typeset local export readonly unset read wait mapfile readarray getopts ((',
);

/** Whether a builtin takes the names of variables or calculates: both evaluate what is in the brackets of a name. */
function evaluates(name: string, others: readonly Word[]): boolean {
  if (evaluators.has(name)) return true;
  if (name === 'printf') return others[0]?.text.startsWith('-v') === true;
  return (
    (name === 'test' || name === '[' || name === '[[') &&
    others.some(({ text }) => /^-(?:[vR]|eq|ne|lt|le|gt|ge)$/.test(text))
  );
}

const isPath = (text: string): boolean => /^[\w./-]+$/.test(text);

/** An option of a shell whose value is the next word, which is then no file of commands. */
const takesValue = (word: Word | undefined): boolean =>
  word !== undefined && /^(?:[-+]\w*[oO]|--rcfile|--init-file)$/.test(word.text);

/** Options of interpreters whose value is the next word, which is then no file. */
const optionsWithValue = /^-(?:[WXrI]|-require|-import)$/;

/** What an argument may hold for a shell: itself, or the value of an option that it begins with. `env` writes a space as `\_`. */
function commandsIn(text: string): ReadonlySet<string> {
  const value = text.replace(/^(?:-\w*?[cS]|[\w.-]+=)/, '');
  return new Set([text, value].flatMap((one) => [one, one.replaceAll(String.raw`\_`, ' ')]));
}

/** With these an interpreter runs nothing. */
const onlyPrintsInfo = /^-(?:[vVh]|-version|-help)$/;

/** Whether what `xargs` reads becomes a command: it is the program, or that of a carrier, or stands in commands for a shell. */
function feedsCommands(others: readonly Word[]): boolean {
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

/** What stands for the input, by the option `-I`. */
function placeOfInput(texts: readonly string[]): string {
  const option = texts.findIndex((text) => /^-[iI]|^--replace/.test(text));
  const place = texts[option] === '-I' ? texts[option + 1] : /^(?:-[iI]|--replace=)(.+)/.exec(texts[option] ?? '')?.[1];
  return place ?? '{}';
}

const isStandardInput = ({ text, isUnknown }: Word): boolean =>
  isUnknown || text === '-' || /(?:^|\/)stdin$|\/fd\//.test(text);
