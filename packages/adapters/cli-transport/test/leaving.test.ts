import { CliTransport, type CliTransportOptions } from '@hexagent/cli-transport';
import type { Exit } from '@hexagent/ports';
import { describe, expect, it, vi } from 'vitest';
import { agent, fixture, launch } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

async function exitAfter(wishes: readonly object[], options: CliTransportOptions = {}): Promise<Exit> {
  const connection = await new CliTransport({ executable: fixture('writing.mjs'), ...options }).connect(launch());
  for (const wanted of wishes) await connection.send(JSON.stringify(wanted));
  void connection.end();
  return await connection.exit;
}

describe('#6 How an agent left is reported', () => {
  it('with the signal that killed it', async () => {
    const transport = new CliTransport({ executable: '/bin/sh' });
    const connection = await transport.connect(launch({ args: ['-c', 'echo bye >&2; kill -SEGV $$'] }));
    expect(await connection.exit).toMatchObject({ code: null, signal: 'SIGSEGV', stderr: 'bye\n' });
  });

  it('with its error stream, although it has no listener and is long', async () => {
    const line = `${'é'.repeat(49)}\n`;
    const { stderr } = await exitAfter([{ stderr: line.repeat(20_000) }, { stderr: 'the end\n' }, { exit: 1 }]);
    expect(Buffer.byteLength(stderr)).toBeLessThanOrEqual(16 * 1024);
    expect(Buffer.byteLength(stderr)).toBeGreaterThan(16 * 1024 - 200);
    expect(
      stderr
        .split('\n')
        .slice(0, -2)
        .every((kept) => kept === 'é'.repeat(49)),
    ).toBe(true);
    expect(stderr).toMatch(/\nthe end\n$/);
  });

  it('with the end of a single line that is longer than what is kept, and no broken character', async () => {
    const { stderr } = await exitAfter([{ stderr: 'é'.repeat(5000) }, { exit: 1 }], { stderrTailBytes: 1001 });
    expect(stderr).toBe('é'.repeat(500));
  });

  it('with all of a short error stream without a line end', async () => {
    expect((await exitAfter([{ stderr: 'no key' }, { exit: 1 }])).stderr).toBe('no key');
  });

  it('with everything that it wrote just before a crash', async () => {
    for (let round = 0; round < 20; round += 1) {
      const words = { lines: ['{"a":1}', '{"b":2}'], stderr: 'last words', code: 7 };
      const { transport, launch: crashing } = agent('crashing.mjs', words);
      const connection = await transport.connect(launch(crashing));
      await connection.send('go');
      const lines: string[] = [];
      for await (const batch of connection.frames) lines.push(...batch);
      expect([lines, (await connection.exit).stderr]).toEqual([words.lines, 'last words\n']);
    }
  });
});

describe('The error stream is delivered line by line', () => {
  it('with characters and lines whole, the last one without an end included', async () => {
    const lines: string[] = [];
    await exitAfter([{ stderr: 'one\ntw' }, { stderr: 'ö\n\nthree' }, { exit: 0 }], {
      onStderr: (line) => lines.push(line),
    });
    expect(lines).toEqual(['one', 'twö', '', 'three']);
  });

  it('in pieces when a line does not end, so that it is bounded', async () => {
    const lines: string[] = [];
    await exitAfter([{ stderr: 'x'.repeat(1_000_000) }, { exit: 0 }], { onStderr: (line) => lines.push(line) });
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.join('')).toBe('x'.repeat(1_000_000));
  });

  it.each<[string, () => unknown]>([
    [
      'at once',
      () => {
        throw new Error('A listener that fails.');
      },
    ],
    // Vitest fails a run in which a rejection stays unhandled.
    ['later', () => Promise.reject(new Error('A listener that fails.'))],
  ])('to a listener whose failure has no effect: %s', async (_, fails) => {
    const onStderr = (): void => fails() as undefined; // a listener may return anything
    expect(await exitAfter([{ stderr: 'one\ntwo\n' }, { exit: 4 }], { onStderr })).toMatchObject({
      code: 4,
      stderr: 'one\ntwo\n',
    });
  });

  it.each([false, 0, '', null])('to no listener where %o is given as one, and ends all the same', async (given) => {
    const onStderr = given as unknown as () => void; // a program without types may give anything
    expect(await exitAfter([{ stderr: 'one\ntwo\n' }, { exit: 4 }], { onStderr })).toMatchObject({
      code: 4,
      stderr: 'one\ntwo\n',
    });
  });
});
