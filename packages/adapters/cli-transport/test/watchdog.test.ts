import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { survivors } from '@hexagent/testing/cli';
import { describe, expect, it, vi } from 'vitest';
import { watchdogScript } from '../src/watchdog-script.ts';
import { fixture } from './agents.ts';
import { temporaryFolder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

interface Ward {
  readonly agent: number;
  readonly all: readonly number[];
}

async function agentWithTools(): Promise<Ward> {
  const child = spawn(process.execPath, [fixture('with-tools.mjs'), '{}'], { detached: true });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { agent, tools, helper } = JSON.parse(line.toString()) as { agent: number; tools: number[]; helper: number };
  return { agent, all: [agent, ...tools, helper] };
}

function watchdog(script = watchdogScript, shell = '/bin/sh'): ChildProcessWithoutNullStreams {
  return spawn(shell, ['-c', script], { detached: true });
}

const viaAll = watchdogScript.replace(/^look\(\).*$/m, 'look() { look_at_all; }');
const viaPs = viaAll.replace('/proc/self/stat', '/nowhere');

describe('The watchdog, when its pipe breaks,', () => {
  it.each([
    ['the children of each thread', watchdogScript],
    ['every process in /proc', viaAll],
    ['ps, as on macOS', viaPs],
  ])('ends an agent with all its descendants, found through %s', async (_, script) => {
    const { agent, all } = await agentWithTools();
    const dog = watchdog(script);
    dog.stdin.end(`+ ${agent} \n`);
    expect(await survivors(all, 3000)).toEqual([]);
  });

  it.each(['/bin/dash', '/bin/bash', '/bin/busybox'].filter((shell) => existsSync(shell)))(
    'does so in %s',
    async (shell) => {
      const { agent, all } = await agentWithTools();
      const dog = shell.endsWith('busybox')
        ? spawn(shell, ['sh', '-c', watchdogScript])
        : watchdog(watchdogScript, shell);
      dog.stdin.end(`+ ${agent} \n`);
      expect(await survivors(all, 3000)).toEqual([]);
    },
  );

  it('removes the folders it was told, whatever their names hold, and no other', async () => {
    await using folder = await temporaryFolder();
    const odd = `${folder.path}/a b"c$(d)' e`;
    await folder.file(`a b"c$(d)' e/secret`, 'x');
    await folder.file('kept', 'x');
    const dog = watchdog();
    const gone = spawn('/bin/cat', { detached: true });
    dog.stdin.end(`+ ${gone.pid} ${odd}\n`);
    await once(dog, 'exit');
    expect([existsSync(odd), existsSync(`${folder.path}/kept`)]).toEqual([false, true]);
  });

  it('leaves those alone that it was told to forget', async () => {
    const [ended, kept] = [spawn('/bin/cat', { detached: true }), spawn('/bin/cat', { detached: true })];
    const dog = watchdog();
    dog.stdin.end(`+ ${ended.pid} \n+ ${kept.pid} \n- ${kept.pid}\n`);
    await once(dog, 'exit');
    expect(await survivors([ended.pid ?? 0], 1000)).toEqual([]);
    expect(await survivors([kept.pid ?? 0], 0)).toEqual([kept.pid]);
    kept.kill('SIGKILL');
  });

  it('leaves at once when nobody is left to watch', async () => {
    const dog = watchdog();
    dog.stdin.end('+ 999999999 \n- 999999999\n');
    expect(await once(dog, 'exit')).toEqual([0, null]);
  });

  it('is not ended by Ctrl-C or a terminal that closes', async () => {
    const dog = watchdog();
    const ignored = (): number =>
      Number.parseInt(/SigIgn:\s*(\w+)/.exec(readFileSync(`/proc/${dog.pid}/status`, 'utf8'))?.[1] ?? '', 16) & 7;
    await expect.poll(ignored).toBe(7);
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGQUIT'] as const) dog.kill(signal);
    expect(await survivors([dog.pid ?? 0], 100)).toEqual([dog.pid]);
    dog.stdin.end();
    expect(await once(dog, 'exit')).toEqual([0, null]);
  });
});
