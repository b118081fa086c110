import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { processesMentioning, survivors } from '@hexagent/testing/cli';
import { describe } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Arguments of Node. */
export const fromSources = (...args: readonly string[]): readonly string[] => [
  '--conditions=@hexagent/source',
  ...args,
];

/** A `describe` whose tests need the real CLI and `script` of util-linux. */
export const withTerminal: typeof withCli = process.platform === 'linux' ? withCli : describe.skip;

/** What a terminal sends for a key. */
export const keys = { 'Ctrl-C': '\u0003', 'Ctrl-D': '\u0004', 'Ctrl-\\': '\u001C' } as const;

/** A temporary home in which the programs find the CLI. */
export const placeFor = (script?: Parameters<typeof stage>[0]): Promise<Stage> =>
  stage(script, { CLAUDE_CODE_PATH: cli });

/** The processes and temporary files that an ended program has left, without those of the CLI itself. */
export async function leftoversOf({ home }: Stage): Promise<readonly string[]> {
  const found = processesMentioning(home.root);
  // The watchdog ends a moment after the program whose end it waits for.
  const left = await survivors(
    found.map(({ pid }) => pid),
    10_000,
  );
  const files = (await readdir(home.tmp)).filter((name) => name.startsWith('hexagent'));
  return [...files, ...found.filter(({ pid }) => left.includes(pid)).map(({ command }) => command)];
}

/** A command that runs another one without any network, not even the loopback. */
export const withoutNetwork = ['unshare', '-rn'] as const;
/** A command that runs another one with a full disk in the place of a folder. */
export const withFullDisk = (folder: string): readonly string[] => [
  ...['unshare', '-rm', 'sh', '-c'],
  'mount -t tmpfs -o size=64k full "$0" && exec "$@"',
  folder,
];
/** Whether this system lets this user have both. */
export const hasNamespaces = spawnSync('unshare', ['-rnm', 'true']).status === 0;
