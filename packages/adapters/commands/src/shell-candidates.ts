import { readExpandedText, readShellCommand } from './shell-reader.ts';
import type { Assignment, ShellCommand, SimpleCommand } from './shell-reading.ts';
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
} from './shell-programs.ts';
import { Evaluation } from './shell-evaluation.ts';
import { feedsCommands } from './shell-feeding.ts';
import { isCalculated, isExpanded, isReserved, isRun, mayDefine } from './shell-names.ts';
import { isVaried, type Word } from './shell-words.ts';

export function candidatesOf(command: ShellCommand): Candidates {
  const candidates = new Candidates();
  candidates.add(command, 0);
  candidates.judgeEvaluated();
  return candidates;
}

const unreadable = 'a part of it is unfinished or very long, or shells read it in different ways';
const tooMuch = 'it has too many commands to be read';
const computed = 'the name of a program or the text of a command in it is not known beforehand';
const fed = 'a shell or an interpreter in it reads its commands from elsewhere';
const evaluated = 'it evaluates text that is not known beforehand';
const defined = 'it may give another meaning to the name of a program';

/** Reserved words, and behind which word their command begins. Behind the others it may begin anywhere. */
const beginners: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(['!', '{', 'if', 'then', 'elif', 'else', 'while', 'until', 'do'].map((word) => [word, ''])),
  for: 'do',
  select: 'do',
  '[[': ']]',
};

const mostNested = 8;
/** A command with more candidates than this counts as able to run anything: it may be made to keep the reader busy. */
const mostCommands = 300;
const mostWords = 30_000;

/** Everything that a shell command may run, as far as can be seen in it. */
class Candidates {
  /** Programs with their arguments. A command inside another one, as after `sudo`, is listed too. */
  readonly commands: (readonly Word[])[] = [];
  /** Programs in other languages: what they mention they may run. */
  readonly scripts: string[] = [];
  /** Why it may run anything: the name of its program is computed, or its commands come from elsewhere. */
  anything: string | undefined;
  #evaluation = new Evaluation();
  /** The values of variables, which programs may find in their environment. */
  readonly #values: string[] = [];
  /** How many commands were read, also those that were left out. */
  #looked = 0;
  #words = 0;

  add(command: ShellCommand, depth: number): void {
    if (command.isBroken || depth > mostNested) this.anything ??= unreadable;
    if (this.anything !== undefined) return;
    this.#evaluation.add(command);
    for (const assignment of command.assignments) this.#addAssignment(assignment, depth);
    for (const simple of command.commands) this.#addCommand(simple, depth);
  }

