import type { Word } from './shell-words.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Programs that run another one, which stands behind their own options. */
export const carriers: ReadonlySet<string> = words(
  'sudo doas su runuser env command builtin exec nohup nice ionice timeout gtimeout time stdbuf setsid chroot unshare nsenter ' +
    'flock taskset chrt xargs gxargs parallel find gfind fd fdfind watch entr strace ltrace script busybox toybox ssh caffeinate ' +
    'arch unbuffer firejail bwrap proot fakeroot systemd-run screen tmux prlimit numactl setpriv docker podman kubectl wsl ' +
    'npx bunx pnpx uvx bundle direnv nix-shell hyperfine perf noglob nocorrect - repeat zargs ifne gtime chpst aa-exec torsocks ' +
    'proxychains proxychains4 cgexec catchsegv fakechroot ' +
    'jobs fc ssh-agent dpkg-architecture source . watchexec onchange sem env_parallel nocache cpulimit trickle tsocks torify ' +
    'softlimit setuidgid envdir perf rr machinectl lxc incus nerdctl dtach abduco daemonize sandbox-exec vagrant rsh mosh wine ' +
    'setarch linux32 linux64 i386 x86_64 choom logsave capsh sg pkexec gosu su-exec run0 dbus-run-session dbus-launch xvfb-run ' +
    'valgrind rlwrap sshpass socat tini dumb-init chronic faketime eatmydata start-stop-daemon pipx hash cross-env dotenv nodemon',
);
/** Programs that take shell commands as their arguments. */
export const shellTakers: ReadonlySet<string> = words(
  'eval trap alias sh bash zsh dash ksh mksh lksh posh yash ash fish csh tcsh rbash osh ysh nu elvish xonsh sash su runuser ssh script watch parallel entr flock env busybox ' +
    'toybox hyperfine tmux screen nix-shell cmd pwsh powershell bind history concurrently pee sem vagrant mosh mapfile readarray compgen complete sg capsh npx nodemon emulate',
);
/** Programs that take a shell command as the value of an option, or behind a `!`. */
export const optionTakers: ReadonlySet<string> = words(
  'tar gtar bsdtar zip install vim vi nvim view ex gdb rsync scp sftp sort split man less more socat',
);
export const shells: ReadonlySet<string> = words(
  'sh bash zsh dash ksh mksh lksh posh yash ash fish csh tcsh rbash osh ysh nu elvish xonsh sash pwsh powershell at batch',
);
/** Programs that take a program in another language as an argument. */
export const interpreters: ReadonlySet<string> = words(
  'python pypy ipython node nodejs deno bun tsx ts-node perl raku ruby irb php lua luajit tclsh expect osascript awk gawk mawk nawk ' +
    'sqlite ed ex m4 gnuplot octave julia rscript emacs guile ghci jshell groovy scala elixir',
);

/** Programs that give what they read to another one. */
export const feeders: ReadonlySet<string> = words('xargs gxargs parallel');

/** Programs that start a shell where they are given no command. */
export const openers: ReadonlySet<string> = words('su newgrp sg chroot fakeroot script ssh capsh');

/** Programs have names such as `bash5`, `zsh-5.9` and `sh.exe` too. */
export function isAmong(programs: ReadonlySet<string>, word: Word | undefined): boolean {
  if (word === undefined) return false;
  const name = nameOf(word);
  return programs.has(name) || programs.has(name.replace(/(?:\.exe|[.-]static|\.distrib|-?\d[\d.]*)$/, ''));
}

/** A program's name without its folder, and without the `=` by which zsh searches for it. File systems without case run `rm` for `RM`. */
export function nameOf({ text }: Pick<Word, 'text'>): string {
  return text
    .slice(text.lastIndexOf('/') + 1)
    .replace(/^=(?=\w)/, '')
    .toLowerCase();
}
