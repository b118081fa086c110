import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inspect } from '../src/index.ts';

const place = Symbol.for('@hexagent/inspector');

let temp: string;
beforeEach(() => {
  temp = mkdtempSync(path.join(tmpdir(), 'hexagent-switching-'));
  vi.stubEnv('TMPDIR', temp);
  vi.stubEnv('NODE_ENV', 'test');
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(temp, { recursive: true });
});

describe('inspect()', () => {
  it('is on until it is closed, prints its address, and leaves nothing', async () => {
    const first = await inspect();
    expect(process.stderr.write).toHaveBeenCalledWith(`Inspector: ${first.url}\n`);
    expect(await inspect()).toBe(first);
    expect(Reflect.get(globalThis, place)).toBeDefined();
    await first.close();
    expect(Reflect.get(globalThis, place)).toBeUndefined();
    expect(readdirSync(temp)).toEqual([]);
  });

  it('stays on where the one before it is closed again', async () => {
    const first = await inspect();
    await first.close();
    await using second = await inspect();
    await first.close();
    expect(await inspect()).toBe(second);
  });

  it('is off in production', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    expect((await inspect()).url).toBeUndefined();
    expect(Reflect.get(globalThis, place)).toBeUndefined();
    await using wanted = await inspect({ inProduction: true });
    expect(wanted.url).toBeDefined();
  });

  it('names a wrong option and a port that cannot be used, and is off then', async () => {
    await expect(inspect({ ports: 1 } as object)).rejects.toThrow('ports');
    await expect(inspect({ port: 70_000 })).rejects.toThrow('The inspector cannot use port 70000');
    expect(Reflect.get(globalThis, place)).toBeUndefined();
  });
});
