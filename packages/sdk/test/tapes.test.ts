import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSdk, type Sdk } from '@hexagent/sdk';
import { createQuery } from '@hexagent/sdk/claude-agent-sdk';
import { readTape } from '@hexagent/tapes';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { taped } from '../src/taped.ts';

function testFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hexagent-tapes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const parts = (): Parameters<typeof createSdk>[0] => ({
  transport: linkedTransport(scriptedAgent({ turns: () => 'hello' })).transport,
});

const askTwice = async (sdk: Sdk): Promise<void> => {
  for (const prompt of ['one', 'two']) await sdk.ask(prompt).result;
};

describe('The variable HEXAGENT_RECORD', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('records every agent of the process on one tape, of both doors and of each SDK', async () => {
    const folder = testFolder();
    vi.stubEnv('HEXAGENT_RECORD', folder);
    await askTwice(createSdk(parts()));
    for await (const _ of createQuery(parts())({ prompt: 'three' }));
    const [file = '', ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    const { entries } = readTape(path.join(folder, file));
    expect(entries.flatMap((entry) => ('exit' in entry ? [entry.agent] : []))).toEqual([1, 2, 3]);
    expect(JSON.stringify(entries)).toContain('three');
  });

  it('is not in the environment of the agents', async () => {
    const file = path.join(testFolder(), 'a.tape');
    vi.stubEnv('HEXAGENT_RECORD', file);
    for await (const _ of createQuery(parts())({ prompt: 'one' }));
    const [launch] = readTape(file).entries;
    expect(launch).toMatchObject({ launch: { env: { PATH: expect.any(String) } } });
    expect(JSON.stringify(launch)).not.toContain('HEXAGENT_RECORD');
  });

  it('changes nothing while it is not set, or empty', () => {
    const { transport } = linkedTransport();
    expect(taped(transport)).toBe(transport);
    vi.stubEnv('HEXAGENT_RECORD', '');
    expect(taped(transport)).toBe(transport);
  });
});

describe('The variable HEXAGENT_REPLAY', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('plays the agents of a tape for each SDK of the process, in place of those that the program would reach', async () => {
    const file = path.join(testFolder(), 'a.tape');
    vi.stubEnv('HEXAGENT_RECORD', file);
    await askTwice(createSdk(parts()));
    vi.stubEnv('HEXAGENT_RECORD', '');
    vi.stubEnv('HEXAGENT_REPLAY', file);
    const transport = { connect: () => Promise.reject(new Error('No agent may be started.')) };
    for (const prompt of ['one', 'two']) {
      const outcome = await createSdk({ transport }).ask(prompt).result;
      expect(outcome).toMatchObject({ kind: 'completed', text: 'hello' });
    }
  });

  it.each(['5s', '-1'])('names the variable of the time to wait where that is not one: %s', async (value) => {
    const file = path.join(testFolder(), 'a.tape');
    vi.stubEnv('HEXAGENT_RECORD', file);
    await createSdk(parts()).ask('one').result;
    vi.stubEnv('HEXAGENT_RECORD', '');
    vi.stubEnv('HEXAGENT_REPLAY', file);
    vi.stubEnv('HEXAGENT_REPLAY_WAIT_MS', value);
    await expect(createSdk().ask('one').result).rejects.toThrow(
      new RegExp(`HEXAGENT_REPLAY_WAIT_MS.* must be a number of milliseconds, 0 or more, not "?${value}`),
    );
  });

  it('names the folder that it was given in place of a tape', async () => {
    const folder = testFolder();
    vi.stubEnv('HEXAGENT_REPLAY', folder);
    await expect(createSdk().ask('one').result).rejects.toThrow(`${folder} cannot be read: EISDIR`);
  });

  it('can be recorded as well', async () => {
    const [first, second] = ['a.tape', 'b.tape'].map((name) => path.join(testFolder(), name));
    vi.stubEnv('HEXAGENT_RECORD', first);
    await createSdk(parts()).ask('one').result;
    vi.stubEnv('HEXAGENT_RECORD', second);
    vi.stubEnv('HEXAGENT_REPLAY', first);
    await createSdk().ask('one').result;
    const [one, other] = [first, second].map((file = '') => readTape(file).entries.filter((entry) => 'in' in entry));
    expect(other).toHaveLength(one?.length ?? -1);
    expect(other).not.toHaveLength(0);
  });
});
