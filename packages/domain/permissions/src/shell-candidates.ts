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
    'npx bunx pnpx uvx bundle direnv nix-shell hyperfine perf',
);
/** Programs that take shell commands as their arguments. */
const shellTakers = words(
  'eval trap alias sh bash zsh dash ksh mksh ash fish csh tcsh rbash su runuser ssh script watch parallel entr flock env busybox ' +
    'toybox hyperfine tmux screen nix-shell cmd pwsh powershell bind mapfile readarray',
);
const shells = words('sh bash zsh dash ksh mksh ash fish csh tcsh rbash pwsh powershell at batch');
/** Programs that take a program in a language of their own as an argument. */
const interpreters = words(
  'python pypy node nodejs deno bun perl ruby php lua luajit tclsh expect osascript awk gawk mawk nawk',
);

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
    if (shellTakers.has(name)) this.#addShellArguments(others, depth);
    if (shells.has(name)) this.#addShellInput(others, inputs, depth);
    if (name === 'git') this.#addAliases(others, depth);
    if (interpreters.has(name.replace(/[\d.]+$/, ''))) this.#addScripts(others, inputs);
    if ((name === 'source' || name === '.') && others.some(isStandardInput)) this.isAnything = true;
    if (isReserved(name) || carriers.has(name)) this.#addCarried(others, depth);
  }

  /** Where the carried program begins depends on the options of its carrier, so it may be any of the words. */
  #addCarried(others: readonly Word[], depth: number): void {
    for (const [index, begin] of others.entries()) {
      if (this.isAnything) return;
      this.#addCommand({ words: others.slice(index), inputs: [] }, depth);
      // It has added what follows it.
      if (isReserved(nameOf(begin)) || carriers.has(nameOf(begin))) return;
    }
  }

  #addShellArguments(others: readonly Word[], depth: number): void {
    for (const { text, isUnknown } of others) {
      if (isUnknown && !isPath(text)) this.isAnything = true;
      if (/\s|[;&|<>()`$=]/.test(text)) this.add(readShellCommand(text.replace(/^[\w.-]+=/, '')), depth + 1);
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
      others.every((word) => /^[-+]/.test(word.text) || isStandardInput(word)) || others.some(isStandardInput);
    if (!readsInput && !others.some(({ text }) => /^-\w*s/.test(text))) return;
    if (inputs.length === 0) this.isAnything = true;
    for (const input of inputs) this.add(readShellCommand(input), depth + 1);
  }

  #addScripts(others: readonly Word[], inputs: readonly string[]): void {
    if (others.some(({ text, isUnknown }) => isUnknown && !isPath(text))) this.isAnything = true;
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

const isStandardInput = ({ text, isUnknown }: Word): boolean =>
  isUnknown || text === '-' || text === '/dev/stdin' || /^\/(?:dev\/fd|proc\/self\/fd)\//.test(text);

/** A program's name without its folder. File systems without case run `rm` for `RM`. */
export function nameOf({ text }: Word): string {
  return text.slice(text.lastIndexOf('/') + 1).toLowerCase();
}
