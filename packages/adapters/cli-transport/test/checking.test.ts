import { join } from 'node:path';
import {
  CliTransport,
  SpawnTransport,
  type CliTransportOptions,
  type SpawnTransportOptions,
} from '@hexagent/cli-transport';
import { SdkError, type Launch } from '@hexagent/ports';
import { describe, expect, it, vi } from 'vitest';
import { fixture, launch } from './agents.ts';
import { temporaryFolder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

async function failure(options: CliTransportOptions, more: Partial<Launch> = {}): Promise<SdkError> {
  const transport = new CliTransport(options);
  return await transport.connect(launch(more)).then(
    async (connection) => {
      await connection.close();
      throw new Error('It was started.');
    },
    (error: unknown) => {
      if (SdkError.is(error)) return error;
      throw error;
    },
  );
}

/** A 64-bit program that names a loader. */
function elf(loader: string): Buffer {
  const bytes = Buffer.alloc(4096);
  bytes.write('\x7fELF\x02\x01\x01', 'latin1');
  bytes.writeBigUInt64LE(64n, 0x20); // the table of program headers
  bytes.writeUInt16LE(56, 0x36);
  bytes.writeUInt16LE(2, 0x38);
  bytes.writeUInt32LE(6, 64);
  bytes.writeUInt32LE(3, 120); // PT_INTERP
  bytes.writeBigUInt64LE(1000n, 128);
  bytes.writeBigUInt64LE(BigInt(loader.length + 1), 152);
  bytes.write(`${loader}\0`, 1000);
  return bytes;
}

describe('#7 What keeps the agent from starting is named:', () => {
  it('a working directory that does not exist, and never the program instead', async () => {
    const error = await failure({ executable: fixture('echoing.mjs') }, { cwd: '/nowhere/at/all' });
    expect(error.code).toBe('CWD_MISSING');
    expect(error.message).toContain('/nowhere/at/all');
    expect(error.cause).toMatchObject({ code: 'ENOENT' });
  });

  it('a working directory that is a file', async () => {
    expect((await failure({ executable: '/bin/sh' }, { cwd: fixture('echoing.mjs') })).code).toBe('CWD_MISSING');
  });

  it('a program that does not exist, and who named it', async () => {
    const error = await failure({ executable: '/nowhere/claude' });
    expect(error.code).toBe('AGENT_NOT_FOUND');
    expect(error.message).toContain('/nowhere/claude');
    const named = await failure({}, { env: { CLAUDE_CODE_PATH: '/nowhere/else' } });
    expect(named.message).toMatch(/\/nowhere\/else.*CLAUDE_CODE_PATH/);
    const folder = await failure({}, { env: { CLAUDE_CODE_PATH: '/tmp' } });
    expect(folder).toMatchObject({
      code: 'AGENT_NOT_EXECUTABLE',
      message: expect.stringContaining('CLAUDE_CODE_PATH') as string,
    });
  });

  it('a script that does not exist', async () => {
    expect((await failure({ executable: '/nowhere/cli.js' })).code).toBe('AGENT_NOT_FOUND');
  });

  it('a folder in the place of a program', async () => {
    expect((await failure({ executable: '/tmp' })).code).toBe('AGENT_NOT_EXECUTABLE');
  });

  it('a file that may not be executed', async () => {
    await using folder = await temporaryFolder();
    const path = await folder.file('claude', '#!/bin/sh\n', 0o644);
    const error = await failure({ executable: path });
    expect(error.code).toBe('AGENT_NOT_EXECUTABLE');
    expect(error.message).toContain(`chmod +x ${path}`);
  });

  it('an interpreter that does not exist', async () => {
    await using folder = await temporaryFolder();
    const error = await failure({ executable: await folder.file('claude', '#!/opt/python9 -u\n') });
    expect(error.code).toBe('AGENT_INTERPRETER_MISSING');
    expect(error.message).toContain('/opt/python9');
  });

  it('a first line that ends as on Windows', async () => {
    await using folder = await temporaryFolder();
    const error = await failure({ executable: await folder.file('claude', '#!/bin/sh\r\nexit 0\r\n') });
    expect(error.code).toBe('AGENT_INTERPRETER_MISSING');
    expect(error.message).toContain('ends like a Windows file');
  });

  it('`#!/usr/bin/env node` where the agent will have no node in its PATH', async () => {
    await using folder = await temporaryFolder();
    const path = await folder.file('claude', '#!/usr/bin/env -S node --no-warnings\n');
    const error = await failure({ executable: path }, { env: { PATH: folder.path } });
    expect(error.code).toBe('AGENT_INTERPRETER_MISSING');
    expect(error.message).toContain(`node, which was not found: not in its PATH (${folder.path})`);
    const unset = await failure({ executable: await folder.file('other', '#!/usr/bin/env node9\n') }, { env: {} });
    expect(unset.message).toContain('PATH is not set');
  });

  it('a first line that would lead to another program in each folder', async () => {
    await using folder = await temporaryFolder();
    for (const line of ['#!./node', '#!node', '#! bin/node -x']) {
      const error = await failure({ executable: await folder.file('claude', `${line}\n`) });
      expect(error).toMatchObject({
        code: 'AGENT_INTERPRETER_MISSING',
        message: expect.stringContaining('a relative path') as string,
      });
    }
  });

  it('a first line that only `env` can read, where PATH would lead it to the working directory', async () => {
    await using folder = await temporaryFolder();
    for (const line of ['-S MODE=1 node', '-S node "--a b"', '-i node', 'node --x']) {
      const executable = await folder.file('claude', `#!/usr/bin/env ${line}\n`);
      for (const PATH of [`.:${process.env['PATH']}`, `${process.env['PATH']}:`]) {
        const error = await failure({ executable }, { env: { PATH } });
        expect(error).toMatchObject({
          code: 'AGENT_NOT_EXECUTABLE',
          message: expect.stringContaining('not absolute') as string,
        });
      }
    }
  });

  it('an interpreter option that does not exist', async () => {
    const error = await failure({ executable: fixture('echoing.mjs'), interpreter: '/nowhere/node' });
    expect(error.code).toBe('AGENT_INTERPRETER_MISSING');
    const bare = await failure({ executable: fixture('echoing.mjs'), interpreter: 'node9' });
    expect(bare.code).toBe('AGENT_INTERPRETER_MISSING');
  });

  it('#25 a build for the other libc, and the package with the right one', async () => {
    await using folder = await temporaryFolder();
    const musl = await failure({ executable: await folder.file('musl', elf('/lib/ld-musl-nowhere.so.1')) });
    expect(musl.code).toBe('AGENT_LIBC_MISMATCH');
    expect(musl.message).toContain('/lib/ld-musl-nowhere.so.1');
    expect(musl.message).toMatch(/npm install @anthropic-ai\/claude-agent-sdk-linux-\w+$/);
    const glibc = await failure({ executable: await folder.file('glibc', elf('/lib64/ld-linux-nowhere.so.2')) });
    expect(glibc.code).toBe('AGENT_LIBC_MISMATCH');
    expect(glibc.message).toMatch(/-musl$/);
  });

  it('the error of the system, in all other cases', async () => {
    await using folder = await temporaryFolder();
    // An interpreter that exists, but is a folder.
    const error = await failure({ executable: await folder.file('claude', `#!${folder.path}\n`) });
    expect(error.code).toBe('AGENT_START_FAILED');
    expect(error.cause).toMatchObject({ code: 'EACCES', syscall: expect.stringContaining('spawn') as string });
  });
});

describe('What a transport is given', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    ['/usr/bin/claude', 'a string'],
    [() => {}, 'a function'],
    [[], 'a list'],
  ])('is refused as a whole when it is no object: %o', (options, named) => {
    const refusal = new TypeError(`A transport takes options, not ${named}.`);
    expect(() => new CliTransport(options as CliTransportOptions)).toThrow(refusal);
    expect(() => new SpawnTransport(options as SpawnTransportOptions)).toThrow(refusal);
  });
});

