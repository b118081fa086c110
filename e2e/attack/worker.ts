// A process of its own for the runs of an attack: what escapes in it, and what is left of it, is theirs alone.
import { errorText } from './error-text.ts';
import type { Finding } from './invariants.ts';
import { runChats } from './chats/run-chats.ts';
import { runHosted } from './hosted/run-hosted.ts';
import { runHosts } from './hosted/run-hosts.ts';
import { runOptions } from './options.ts';
import { runCallbacks } from './run-callbacks.ts';
import { runDeath } from './run-deaths.ts';
import { runReal } from './real.ts';
import { runSeed } from './run-seed.ts';
import { runServers } from './servers/run-servers.ts';
import { runShell } from './shell/run-shell.ts';

const parts = {
  seeds: runSeed,
  real: runReal,
  options: runOptions,
  deaths: runDeath,
  callbacks: runCallbacks,
  hosted: runHosted,
  hosts: runHosts,
  chats: runChats,
  servers: runServers,
  shell: runShell,
};

/** What the attack asks of a worker. */
export interface Task {
  readonly part: keyof typeof parts;
  readonly seed: number;
  /** How much of it, where that can be chosen. */
  readonly size?: number;
}

/** What came of it. */
export interface Outcome extends Task, Finding {}

const { ATTACK_FOLDER: folder = '', TMPDIR: temporary = '' } = process.env;
const escaped: string[] = [];

process.on('unhandledRejection', (error) => escaped.push(`unhandled rejection: ${errorText(error)}`));
process.on('uncaughtException', (error) => escaped.push(`uncaught exception: ${errorText(error)}`));
// Callbacks fail by the thousand here, and each is warned about.
process.removeAllListeners('warning');
process.on('warning', () => {});

// Made when they are first looked at: they are not a leak of the code that does.
export const outputs: readonly unknown[] = [process.stdout, process.stderr];

process.on('message', (task: Task) => {
  void parts[task.part](task.seed, { folder, temporary, escaped, size: task.size })
    .catch((error: unknown): Finding => ({ violations: [`the attack itself failed: ${errorText(error)}`] }))
    .then((finding) => process.send?.({ ...task, ...finding } satisfies Outcome));
});
process.send?.('ready');
