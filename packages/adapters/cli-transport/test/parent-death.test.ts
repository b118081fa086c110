import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { processesMentioning, survivors } from '@hexagent/testing/cli';
import { describe, expect, it } from 'vitest';
import { fixture } from './agents.ts';
import { temporaryFolder } from './temporary.ts';

const bound = 3000;
const stubborn = { onEnd: 'stay', onTerm: 'stay' };
const polite = { onEnd: 'stay', onTerm: 'tidy' };

interface Running {
  readonly program: ChildProcessWithoutNullStreams;
  /** Of the agent, its tools and its helper. */
  readonly pids: readonly number[];
  nextLine(): Promise<string>;
}

async function run(
  mode: string,
  manners: object,
  { env = {}, secret, pty = false }: { env?: object; secret?: string; pty?: boolean } = {},
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
  const program = spawn(file, args, { env: { ...process.env, ...env } });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => (await lines.next()).value ?? '';
  let line = await nextLine();
  while (!line.startsWith('{')) line = await nextLine();
  const { agent, tools, helper } = JSON.parse(line) as { agent: number; tools: number[]; helper: number };
  return { program, pids: [agent, ...tools, helper], nextLine };
}

describe('#4 When the program dies, the agent and its tools are gone within 3 s:', () => {
  it('killed by SIGKILL, with an agent that ends its tools when asked', async () => {
    const { program, pids } = await run('waits', polite);
    program.kill('SIGKILL');
    expect(await survivors(pids, bound)).toEqual([]);
  });

  it('killed by SIGKILL, with an agent that ignores everything', async () => {
    const { program, pids } = await run('waits', stubborn);
    program.kill('SIGKILL');
    expect(await survivors(pids, bound)).toEqual([]);
  });

  it('killed by SIGKILL, with an agent that leaves its tools behind', async () => {
    const { program, pids } = await run('waits', { onEnd: 'stay', onTerm: 'leave' });
    program.kill('SIGKILL');
    expect(await survivors(pids, bound)).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('killed by %s', async (signal) => {
    const { program, pids } = await run('waits', stubborn);
    program.kill(signal);
    expect((await once(program, 'exit'))[1]).toBe(signal);
    expect(await survivors(pids, bound)).toEqual([]);
  });

  it('ended by process.exit()', async () => {
    const { program, pids } = await run('exit', stubborn);
    expect((await once(program, 'exit'))[0]).toBe(0);
    expect(await survivors(pids, bound)).toEqual([]);
  });

  it('ended by an error that nobody catches', async () => {
    const { program, pids } = await run('throw', polite);
    expect((await once(program, 'exit'))[0]).toBe(1);
    expect(await survivors(pids, bound)).toEqual([]);
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
    const { program, pids, nextLine } = await run('listens', polite, { pty: true });
    program.stdin.write('\x03');
    let line = await nextLine();
    while (!line.includes('heard')) line = await nextLine();
    expect(await survivors(pids, 300)).toEqual(pids);
    program.stdin.write('now\n');
    await once(program, 'exit');
    expect(await survivors(pids, bound)).toEqual([]);
  });
});

describe('Nothing else is left', () => {
  it('#59 no file of the launch, however the program dies', async () => {
    for (const end of ['SIGKILL', 'SIGINT'] as const) {
      await using folder = await temporaryFolder();
      const { program, pids } = await run('waits', polite, { env: { TMPDIR: folder.path }, secret: 'sëcret' });
      expect(readdirSync(folder.path).filter((name) => name.startsWith('hexagent-launch-'))).toHaveLength(1);
      program.kill(end);
      await survivors(pids, bound);
      await expect
        .poll(() => readdirSync(folder.path).filter((name) => name.startsWith('hexagent-launch-')), { timeout: bound })
        .toEqual([]);
    }
    await using folder = await temporaryFolder();
    const { program } = await run('exit', polite, { env: { TMPDIR: folder.path }, secret: 'sëcret' });
    await once(program, 'exit');
    expect(readdirSync(folder.path).filter((name) => name.startsWith('hexagent-launch-'))).toEqual([]);
  });

  it('#3 neither the program, whose end nothing holds up, nor the watchdog', async () => {
    const marker = `hexagent-marker-${process.pid}-${Math.random()}`;
    const { program, pids } = await run('close', polite, {
      env: { MARKER: marker, PATH: `${process.env['PATH']}:/${marker}` },
    });
    const began = performance.now();
    expect((await once(program, 'exit'))[0]).toBe(0);
    expect(performance.now() - began).toBeLessThan(2500);
    expect(await survivors([...pids, ...processesMentioning(marker).map(({ pid }) => pid)], bound)).toEqual([]);
    expect(existsSync(`/proc/${program.pid}`)).toBe(false);
  });

  it('#3 no listener for a signal, which would change what the signal does', async () => {
    const { program, nextLine } = await run('listeners', polite);
    expect(JSON.parse(await nextLine())).toEqual([0, 0, 0, 1]);
    program.kill('SIGKILL');
  });
});