describe('An option of a wrong type is refused by its name:', () => {
  it.each<[string, unknown[]]>([
    ['executable', [1, null, {}, [], true, new URL('file:///bin/claude')]],
    ['interpreter', [1, null, {}, [], true]],
    ['interpreterArgs', ['--x', 1, null, {}, [1], [undefined]]],
    ['resolveFrom', [1, null, {}, [], new URL('https://example.com/x.js'), 'file://elsewhere/x.js', 'file:%2F']],
  ])('`%s`', (name, values) => {
    for (const value of values) {
      // What a program in JavaScript may pass.
      const options = { [name]: value } as CliTransportOptions;
      expect(() => new CliTransport(options)).toThrow(new RegExp(`^The option \`${name}\` must be`));
      expect(() => new CliTransport(options)).toThrow(TypeError);
    }
  });
});

describe('An agent is searched for', () => {
  it('by its name in the PATH of the launch', async () => {
    await using folder = await temporaryFolder();
    await folder.file('my-agent', '#!/bin/sh\nexit 3\n');
    const transport = new CliTransport({ executable: 'my-agent' });
    const connection = await transport.connect(launch({ env: { PATH: `${folder.path}:/usr/bin:/bin` } }));
    expect((await connection.exit).code).toBe(3);
  });

  it('anew for each launch, which may name another one', async () => {
    await using folder = await temporaryFolder();
    const transport = new CliTransport();
    const named = (name: string): Launch =>
      launch({ env: { CLAUDE_CODE_PATH: join(folder.path, name), PATH: '/usr/bin:/bin' } });
    await folder.file('one', '#!/bin/sh\nexit 1\n');
    await folder.file('two', '#!/bin/sh\nexit 2\n');
    const codes: (number | null)[] = [];
    for (const name of ['one', 'two']) codes.push((await (await transport.connect(named(name))).exit).code);
    expect(codes).toEqual([1, 2]);
  });
});
