import { inspect } from 'node:util';
import { CliTransport, type CliTransportOptions } from '@hexagent/cli-transport';
import type { Launch } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { fixture, launch } from './agents.ts';
import { temporaryFolder } from './temporary.ts';

async function failure(more: Partial<Launch>, options: CliTransportOptions = {}): Promise<Error> {
  const transport = new CliTransport({ executable: fixture('self.mjs'), ...options });
  return await transport.connect(launch(more)).then(
    async (connection) => {
      await connection.close();
      throw new Error('It was started.');
    },
    (error: Error) => error,
  );
}

const secret = 'sk-secret';
const PATH = process.env['PATH'] ?? '';

describe('A NUL character, which no program can receive, is refused by the name of what holds it', () => {
  it.each<[string, string, Partial<Launch>, CliTransportOptions?]>([
    ['a variable', 'environment variable TOKEN', { env: { PATH, TOKEN: `${secret}\0x` } }],
    ['the variable that programs are found with', 'environment variable PATH', { env: { PATH: `/${secret}\0` } }],
    [
      'the variable that names the CLI',
      'CLAUDE_CODE_PATH',
      { env: { PATH, CLAUDE_CODE_PATH: `/${secret}\0` } },
      { executable: undefined },
    ],
    ['the name of a variable', 'environment variable "TO\\u0000KEN"', { env: { PATH, 'TO\0KEN': secret } }],
    ['a rule', '--allowed-tools', { args: ['-p', `--allowed-tools=Bash(${secret}\0)`] }],
    ['a value beside its flag', '--allowed-tools', { args: ['--allowed-tools', `Bash(${secret}\0)`] }],
    ['an argument without a flag', 'argument 1', { args: [`${secret}\0`] }],
    ['the folder to work in', '`cwd`', { cwd: `/${secret}\0` }],
    ['the program', '`executable`', {}, { executable: `/${secret}\0` }],
    ['the program by its name', '`executable`', {}, { executable: `${secret}\0` }],
    ['the program by a relative path', '`executable`', {}, { executable: `./${secret}\0` }],
    ['the interpreter', '`interpreter`', {}, { interpreter: `/${secret}\0` }],
    ['an argument of the interpreter', '`interpreterArgs`', {}, { interpreterArgs: ['--a', `${secret}\0`] }],
    ['the application', '`resolveFrom`', {}, { executable: undefined, resolveFrom: `/${secret}\0` }],
  ])('%s', async (_what, name, more, options) => {
    const error = await failure(more, options);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(name);
    expect(error.message).toContain('NUL');
    expect(inspect(error)).not.toContain(secret);
  });
});

describe('The cause of an error', () => {
  it('holds no arguments and no variables when the system could not start the program', async () => {
    await using folder = await temporaryFolder();
    const executable = await folder.file('claude', `#!${folder.path}\n`);
    const error = await failure({ args: [`--allowed-tools=${secret}`], env: { PATH, TOKEN: secret } }, { executable });
    expect(error).toMatchObject({ code: 'AGENT_START_FAILED', cause: { code: 'EACCES' } });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
  });

  it('holds none of them when they are too long either', async () => {
    for (const more of [
      { args: [`--allowed-tools=${secret.repeat(20_000)}`] },
      { env: { PATH, TOKEN: secret.repeat(20_000) } },
    ]) {
      const error = await failure(more);
      expect(error).toMatchObject({ code: 'ARGUMENT_TOO_LONG' });
      expect(inspect(error, { depth: 9, showHidden: true, maxStringLength: null })).not.toContain(secret);
    }
  });

  it('holds no value of a type that Node does not take', async () => {
    // What a program in JavaScript may pass.
    const args = [4_242_424_242] as unknown as string[];
    const error = await failure({ args });
    expect(error).toMatchObject({ code: 'AGENT_START_FAILED', cause: { code: 'ERR_INVALID_ARG_TYPE' } });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('4242424242');
  });
});
