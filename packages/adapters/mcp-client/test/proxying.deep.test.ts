import { tmpdir } from 'node:os';
import { realpath } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { notes, openSession } from './dialling.ts';

vi.setConfig({ testTimeout: 90_000 }); // a bound for real processes on a busy machine, never waited for

interface Look {
  readonly pid: number;
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly argv: string[];
  readonly introduction: Record<string, unknown>;
  readonly calls: number;
}

describe('An external server', () => {
  it('may offer more than tools', async () => {
    await using dialled = await notes();
    const { ask } = openSession(dialled.server);
    expect(await ask('resources/read', { uri: 'note://1' })).toMatchObject({
      result: { contents: [{ text: 'remember' }] },
    });
  });

  it('answers with its own errors', async () => {
    await using dialled = await notes();
    const { ask } = openSession(dialled.server);
    expect(await ask('tools/call', { name: 'boom' }, { id: 5 })).toMatchObject({ id: 5, error: { message: 'kaboom' } });
    expect(await ask('prompts/list')).toMatchObject({ error: { code: -32601 } });
  });

  it('may answer with a line of 48 MB, which takes no more work for a byte than a line of 6 MB', async () => {
    await using dialled = await notes();
    const { call } = openSession(dialled.server);
    const cpuMs = async (megabytes: number): Promise<number> => {
      const before = process.cpuUsage();
      expect(await call('large', { length: megabytes * 1024 * 1024 })).toHaveLength(megabytes * 1024 * 1024);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    await cpuMs(6);
    const small = await cpuMs(6);
    // Eight times as much; with the square of the length it would be 64 times.
    expect(await cpuMs(48)).toBeLessThan(Math.max(small, 10) * 24);
  });

  it('that prints to its standard output what is not a message is understood all the same', async () => {
    await using dialled = await notes(['noisy']);
    expect(await openSession(dialled.server).call('echo', { a: 1 })).toBe('{"a":1}');
  });

  it('receives answers to pings, and that we offer nothing to ask for', async () => {
    await using dialled = await notes();
    const { call } = openSession(dialled.server);
    expect(await call('ping')).toBe('{}');
    expect(await call('ask')).toContain('does not offer roots/list');
  });
});

describe('The process of an external server', () => {
  it('has the variables it was given, the few that a program needs, and none other of ours', async () => {
    process.env['HEXAGENT_TEST_SECRET'] = 'ours';
    try {
      await using dialled = await notes([], { env: { TOKEN: 'theirs' } });
      const { env } = JSON.parse(await openSession(dialled.server).call('look')) as Look;
      expect(env['TOKEN']).toBe('theirs');
      expect(env['PATH']).toBe(process.env['PATH']);
      expect(env).not.toHaveProperty('HEXAGENT_TEST_SECRET');
    } finally {
      delete process.env['HEXAGENT_TEST_SECRET'];
    }
  });

  it('works in the folder it was given', async () => {
    const folder = await realpath(tmpdir());
    await using dialled = await notes([], { cwd: folder });
    expect((JSON.parse(await openSession(dialled.server).call('look')) as Look).cwd).toBe(folder);
  });
});
