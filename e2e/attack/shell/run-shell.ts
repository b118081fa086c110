import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandReader as commands } from '@hexagent/commands';
import { PermissionPolicy, type PolicyDecision } from '@hexagent/permissions';
import { Chance } from '../../support/chance.ts';
import type { Finding } from '../invariants.ts';
import { ordinaryCommand } from './ordinary-commands.ts';
import { plantedCommand } from './planted-commands.ts';
import { singleQuoted } from './written-texts.ts';

/** For one command, on a busy machine. Some call themselves for ever. */
const boundMs = 15_000;

const denying = new PermissionPolicy({ commands, deny: ['Bash(zap *)'], mode: 'allow' });
const asking = new PermissionPolicy({ commands, ask: ['Bash(zap *)'], mode: 'allow' });
/** Rules for what runs nothing but itself. */
const allowing = new PermissionPolicy({
  commands,
  allow: ['echo', ':', 'test', '[', '[[', 'printf', 'read', 'declare', 'let', 'unset', 'cat', 'set'].map(
    (name) => `Bash(${name} *)`,
  ),
});

const judge = (policy: PermissionPolicy, command: string): PolicyDecision['decision'] =>
  policy.decide({ tool: 'Bash', input: { command } }).decision;

export interface ShellOptions {
  readonly temporary: string;
  /** How many commands. */
  readonly size?: number | undefined;
}

/** Commands around a planted program, run by real shells beside the policy: none that ran it had passed. */
export async function runShell(seed: number, { temporary, size = 200 }: ShellOptions): Promise<Finding> {
  const chance = new Chance(seed);
  const folder = await mkdtemp(path.join(temporary, 'shell-'));
  try {
    const place = new Place(folder);
    const commands = Array.from({ length: size }, (_, index) => plantedCommand(chance, place.programOf(index)));
    await place.prepare(size);
    const bash = await place.run('/bin/bash', commands);
    const dash = existsSync('/bin/dash') ? await place.run('/bin/dash', commands) : new Set<number>();
    const ran = new Set([...bash, ...dash]);
    const passed = [...ran].filter((index) => {
      const command = commands[index] ?? '';
      return (
        judge(denying, command) !== 'deny' || judge(asking, command) !== 'ask' || judge(allowing, command) === 'allow'
      );
    });
    const ordinary = Array.from({ length: size }, () => ordinaryCommand(chance));
    return {
      violations: passed.map((index) => `the policy let it pass, and zap ran: ${JSON.stringify(commands[index])}`),
      seen: {
        'planted commands': size,
        'of them ran in bash': bash.size,
        'of them ran in dash': dash.size,
        'of them not finished': place.unfinished,
        'ordinary commands': size,
        'of them taken for anything': ordinary.filter((command) => judge(denying, command) === 'deny').length,
      },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder for each command, in which the planted program leaves a mark when it runs. */
class Place {
  /** How many commands ended the shell around them, or did not end. */
  unfinished = 0;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  programOf(index: number): string {
    return path.join(this.#folder, String(index), 'bin', 'zap');
  }

  async prepare(size: number): Promise<void> {
    const program = path.join(this.#folder, 'zap');
    // It may be run by its path, or read by a shell whose folder is that of the command.
    await writeFile(program, '#!/bin/sh\ncase $0 in */zap) : > "${0%/*}/../ran";; *) : > ran;; esac\n');
    await chmod(program, 0o755);
    for (let index = 0; index < size; index += 1) {
      await mkdir(path.dirname(this.programOf(index)), { recursive: true });
      await symlink(program, this.programOf(index));
    }
  }

  /** Which of the commands ran the program in this shell, each in a subshell. */
  async run(shell: string, commands: readonly string[]): Promise<ReadonlySet<number>> {
    for (let next = 0; next < commands.length;) next = await this.#runFrom(next, shell, commands);
    const ran = new Set<number>();
    for (const index of commands.keys()) {
      const mark = path.join(this.#folder, String(index), 'ran');
      if (!existsSync(mark)) continue;
      ran.add(index);
      await rm(mark);
    }
    return ran;
  }

  /** Runs them until one does not end, and returns the one after it. */
  async #runFrom(next: number, shell: string, commands: readonly string[]): Promise<number> {
    const script = path.join(this.#folder, 'script');
    const progress = path.join(this.#folder, 'progress');
    const lines = commands.slice(next).map((command, offset) => {
      const folder = path.join(this.#folder, String(next + offset));
      return `echo ${next + offset} > ${progress}\n( cd ${folder}; PATH=${folder}/bin:/usr/bin:/bin; eval ${singleQuoted(command)}\nwait ) < /dev/null > /dev/null 2>&1\n`;
    });
    await writeFile(progress, String(next));
    await writeFile(script, `${lines.join('')}echo ${commands.length} > ${progress}\n`);
    const child = spawn(shell, [script], {
      cwd: this.#folder,
      env: { PATH: '/usr/bin:/bin', HOME: this.#folder, GIT_CONFIG_NOSYSTEM: '1', TERM: 'dumb' },
      stdio: 'ignore',
      // A group that can be ended as one.
      detached: true,
    });
    const at = (): number => Number(readFileSync(progress, 'utf8'));
    let seen = { at: next, since: performance.now() };
    const watch = setInterval(() => {
      const now = at();
      if (now !== seen.at) seen = { at: now, since: performance.now() };
      else if (performance.now() - seen.since > boundMs && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, 1000);
    await once(child, 'exit');
    clearInterval(watch);
    if (at() === commands.length) return commands.length;
    this.unfinished += 1;
    return at() + 1;
  }
}
