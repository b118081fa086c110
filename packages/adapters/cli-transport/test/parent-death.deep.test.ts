import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { processesMentioning, survivors } from '@hexagent/testing/cli';
import { describe, expect, it, vi } from 'vitest';
import { fixture } from './agents.ts';
import { temporaryFolder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 90_000 });

/** It takes less than three seconds, but for a busy machine. */
const bound = 20_000;
/** An agent and tools that ignore everything that can be ignored. */
const stubborn = {};

interface Running {
  readonly program: ChildProcessWithoutNullStreams;
  /** Of the agent, its tools and its helper. */
  readonly pids: readonly number[];
  /** Reads on to the first line that holds these words. */
  line(words: string): Promise<string>;
}

async function run(
  mode: string,
  manners: object,
  {
    env = {},
    secret,
    pty = false,
    detached = false,
  }: { env?: object; secret?: string; pty?: boolean; detached?: boolean } = {},
): Promise<Running> {
  const command = [
    process.execPath,
    '--conditions=@hexagent/source',
    fixture('program.ts'),
    mode,
    JSON.stringify(manners),
  ];
  if (secret !== undefined) command.push(secret);
  // A terminal of its own, in which a typed Ctrl-C becomes a signal to the foreground group.
  const [file = '', ...args] = pty
    ? ['python3', '-c', 'import pty, sys; pty.spawn(sys.argv[1:])', ...command]
    : command;
  const program = spawn(file, args, { detached, env: { ...process.env, ...env } });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const line = async (words: string): Promise<string> => {
    for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
      if (next.value.includes(words)) return next.value;
    }
    throw new Error(`The program ended without saying ${words}.`);
  };
  const { agent, tools, helper } = JSON.parse(await line('{')) as { agent: number; tools: number[]; helper: number };
  return { program, pids: [agent, ...tools, helper], line };
}

describe('#4 When the program dies, the agent and its tools are gone soon:', () => {
  it('killed by SIGKILL', async () => {
    const { program, pids } = await run('waits', stubborn);
    program.kill('SIGKILL');
    expect(await survivors(pids, bound)).toEqual([]);
  });

  it('killed with its whole group, as a supervisor does', async () => {
    const { program, pids } = await run('waits', stubborn, { detached: true });
    process.kill(-(program.pid ?? Number.NaN), 'SIGKILL');
    expect(await survivors(pids, bound)).toEqual([]);
  });

  it('and tools that end when they are asked to are asked', async () => {
    await using folder = await temporaryFolder();
    const { program, pids } = await run('waits', { note: `${folder.path}/note` });
    program.kill('SIGKILL');
    expect(await survivors(pids, bound)).toEqual([]);
    expect(readFileSync(`${folder.path}/note`, 'utf8')).toBe('asked\nasked\n');
  });
});

describe('#4 Ctrl-C in a terminal', () => {
  it('ends a program without a listener, its agent and its tools', async () => {
    const { program, pids } = await run('waits', stubborn, { pty: true });
    program.stdin.write('\x03');
    await once(program, 'exit');
    expect(await survivors(pids, bound)).toEqual([]);
  });

  it('is the business of a program that listens: the agent lives until that program ends', async () => {
    const { program, pids, line } = await run('listens', stubborn, { pty: true });
    program.stdin.write('\x03');
    await line('heard');
    expect(await survivors(pids, 300)).toEqual(pids);
    program.stdin.write('now\n');
    await once(program, 'exit');
    expect(await survivors(pids, bound)).toEqual([]);
  });
});

describe('Nothing else is left', () => {
  it.each(['SIGKILL', 'SIGINT', 'exit'] as const)(
    '#59 no file of the launch, when the program ends by %s',
    async (end) => {
      await using folder = await temporaryFolder();
      const files = (): string[] => readdirSync(folder.path).filter((name) => name.startsWith('hexagent-launch-'));
      const mode = end === 'exit' ? 'exits' : 'waits';
      const { program } = await run(mode, stubborn, { env: { TMPDIR: folder.path }, secret: 'sëcret' });
      expect(files()).toHaveLength(1);
      if (end === 'exit') program.stdin.write('now');
      else program.kill(end);
      await expect.poll(files, { timeout: bound }).toEqual([]);
    },
  );

  it('#3 neither the program, whose end nothing holds up, nor the watchdog', async () => {
    const marker = `hexagent-marker-${process.pid}-${Math.random()}`;
    const env = { PATH: `${process.env['PATH']}:/${marker}` };
    const { program, pids, line } = await run('close', stubborn, { env });
    await line('closed');
    const began = performance.now();
    expect((await once(program, 'exit'))[0]).toBe(0);
    expect(performance.now() - began).toBeLessThan(700);
    expect(await survivors([...pids, ...processesMentioning(marker).map(({ pid }) => pid)], bound)).toEqual([]);
  });

  it('#3 no listener for a signal, which would change what the signal does', async () => {
    const { program, line } = await run('listeners', stubborn);
    expect(JSON.parse(await line('['))).toEqual([0, 0, 0, 1]);
    program.kill('SIGKILL');
  });
});
