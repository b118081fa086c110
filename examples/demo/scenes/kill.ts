import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AgentExitedError, openSession, type Session, type Turn } from '@hexagent/sdk';
import { processesMentioning, type ProcessEntry } from '@hexagent/testing/cli';
import type { Demo, Scene } from '../scene.ts';

const clockServer = fileURLToPath(new URL('../clock-server.mjs', import.meta.url));

/** The processes and files of this demo at this moment. */
interface Stock {
  readonly processes: readonly ProcessEntry[];
  /** Private files of the agents lie in folders of their own. */
  readonly folders: readonly string[];
}

export const kill: Scene = {
  title: 'kill -9 in the middle of the work leaves nothing behind',

  async play({ terminal, place, marker, check }) {
    const takeSnapshot = (): Stock => ({
      processes: processesMentioning(marker),
      folders: readdirSync(tmpdir()).filter((name) => name.startsWith('hexagent-launch-')),
    });
    terminal.line(`Before: ${countOf(takeSnapshot())}`);
    const sessions = await Promise.all([open(place), open(place)]);
    try {
      const turns = sessions.map((session) => session.send('Run this in a shell, and wait for it: tail -f /dev/null'));
      const areAtWork = await untilAtWork(turns, takeSnapshot);
      check(`Two agents at work, each with a shell and an MCP server: ${countOf(takeSnapshot())}`, areAtWork);

      for (const { pid, parent } of takeSnapshot().processes) if (parent === process.pid) process.kill(pid, 'SIGKILL');
      const errors = await Promise.all(turns.map(endOf));
      check(
        `After kill -9 both turns reject: ${errors[0]}`,
        errors.every((error) => error.includes('SIGKILL')),
      );
    } finally {
      await Promise.all(sessions.map((session) => session.close()));
    }
    const left = takeSnapshot();
    check(`When close() resolves: ${countOf(left)}`, left.processes.length + left.folders.length === 0);
  },
};

/** An agent that may use a shell, with an MCP server whose configuration holds a secret. */
function open(place: Demo['place']): Promise<Session> {
  return openSession({
    ...place,
    tools: [{ clock: { command: process.execPath, args: [clockServer], env: { CLOCK_TOKEN: 'a secret' } } }],
    permissions: { allow: ['Bash'] },
  });
}

/** Resolves with `false` when a turn ended before every agent ran its command. */
async function untilAtWork(turns: readonly Turn[], takeSnapshot: () => Stock): Promise<boolean> {
  const ended = new AbortController();
  for (const turn of turns) void endOf(turn).then(() => ended.abort());
  while (!ended.signal.aborted) {
    const commands = takeSnapshot().processes.filter(({ command }) => command.startsWith('tail'));
    if (commands.length === turns.length) return true;
    await sleep(50);
  }
  return false;
}

function endOf(turn: Turn): Promise<string> {
  return turn.result.then(
    ({ kind }) => kind,
    (error: unknown) => (error instanceof AgentExitedError ? `${error.name}, ${error.signal}` : String(error)),
  );
}

function countOf({ processes, folders }: Stock): string {
  return `${processes.length} processes, ${folders.length} folders with private files.`;
}
