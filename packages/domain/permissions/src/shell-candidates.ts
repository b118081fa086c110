import {
  isReserved,
  readExpandedText,
  readShellCommand,
  type Assignment,
  type ShellCommand,
  type SimpleCommand,
} from './shell-reader.ts';
import type { Word } from './shell-words.ts';

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

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Programs that run another one, which stands behind their own options. */
const carriers = words(
  'sudo doas su runuser env command builtin exec nohup nice ionice timeout gtimeout time stdbuf setsid chroot unshare nsenter ' +
    'flock taskset chrt xargs gxargs parallel find gfind fd fdfind watch entr strace ltrace script busybox toybox ssh caffeinate ' +
    'arch unbuffer firejail bwrap proot fakeroot systemd-run screen tmux prlimit numactl setpriv docker podman kubectl wsl ' +
    'npx bunx pnpx uvx bundle direnv nix-shell hyperfine perf noglob nocorrect - repeat zargs ifne gtime chpst aa-exec torsocks ' +
    'proxychains proxychains4 cgexec catchsegv fakechroot ' +
    'setarch linux32 linux64 i386 x86_64 choom logsave capsh sg pkexec gosu su-exec run0 dbus-run-session dbus-launch xvfb-run ' +
    'valgrind rlwrap sshpass socat tini dumb-init chronic faketime eatmydata start-stop-daemon pipx hash cross-env dotenv nodemon',
);
/** Programs that take shell commands as their arguments. */
const shellTakers = words(
  'eval trap alias sh bash zsh dash ksh mksh lksh posh yash ash fish csh tcsh rbash osh ysh nu elvish xonsh sash su runuser ssh script watch parallel entr flock env busybox ' +
    'toybox hyperfine tmux screen nix-shell cmd pwsh powershell bind mapfile readarray compgen complete sg capsh npx nodemon emulate',
);
/** Programs that take a shell command as the value of an option, or behind a `!`. */
const optionTakers = words('tar gtar bsdtar zip vim vi nvim view ex gdb rsync scp sftp sort split man less more socat');
const shells = words(
  'sh bash zsh dash ksh mksh lksh posh yash ash fish csh tcsh rbash osh ysh nu elvish xonsh sash pwsh powershell at batch',
);
/** Programs that take a program in a language of their own as an argument. */
const interpreters = words(
  'python pypy node nodejs deno bun perl ruby php lua luajit tclsh expect osascript awk gawk mawk nawk',
);

/** Programs that give what they read to another one. */
const feeders = words('xargs gxargs parallel');

/** Programs that start a shell where they are given no command. */
const openers = words('su newgrp sg chroot fakeroot script ssh capsh');

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
    for (const { text, isPlain } of all) if (!isPlain && substitution.test(text)) this.#quoted.add(text);
    for (const input of inputs) if (substitution.test(input)) this.#quoted.add(input);
    this.#evaluates ||= evaluates(name, others);
    if (isAmong(shellTakers, first)) this.#addShellArguments(others, depth);
    if (isAmong(optionTakers, first)) this.#addOptionValues(others, depth);
    if (isAmong(shells, first)) this.#addShellInput(others, inputs, depth);
    if (name === 'git') this.#addAliases(others, depth);
    if (isAmong(interpreters, first)) this.#addScripts(others, inputs);
    if ((name === 'source' || name === '.') && others.some(isStandardInput)) this.isAnything = true;
    if (isAmong(openers, first)) this.#addOpenedInput(others, inputs, depth);
    if (isAmong(feeders, first) && feedsCommands(others)) this.isAnything = true;
    if (isReserved(first.text)) this.#addCompound(first.text, others, depth);
    else if (isAmong(carriers, first) || loader.test(name)) this.#addCarried(others, depth);
    else {
      const run = others.slice(0, 3).findIndex(({ text }) => text === 'run' || text === 'exec');
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
      if (begin.text.includes('{}') && /^-(?:exec|ok)(?:dir)?$/.test(others[index - 1]?.text ?? ''))
        this.isAnything = true;
      // It has added what follows it.
      if (isReserved(nameOf(begin)) || isAmong(carriers, begin)) return;
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
      if (isValue && /\S\s/.test(command)) this.#addHeld(command, depth);
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

const substitution = /\$\(|`/;

/** The loader of the system, which runs the program that it is given. */
const loader = /^ld[\w.-]*\.so/;

const evaluators = words('let declare typeset local export readonly unset read wait mapfile readarray getopts ((');

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
  return new Set([text, value, value.replaceAll(String.raw`\_`, ' ')]);
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
    given.every((text) => text === place || /^[-+]|^\d+[a-z]?$|^\w+=/.test(text)) ||
    (isAmong(shellTakers, others[carrier]) && given.some((text) => text.includes(place)))
  );
}

/** What stands for the input, by the option `-I`. */
function placeOfInput(texts: readonly string[]): string {
  const option = texts.findIndex((text) => /^-[iI]|^--replace/.test(text));
  const place = texts[option] === '-I' ? texts[option + 1] : /^(?:-[iI]|--replace=)(.+)/.exec(texts[option] ?? '')?.[1];
  return place ?? '{}';
}

/** Programs have names such as `bash5`, `zsh-5.9` and `sh.exe` too. */
function isAmong(programs: ReadonlySet<string>, word: Word | undefined): boolean {
  if (word === undefined) return false;
  const name = nameOf(word);
  return programs.has(name) || programs.has(name.replace(/(?:\.exe|[.-]static|\.distrib|-?\d[\d.]*)$/, ''));
}

const isStandardInput = ({ text, isUnknown }: Word): boolean =>
  isUnknown || text === '-' || /(?:^|\/)stdin$|\/fd\//.test(text);

/** A program's name without its folder, and without the `=` by which zsh searches for it. File systems without case run `rm` for `RM`. */
export function nameOf({ text }: Word): string {
  return text
    .slice(text.lastIndexOf('/') + 1)
    .replace(/^=(?=\w)/, '')
    .toLowerCase();
}
