import { isReserved, readShellCommand, type ShellCommand, type SimpleCommand } from './shell-reader.ts';
import type { Word } from './shell-words.ts';

/** Everything that a shell command may run, as far as can be seen in it. */
export interface Candidates {
  /** Programs with their arguments. What begins inside another, as after `sudo`, is one of its own. */
  readonly commands: readonly (readonly Word[])[];
  /** The same as texts, in lower case. */
  readonly texts: readonly string[];
  /** Programs in other languages: what they mention they may run. */
  readonly scripts: readonly string[];
  /** It may run anything: a program whose name is not known, or commands that come from elsewhere. */
  readonly isAnything: boolean;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Programs that run another one, which stands behind their own options. */
const carriers = words(
  'sudo doas su runuser env command builtin exec nohup nice ionice timeout gtimeout time stdbuf setsid chroot unshare nsenter ' +
    'flock taskset chrt xargs gxargs parallel find gfind fd fdfind watch entr strace ltrace script busybox toybox ssh caffeinate ' +
    'arch unbuffer firejail bwrap proot fakeroot systemd-run screen tmux prlimit numactl setpriv docker podman kubectl wsl ' +
    'npx bunx pnpx uvx bundle direnv nix-shell hyperfine perf ' +
    'setarch linux32 linux64 i386 x86_64 choom logsave capsh sg pkexec gosu su-exec run0 dbus-run-session dbus-launch xvfb-run ' +
    'valgrind rlwrap sshpass socat tini dumb-init chronic faketime eatmydata start-stop-daemon pipx hash cross-env dotenv nodemon',
);
/** Programs that take shell commands as their arguments. */
const shellTakers = words(
  'eval trap alias sh bash zsh dash ksh mksh lksh posh yash ash fish csh tcsh rbash osh ysh nu elvish xonsh sash su runuser ssh script watch parallel entr flock env busybox ' +
    'toybox hyperfine tmux screen nix-shell cmd pwsh powershell bind mapfile readarray compgen complete sg capsh npx nodemon',
);
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
  return collector;
}

const mostNested = 8;
/** A command that is made to keep the reader busy is taken for one that may run anything. */
const mostCommands = 300;

class Collector implements Candidates {
  readonly commands: (readonly Word[])[] = [];
  readonly scripts: string[] = [];
  isAnything = false;
  #texts: readonly string[] | undefined;

  get texts(): readonly string[] {
    this.#texts ??= this.commands.map((words) =>
      words
        .map(({ text }) => text)
        .join(' ')
        .toLowerCase(),
    );
    return this.#texts;
  }

  add({ commands, isBroken }: ShellCommand, depth: number): void {
    if (isBroken || depth > mostNested) this.isAnything = true;
    else for (const command of commands) this.#addCommand(command, depth);
  }

  #addCommand({ words: all, inputs }: SimpleCommand, depth: number): void {
    const [first, ...others] = all;
    if (first === undefined) return;
    this.commands.push(all);
    if (first.isUnknown || first.isPattern || this.commands.length > mostCommands) this.isAnything = true;
    if (this.isAnything) return;
    const name = nameOf(first);
    if (isAmong(shellTakers, first)) this.#addShellArguments(others, depth);
    if (isAmong(shells, first)) this.#addShellInput(others, inputs, depth);
    if (name === 'git') this.#addAliases(others, depth);
    if (isAmong(interpreters, first)) this.#addScripts(others, inputs);
    if ((name === 'source' || name === '.') && others.some(isStandardInput)) this.isAnything = true;
    if (isAmong(openers, first)) this.#addOpenedInput(others, inputs, depth);
    if (isAmong(feeders, first) && feedsCommands(others)) this.isAnything = true;
    if (isReserved(name) || isAmong(carriers, first)) this.#addCarried(others, depth);
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
      !others.some(({ text }) => onlyTells.test(text) || text.startsWith('-c'))
    )
      this.isAnything = true;
  }

  #addScripts(others: readonly Word[], inputs: readonly string[]): void {
    if (others.some(({ text, isUnknown }) => isUnknown && !isPath(text))) this.isAnything = true;
    const isFed = others.every(
      (word, at) =>
        word.text.startsWith('-') || optionsWithValue.test(others[at - 1]?.text ?? '') || isStandardInput(word),
    );
    if (isFed && inputs.length === 0 && !others.some(({ text }) => onlyTells.test(text))) this.isAnything = true;
    this.scripts.push(...others.map(({ text }) => text), ...inputs);
  }

  /** An alias of git that begins with `!` is a shell command. */
  #addAliases(others: readonly Word[], depth: number): void {
    for (const { text } of others) {
      const command = /=\s*!(.*)$/s.exec(text)?.[1];
      if (command !== undefined) this.add(readShellCommand(command), depth + 1);
    }
  }
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
const onlyTells = /^-(?:[vVh]|-version|-help)$/;

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

/** A program's name without its folder. File systems without case run `rm` for `RM`. */
export function nameOf({ text }: Word): string {
  return text.slice(text.lastIndexOf('/') + 1).toLowerCase();
}
