import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readHostEnvironment, type FileKind } from '@hexagent/processes';
import { testedCli } from '../../src/doctor/cli-versions.ts';
import type { Machine, Variables } from '../../src/doctor/machine.ts';

/** A folder with everything that a session needs, in which faults are planted. */
export interface Place extends AsyncDisposable {
  readonly path: string;
  readonly cli: string;
  /** Writes a file below it, and returns its path. */
  file(name: string, content: string | Buffer, mode?: number): Promise<string>;
  folder(name: string): Promise<string>;
}

export async function healthyPlace(): Promise<Place> {
  const path = await mkdtemp(join(await realpath(tmpdir()), 'hexagent-test-'));
  const place: Place = {
    path,
    cli: join(path, 'bin/claude'),
    async file(name, content, mode = 0o644) {
      const full = join(path, name);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, content);
      await chmod(full, mode);
      return full;
    },
    async folder(name) {
      await mkdir(join(path, name), { recursive: true });
      return join(path, name);
    },
    [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }),
  };
  for (const program of ['claude', 'bwrap', 'socat']) await place.file(`bin/${program}`, '#!/bin/sh\n', 0o755);
  for (const folder of ['home', 'tmp', 'work']) await place.folder(folder);
  return place;
}

export interface Fault extends Partial<Omit<Machine, 'host' | 'env'>> {
  /** Over the variables of a healthy machine. */
  readonly env?: Variables;
  readonly host?: Partial<Machine['host']>;
  /** What is at these paths, whatever is there. */
  readonly inspect?: Readonly<Record<string, FileKind>>;
}

export function machineIn({ path, cli }: Place, { env, host, inspect = {}, ...fault }: Fault = {}): Machine {
  const healthy = {
    PATH: join(path, 'bin'),
    HOME: join(path, 'home'),
    TMPDIR: join(path, 'tmp'),
    ANTHROPIC_API_KEY: 'k',
  };
  const all = { ...healthy, ...env };
  const real = readHostEnvironment({ env: all, fallbackEnv: {} });
  return {
    host: { ...real, platform: 'linux', arch: 'x64', inspect: (file) => inspect[file] ?? real.inspect(file), ...host },
    env: all,
    own: {},
    nodeVersion: '24.11.0',
    systemHome: undefined,
    executable: cli,
    cwd: join(path, 'work'),
    whyNotWritable: () => Promise.resolve(undefined),
    room: () => Promise.resolve({ bytes: 1e9, files: 1e6 }),
    run: () => Promise.resolve({ kind: 'exited', code: 0, output: `${testedCli} (Claude Code)\n` }),
    ...fault,
  };
}

/** The start of a program for Linux that asks for this loader. */
export function elf(machine: number, loader: string): Buffer {
  const head = Buffer.alloc(256);
  head.writeUInt32BE(0x7f454c46, 0);
  head.set([2, 1], 4);
  head.writeUInt16LE(machine, 18);
  head.writeBigUInt64LE(64n, 0x20); // the table of what it needs begins here
  head.writeUInt16LE(56, 0x36);
  head.writeUInt16LE(1, 0x38);
  head.writeUInt32LE(3, 64);
  head.writeBigUInt64LE(128n, 72);
  head.writeBigUInt64LE(BigInt(loader.length + 1), 96);
  head.write(loader, 128);
  return head;
}
