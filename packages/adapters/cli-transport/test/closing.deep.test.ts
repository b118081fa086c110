import { readFile } from 'node:fs/promises';
import { CliTransport, type CliTransportOptions } from '@hexagent/cli-transport';
import type { Connection } from '@hexagent/ports';
import { survivors } from '@hexagent/testing/cli';
import { describe, expect, it, vi } from 'vitest';
import { kitFixture, launch } from './agents.ts';
import { endNow } from './left-behind.ts';
import { temporaryFolder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

type Manners = { readonly onEnd: 'leave' | 'stay'; readonly onTerm: 'leave' | 'tidy' | 'stay' };

/** An agent with a tool in a session of its own, that tool's child, and a helper in its group. */
async function withTools(
  manners: Manners,
  options: CliTransportOptions = {},
): Promise<{ connection: Connection; pids: number[] }> {
  const transport = new CliTransport({ executable: kitFixture('with-tools.mjs'), ...options });
  const connection = await transport.connect(launch({ args: [JSON.stringify(manners)] }));
  for await (const [line = ''] of connection.frames) {
    const { agent, tools, helper } = JSON.parse(line) as { agent: number; tools: number[]; helper: number };
    return { connection, pids: [agent, ...tools, helper] };
  }
  throw new Error('It wrote nothing.');
}

async function timed(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work;
  return performance.now() - began;
}

describe('#4 After close() nothing is left', () => {
  it('of an agent that ignores everything, nor of what it started in other sessions, within 2.5 s', async () => {
    const { connection, pids } = await withTools({ onEnd: 'stay', onTerm: 'stay' });
    expect(await timed(connection.close())).toBeLessThan(2500);
    expect(await survivors(pids, 0)).toEqual([]);
    expect(await connection.exit).toMatchObject({ signal: 'SIGKILL', closed: true });
  });

  it('of the tools of an agent that leaves them behind at the end of its input', async () => {
    const { connection, pids } = await withTools({ onEnd: 'leave', onTerm: 'stay' });
    expect(await timed(connection.close())).toBeLessThan(1000);
    expect(await survivors(pids, 0)).toEqual([]);
    expect(await connection.exit).toMatchObject({ code: 0, closed: true });
  });

  it('of the tools of an agent that leaves them behind when it is asked to end', async () => {
    const { connection, pids } = await withTools({ onEnd: 'stay', onTerm: 'leave' });
    expect(await timed(connection.close())).toBeLessThan(1500);
    expect(await survivors(pids, 0)).toEqual([]);
    expect(await connection.exit).toMatchObject({ code: 143, closed: true });
  });

  it('when the agent ends its tools itself, which it is given the time for', async () => {
    const { connection, pids } = await withTools({ onEnd: 'stay', onTerm: 'tidy' });
    expect(await timed(connection.close())).toBeLessThan(1500);
    expect(await survivors(pids, 0)).toEqual([]);
    expect(await connection.exit).toMatchObject({ code: 143 });
  });

  it('where there is only `ps` to ask, as on macOS', async () => {
    const { connection, pids } = await withTools({ onEnd: 'leave', onTerm: 'stay' }, { platform: 'darwin' });
    await connection.close();
    expect(await survivors(pids, 0)).toEqual([]);
  });

  it('of a stopped agent', async () => {
    const { connection, pids } = await withTools({ onEnd: 'leave', onTerm: 'leave' });
    process.kill(pids[0] ?? Number.NaN, 'SIGSTOP');
    expect(await timed(connection.close())).toBeLessThan(2500);
    expect(await survivors(pids, 0)).toEqual([]);
  });
});

describe('An agent that exits without a signal', () => {
  it('#4 because it is killed from outside leaves nothing behind, tools in other sessions included', async () => {
    const { connection, pids } = await withTools({ onEnd: 'leave', onTerm: 'leave' });
    process.kill(pids[0] ?? Number.NaN, 'SIGKILL');
    expect(await connection.exit).toMatchObject({ signal: 'SIGKILL', closed: false });
    await connection.close();
    expect(await survivors(pids, 0)).toEqual([]);
  });

  it('#4 leaves none of its own group behind, where that is all that can be found', async () => {
    const { connection, pids } = await withTools({ onEnd: 'leave', onTerm: 'leave' }, { platform: 'darwin' });
    const [agent = Number.NaN, one = Number.NaN, other = Number.NaN, helper = Number.NaN] = pids;
    try {
      process.kill(agent, 'SIGKILL');
      // A close() that comes before the exit is noticed still finds the tools by their parent.
      await connection.exit;
      await connection.close();
      expect(await survivors(pids, 0)).toEqual([one, other]);
      expect(await survivors([agent, helper], 0)).toEqual([]);
    } finally {
      for (const tool of [one, other]) endNow(tool);
    }
  });

  it('is not signalled by close(), nor is a process that got its number', async () => {
    const { connection } = await withTools({ onEnd: 'leave', onTerm: 'leave' });
    await connection.close();
    const began = performance.now();
    await connection.close();
    expect(performance.now() - began).toBeLessThan(100);
  });
});

describe('close()', () => {
  it('of an idle agent takes as long as the agent takes to leave', async () => {
    const connection = await new CliTransport({ executable: '/bin/cat' }).connect(launch());
    expect(await timed(connection.close())).toBeLessThan(300);
    expect(await connection.exit).toMatchObject({ code: 0, signal: null, closed: true });
  });

  it('still writes what was sent before it', async () => {
    await using folder = await temporaryFolder();
    const transport = new CliTransport({ executable: '/bin/sh' });
    const connection = await transport.connect(launch({ args: ['-c', `cat > '${folder.path}/got'`] }));
    const sending = connection.send('{"last":"words"}');
    await connection.close();
    await sending;
    expect(await readFile(`${folder.path}/got`, 'utf8')).toBe('{"last":"words"}\n');
  });
});
