import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSdk } from '@hexagent/sdk';
import { recordTo } from '@hexagent/tapes';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { run } from '../src/command/run.ts';

let folder = '';
const inFolder = (name: string): string => path.join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hexagent-tapes-'));
  const { transport } = linkedTransport(scriptedAgent({ turns: ['Hello.'] }));
  await createSdk({ transport: recordTo(inFolder('a.tape'), { transport }) }).ask('Hi').result;
  writeFileSync(inFolder('not-a.tape.txt'), 'Hello.');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.restoreAllMocks();
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `hexagent tape` in this process. In place of `@` stands the folder of the test. */
async function tape(...args: readonly string[]): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
  }
  const code = await run(['tape', ...args.map((arg) => arg.replace('@', folder))]);
  return { code, ...printed };
}

describe('hexagent tape', () => {
  it('shows a tape', async () => {
    const { code, stdout } = await tape('show', '@/a.tape');
    expect(code).toBe(0);
    expect(stdout).toContain('→ user "Hi"\n');
    expect(stdout).toContain('← result success "Hello."');
  });

  it('makes a test for the runner that is named, beside the tape or in the file that is named', async () => {
    const made = await tape(
      'to-test',
      '@/a.tape',
      '--runner',
      'vitest',
      '--out',
      '@/b.test.mjs',
      '--',
      'node',
      'a.mjs',
    );
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('npx vitest run') });
    expect(readFileSync(inFolder('b.test.mjs'), 'utf8')).toContain("from 'vitest'");
    expect(await tape('to-test', '@/a.tape', '--runner', 'bun', '--', 'bun', 'a.ts')).toMatchObject({ code: 0 });
    expect(readFileSync(inFolder('a.test.mjs'), 'utf8')).toContain("from 'bun:test'");
  });

  it.each([
    [[], '`hexagent tape` needs one of: show FILE'],
    [['show'], 'Name one tape'],
    [['show', '@/missing.tape'], 'ENOENT'],
    [['show', '@/not-a.tape.txt'], 'is not a tape'],
    [['to-test', '@/a.tape'], 'and the program that is tested'],
    [
      ['to-test', '@/a.tape', '--out', '@/a.tape', '--', 'x'],
      'a.tape exists. Remove it, or name another file with --out.',
    ],
    [
      ['to-test', '@/a.tape', '--runner', 'mocha', '--', 'x'],
      '--runner mocha is not known. Use one of vitest, node, jest, bun',
    ],
    [['eval'], 'Name one folder'],
    [['eval', import.meta.dirname], 'There is no file ending in .tape'],
    [['eval', '@', '--min', 'completed'], 'has to be like completed=0.9'],
    [['eval', '@', '--min', 'beauty=1'], 'There is no score beauty. There are completed, '],
    [['eval', '@', '--scores', '@/missing.mjs'], 'missing.mjs'],
  ])('fails with a reason: %j', async (args, text) => {
    const { code, stderr, stdout } = await tape(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(text);
    expect(stderr).not.toContain('    at ');
  });

  it('names a package.json that cannot be read, and what to do without it', async () => {
    writeFileSync(inFolder('package.json'), '{');
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    const { code, stderr } = await tape('to-test', '@/a.tape', '--out', '@/c.test.mjs', '--', 'node', 'a.mjs');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/package\.json cannot be read: .*Name the test runner/)]);
  });

  it('answers an unknown option with the usage', async () => {
    expect(await tape('show', '--loud')).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage:') });
  });
});