  judgeEvaluated(): void {
    if (this.#evaluation.mayRunAnything()) this.anything ??= evaluated;
    if (this.scripts.length > 0) this.scripts.push(...this.#values);
  }

  /** A program may run the value of a variable, and a shell expands the values of its special variables. */
  #addAssignment(assignment: Assignment, depth: number): void {
    const { name, value, word } = assignment;
    if (mayDefine(word.text)) this.anything ??= defined;
    this.#values.push(value);
    // What is appended begins with what was there.
    const isPiece = isVaried(word) || /^\w+\+=/.test(word.text);
    if ((isExpanded(name) || isRun(name)) && isPiece) this.anything ??= computed;
    if (isCalculated(name)) this.#evaluation.calculate(value);
    if (isExpanded(name) && /[$`]/.test(value)) this.add(readExpandedText(value), depth + 1);
    if (isRun(name)) this.add(readShellCommand(value.replace(/^[!|]/, '')), depth + 1);
    else this.#addHeld(value, depth);
    const command = commandBehindMark(word);
    if (command !== undefined && isVaried(word)) this.anything ??= computed;
    if (command === undefined) return;
    // Git has quotes around each setting that GIT_CONFIG_PARAMETERS holds.
    for (const each of [command, command.replace(/['"].*/s, '')]) this.#addHeld(each, depth);
  }

  /** A text that may be a command, and mostly is not: where it cannot be read, it is left out. */
  #addHeld(text: string, depth: number): void {
    if (this.anything !== undefined) return;
    const before = this.commands.length;
    const evaluation = this.#evaluation;
    this.#evaluation = new Evaluation();
    this.add(readShellCommand(text), depth + 1);
    this.#evaluation = evaluation;
    if (this.#isBusy()) return;
    if (this.anything === undefined) return;
    this.anything = undefined;
    this.commands.length = before;
  }

  #addCommand(command: SimpleCommand, depth: number): void {
    const { words: all, inputs } = command;
    const [first, ...others] = all;
    if (first === undefined) return;
    this.commands.push(all);
    this.#looked += 1;
    this.#words += all.length;
    if (this.#isBusy()) this.anything ??= tooMuch;
    if ((first.isUnknown && first.origin !== 'number') || first.isPattern) this.anything ??= computed;
    if (all.some(({ text }) => mayDefine(text))) this.anything ??= defined;
    if (this.anything !== undefined) return;
    const name = nameOf(first);
    for (const word of all) this.#addSetting(word, word === first || setters.test(name), depth);
    // An assignment to a shell that takes more for a name.
    if (first.text.includes('=') && others.length > 0)
      this.#addCommand({ words: others, inputs, isList: false }, depth);
    this.#evaluation.addCommand(command);
    if (isAmong(shellTakers, first) && (name !== 'npx' || others.some(isCall))) this.#addShellArguments(others, depth);
    if (isAmong(optionTakers, first)) this.#addOptionValues(others, depth);
    if (isAmong(shells, first)) this.#addShellInput(others, inputs, depth);
    if (name === 'env' && isSplitByEnv(others)) this.anything ??= unreadable;
    if (name === 'set' && others.some(({ text }) => /^-[a-z]*H|^histexpand$/.test(text))) this.anything ??= evaluated;
    if (name === 'git') this.#addAliases(others, depth);
    if (isAmong(interpreters, first)) this.#addScripts(others, inputs);
    // Its first argument that is not an option is the script.
    if (name.endsWith('awk') && others.find(({ text }) => !text.startsWith('-'))?.isUnknown === true)
      this.anything ??= computed;
    if ((name === 'source' || name === '.') && others.some(isStandardInput)) this.anything ??= fed;
    if (isAmong(openers, first)) this.#addOpenedInput(others, inputs, depth);
    if (isAmong(feeders, first) && feedsCommands(others)) this.anything ??= fed;
    if (isReserved(first.text)) this.#addCompound(first.text, others, depth);
    else if (isAmong(carriers, first) || loader.test(name) || (first.text.startsWith('-') && !isUnaryTest(all)))
      this.#addCarried(others, depth);
    else {
      const run = others.findIndex(({ text }) => text === 'run' || text === 'exec' || text === 'dlx');
      if (run !== -1) this.#addCarried(others.slice(run + 1), depth);
    }
  }

  #isBusy(): boolean {
    return this.#looked > mostCommands || this.#words > mostWords;
  }

  /** A word sets a variable in `export PS4=…` and the like, and as the first word behind a reserved one. */
  #addSetting(word: Word, isFirst: boolean, depth: number): void {
    const name = /^\w+(?=\+?=)/.exec(word.text)?.[0];
    if (name === undefined || !(isFirst || isExpanded(name) || isRun(name))) return;
    const value = word.text.replace(/^\w+\+?=/, '');
    this.#addAssignment({ name, value, word }, depth);
  }

  /** A command follows the reserved word, or another reserved word behind it. */
  #addCompound(word: string, others: readonly Word[], depth: number): void {
    const begin = beginners[word];
    if (begin === undefined) this.#addCarried(others, depth);
    else {
      const at = begin === '' ? 0 : others.findIndex(({ text }) => text === begin || text === '{') + 1;
      if (begin === '' || at > 0) this.#addCommand({ words: others.slice(at), inputs: [], isList: false }, depth);
    }
  }

  /** The carried program may begin at any word: that depends on the options of its carrier. */
  #addCarried(others: readonly Word[], depth: number): void {
    for (const [index, begin] of others.entries()) {
      if (this.anything !== undefined) return;
      this.#addCommand({ words: others.slice(index), inputs: [], isList: false }, depth);
      const isGiven = /^-(?:exec|ok)(?:dir)?$/.test(others[index - 1]?.text ?? '');
      if (isGiven && (begin.text.includes('{}') || feedsCommands(others.slice(index)))) this.anything ??= fed;
      // It has added what follows it.
      if (isAmong(carriers, begin)) return;
    }
  }

  #addShellArguments(others: readonly Word[], depth: number): void {
    for (const { text, isUnknown } of others) {
      if (isUnknown) this.anything ??= computed;
      for (const command of commandsIn(text)) this.add(readShellCommand(command), depth + 1);
    }
    if (others.length > 1) this.add(readShellCommand(others.map(({ text }) => text).join(' ')), depth + 1);
  }

  /** A single word is a name, not a command: `man zap` runs nothing. */
  #addOptionValues(others: readonly Word[], depth: number): void {
    for (const [index, word] of others.entries()) {
      const { text } = word;
      if (isVaried(word) && isCommand.test(text)) this.anything ??= computed;
      const command = text.replace(/^-[\w-]*=|^[\w.-]+=|^[:+]*(?:!|shell\s)/, '').replace(/^exec=/, '');
      const isValue = command !== text || others[index - 1]?.text.startsWith('-') === true;
      if (isValue && (/\S\s/.test(command) || isCommand.test(text))) this.#addHeld(command, depth);
    }
  }

  /** A shell that is given no command and no file reads its commands from what is fed to it. */
  #addShellInput(others: readonly Word[], inputs: readonly string[], depth: number): void {
    if (others.some(({ text }) => /^-\w*c/.test(text))) {
      if (others.some(({ isUnknown }) => isUnknown)) this.anything ??= computed;
      return;
    }
    const readsInput =
      others.every((word, at) => /^[-+]/.test(word.text) || takesValue(others[at - 1]) || isStandardInput(word)) ||
      others.some(isStandardInput);
    if (!readsInput && !others.some(({ text }) => /^-\w*s/.test(text))) return;
    if (inputs.length === 0) this.anything ??= fed;
    for (const input of inputs) this.add(readShellCommand(input), depth + 1);
  }

  /** Such a program starts a shell where it is given no command, and the shell reads commands from its input. */
  #addOpenedInput(others: readonly Word[], inputs: readonly string[], depth: number): void {
    for (const input of inputs) this.add(readShellCommand(input), depth + 1);
    if (
      inputs.length === 0 &&
      others.filter(({ text }) => !text.startsWith('-')).length < 2 &&
      !others.some(({ text }) => onlyPrintsInfo.test(text) || text.startsWith('-c'))
    )
      this.anything ??= fed;
  }

  #addScripts(others: readonly Word[], inputs: readonly string[]): void {
    const isInline = others.some(({ text }) => /^-[a-z]*[ceEp]$/.test(text));
    if (others.some(({ text, isUnknown }, at) => isUnknown && (isInline || !isPath(text) || isOption(others[at - 1]))))
      this.anything ??= computed;
    const isFed = others.every(
      (word, at) =>
        word.text.startsWith('-') || optionsWithValue.test(others[at - 1]?.text ?? '') || isStandardInput(word),
    );
    if (isFed && inputs.length === 0 && !others.some(({ text }) => onlyPrintsInfo.test(text))) this.anything ??= fed;
    if (inputs.some((input) => input.startsWith('$input'))) this.anything ??= fed;
    this.scripts.push(...others.map(({ text }) => text), ...inputs);
  }

  /** An alias of git that begins with `!` is a shell command; values of its configuration may be, and what `rebase` and `foreach` take. */
  #addAliases(others: readonly Word[], depth: number): void {
    const config = others.findIndex(({ text }) => text === 'config');
    const isOfUser = others.some(({ text }) => text.startsWith('user.'));
    for (const [index, word] of others.entries()) {
      const command = commandBehindMark(word);
      const before = others[index - 1];
      const isGiven = before?.text === '-c' || (before?.isUnknown === true && word.text.includes('='));
      const isSetting = isGiven || (config !== -1 && index > config && !isOfUser);
      if (isVaried(word) && (isSetting || command !== undefined || (index === 0 && word.isSplit)))
        this.anything ??= computed;
      if (command !== undefined) this.add(readShellCommand(command), depth + 1);
      else if (isSetting) this.#addHeld(word.text.replace(/^[^=]*=/, ''), depth);
    }
    if (others.some(({ text }) => text === 'rebase' || text === 'foreach')) this.#addShellArguments(others, depth);
  }
}

/** Builtins and programs whose words set variables. */
const setters = /^(?:export|declare|typeset|local|readonly|env)$/;

/** The shell command in a value of git, behind the mark `!`. */
const commandBehindMark = ({ text }: Word): string | undefined => /(?:^|=)\s*!(.*)$/s.exec(text)?.[1];

/** `env -S` reads escapes differently than a shell. */
const isSplitByEnv = (others: readonly Word[]): boolean =>
  others.some(({ text }) => /^-\w*S|^--s/.test(text)) && others.some(({ text }) => /\\(?!_)/.test(text));

/** The end of `[[ … || -f x ]]`. */
const isUnaryTest = ([first, , last]: readonly Word[]): boolean =>
  /^-[a-zA-Z]$/.test(first?.text ?? '') && last?.text === ']]';

/** The loader of the system, which runs the program that it is given. */
const loader = /^ld[\w.-]*\.so/;

/** A single word that is certainly a command. */
const isCommand = /^[:+]*(?:!|shell\s)|=exec=|^--(?:filter|to-command|rsh|[\w-]*-program|[\w-]*-command)=/;

const isOption = (word: Word | undefined): boolean => word?.text.startsWith('-') === true;

/** Whether it is the option by which `npx` takes a command for a shell. */
const isCall = ({ text }: Word): boolean => /^-\w*c|^--call/.test(text);

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

/** Options with which an interpreter reads no program. */
const onlyPrintsInfo = /^-(?:[vVh]|-version|-help|-test)$/;

const isStandardInput = ({ text, isUnknown }: Word): boolean =>
  isUnknown || text === '-' || /(?:^|\/)stdin$|\/fd\//.test(text);
