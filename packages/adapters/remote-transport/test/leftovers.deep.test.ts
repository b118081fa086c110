import type { Connection, Launch } from '@hexagent/ports';
import { command, RemoteTransport } from '@hexagent/remote-transport';
import { isAlive } from '@hexagent/testing/cli';
import { afterEach, describe, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 30_000 });

/** A process with a parent of its own and a session of its own, below a shell: as a finished tool leaves it. */
const detached = '(SHLVL=7 nohup setsid sleep 600 >/dev/null 2>&1 </dev/null & echo $!)';
/** What the agent runs at this moment. */
const running = 'setsid sleep 600 >/dev/null 2>&1 </dev/null & echo $!';

/** The wrapper has the environment and the files of this process, so that the agent has the mark of the wrapper, too. */
const wrapper = ['sh', '-c', 'exec "$@"', 'wrapper'];

let pids: readonly number[] = [];
afterEach(() => {
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  pids = [];
});

async function start(script: string, leftovers: Launch['leftovers']): Promise<Connection> {
  const place = command(wrapper, { cli: ['/bin/sh', '-c', script, 'agent'] });
  const connection = await new RemoteTransport({ command: place }).connect({
    args: [],
    env: {},
    initialize: {},
    leftovers,
  });
  for await (const lines of connection.frames) {
    pids = [...pids, ...lines.map(Number)];
    if (pids.length === 2) return connection;
  }
  throw new Error('The agent has not started its processes.');
}

describe('What an agent has started at a place on this machine', () => {
  const asItLeaves = `${detached}; (${running}); cat >/dev/null`;

  it.each([
    ['leave', [true, true]],
    ['end', [false, false]],
    [undefined, [false, false]],
  ] as const)('is left or ended when it exits in order, with `leftovers: %s`', async (leftovers, expected) => {
    const connection = await start(asItLeaves, leftovers);
    await connection.end();
    expect(await connection.exit).toMatchObject({ code: 0 });
    expect(pids.map(isAlive)).toEqual(expected);
    await connection.close();
    expect(pids.map(isAlive)).toEqual(expected);
  });

  it.each([
    ['leave', [true, false]],
    ['end', [false, false]],
    ['wait', [false, false]],
  ] as const)('is left or ended when it is cut off, with `leftovers: %s`', async (leftovers, expected) => {
    const connection = await start(`${detached}; ${running}; trap : TERM; while :; do sleep 1; done`, leftovers);
    await connection.close();
    expect(pids.map(isAlive)).toEqual(expected);
  });
});
