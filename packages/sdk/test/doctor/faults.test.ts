import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examine } from '../../src/doctor/examine.ts';
import type { DoctorCheckName } from '../../src/doctor/report.ts';
import { elf, healthyPlace, machineIn, type Fault, type Place } from './planted-machine.ts';

type Plant = (place: Place) => Fault | Promise<Fault>;
type Row = readonly [fault: string, check: DoctorCheckName, status: 'warn' | 'fail', remedy: RegExp, plant: Plant];

const program =
  (content: string | Buffer, mode = 0o755): Plant =>
  async (place) => ({ executable: await place.file('planted', content, mode) });
const variables =
  (env: NonNullable<Fault['env']>): Plant =>
  () => ({ env });
const printing = (output: string, code = 0): Plant => {
  return () => ({ run: () => Promise.resolve({ kind: 'exited', code, output }) });
};
const missing = { code: 'ENOENT' } as const;
const noKey = { ANTHROPIC_API_KEY: undefined };

const faults: readonly Row[] = [
  ['an old Node', 'node', 'fail', /Install Node 20\.19, 22\.13, 24/, () => ({ nodeVersion: '22.12.0' })],
  [
    'a CLI that is missing',
    'cli',
    'fail',
    /npm install @anthropic-ai\/claude-code@latest/,
    () => ({ executable: undefined, env: { PATH: '' }, host: { roots: [], homes: [], inspect: () => missing } }),
  ],
  [
    'a named CLI that is missing',
    'build',
    'fail',
    /name its path in the option `executable`/,
    ({ path }) => ({ executable: join(path, 'none') }),
  ],
  ['a CLI that may not be executed', 'build', 'fail', /chmod \+x/, program('#!/bin/sh\n', 0o644)],
  ['a folder in the place of the CLI', 'build', 'fail', /name another one/, ({ path }) => ({ executable: path })],
  ['a build for another processor', 'build', 'fail', /sdk-linux-x64/, program(elf(0xb7, '/bin/sh'))],
  [
    'a build for another system',
    'build',
    'fail',
    /sdk-linux-x64/,
    program(Buffer.from('cffaedfe'.padEnd(128, '0'), 'hex')),
  ],
  [
    'a build for another libc',
    'build',
    'fail',
    /the `-musl` package on Alpine/,
    program(elf(0x3e, '/none/ld-musl.so')),
  ],
  ['a text in the place of the CLI', 'build', 'fail', /sdk-linux-x64/, program('Not found')],
  ['an interpreter that is missing', 'build', 'fail', /Install the interpreter/, program('#!/none/sh\n')],
  ['a CLI that every user may change', 'package', 'warn', /chmod o-w/, program('#!/bin/sh\n', 0o777)],
  ['an old CLI', 'version', 'fail', /Update the CLI: npm install/, printing('2.1.316 (Claude Code)')],
  ['a CLI without a version', 'version', 'fail', /by hand: .* --version/, printing('Hello')],
  ['a CLI that fails', 'version', 'fail', /by hand: .* --version/, printing('2.1.328', 1)],
  [
    'a CLI that hangs',
    'version',
    'fail',
    /by hand: .* --version/,
    () => ({ run: () => Promise.resolve({ kind: 'late' }) }),
  ],
  ['neither a key nor a login', 'service', 'fail', /Set ANTHROPIC_API_KEY, or log in/, variables(noKey)],
  ['a key and a token', 'service', 'warn', /Unset all but one/, variables({ ANTHROPIC_AUTH_TOKEN: 't' })],
  ['an empty key', 'service', 'fail', /Give ANTHROPIC_API_KEY its value/, variables({ ANTHROPIC_API_KEY: '' })],
  ['a key with a line end', 'service', 'fail', /Copy ANTHROPIC_API_KEY anew/, variables({ ANTHROPIC_API_KEY: 'k\n' })],
  [
    'an address without a scheme',
    'service',
    'fail',
    /https:\/\/host/,
    variables({ ANTHROPIC_BASE_URL: 'gateway:8080' }),
  ],
  ['an address with a version', 'service', 'warn', /Take \/v1 off/, variables({ ANTHROPIC_BASE_URL: 'https://gw/v1' })],
  [
    'two services at once',
    'service',
    'fail',
    /Leave one service on/,
    variables({ CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_USE_VERTEX: 'true' }),
  ],
  ['Bedrock without a region', 'service', 'fail', /Set AWS_REGION or/, variables({ CLAUDE_CODE_USE_BEDROCK: '1' })],
  [
    'a damaged login',
    'service',
    'fail',
    /log in anew/,
    async (place) => (await place.file('home/.claude/.credentials.json', '{'), { env: noKey }),
  ],
  ['no home at all', 'home', 'fail', /Set HOME to a folder/, variables({ HOME: undefined })],
  [
    'a home that is named by the system alone',
    'home',
    'warn',
    /Set HOME:/,
    ({ path }) => ({ env: { HOME: '' }, systemHome: path }),
  ],
  ['a home below a file', 'home', 'fail', /Set HOME to a folder/, ({ cli }) => ({ env: { HOME: join(cli, 'me') } })],
  [
    'a home that may not be written to',
    'home',
    'fail',
    /or CLAUDE_CONFIG_DIR/,
    ({ path }) => ({
      whyNotWritable: (folder) => Promise.resolve(folder === join(path, 'home') ? 'EACCES' : undefined),
    }),
  ],
  [
    'a file in the place of the config folder',
    'config',
    'fail',
    /let CLAUDE_CONFIG_DIR name another/,
    async (place) => ({ env: { CLAUDE_CONFIG_DIR: await place.file('config', '') } }),
  ],
  [
    'a temp folder that is missing',
    'temp',
    'fail',
    /let TMPDIR name/,
    ({ path }) => ({ env: { TMPDIR: join(path, 'none') } }),
  ],
  ['a full disk', 'temp', 'fail', /Make room there/, () => ({ room: () => Promise.resolve({ bytes: 0, files: 9 }) })],
  [
    'a disk without free files',
    'temp',
    'fail',
    /Make room/,
    () => ({ room: () => Promise.resolve({ bytes: 1e9, files: 0 }) }),
  ],
  [
    'a working directory that was deleted',
    'cwd',
    'fail',
    /Create the folder/,
    async ({ path }) => (await rm(join(path, 'work'), { recursive: true }), {}),
  ],
  [
    'a proxy without a scheme',
    'proxy',
    'fail',
    /Give https_proxy the form/,
    variables({ https_proxy: 'user:secret@host' }),
  ],
  [
    'an authority that is missing',
    'tls',
    'fail',
    /in the form PEM, or unset/,
    variables({ NODE_EXTRA_CA_CERTS: '/none.pem' }),
  ],
  [
    'an authority that is not PEM',
    'tls',
    'fail',
    /in the form PEM, or unset/,
    async (place) => ({ env: { NODE_EXTRA_CA_CERTS: await place.file('ca.der', 'binary') } }),
  ],
  [
    'an authority that is damaged',
    'tls',
    'fail',
    /in the form PEM, or unset/,
    async (place) => {
      const text = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
      return { env: { SSL_CERT_FILE: await place.file('ca.pem', text) } };
    },
  ],
  [
    'certificates that are not checked',
    'tls',
    'warn',
    /Unset it/,
    () => ({ own: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }),
  ],
  ['no programs for the sandbox', 'sandbox', 'warn', /apt install bubblewrap socat/, variables({ PATH: '/none' })],
  ['no shell', 'shell', 'warn', /Install a shell as \/bin\/sh/, () => ({ inspect: { '/bin/sh': missing } })],
];

describe('The doctor', () => {
  it('finds nothing in a healthy place', async () => {
    await using place = await healthyPlace();
    const { ok, checks } = await examine(machineIn(place), 10_000);
    expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(ok).toBe(true);
  });

  it.each(faults)('names the remedy of a planted fault: %s', async (_, name, status, remedy, plant) => {
    await using place = await healthyPlace();
    const { ok, checks } = await examine(machineIn(place, await plant(place)), 10_000);
    const found = checks.find((check) => check.name === name);
    expect(found?.status).toBe(status);
    expect(found?.remedy).toMatch(remedy);
    expect(ok).toBe(status === 'warn');
  });

  it('gives a folder that does not answer up, and names the remedy', async () => {
    await using place = await healthyPlace();
    const { checks } = await examine(machineIn(place, { room: () => new Promise(() => {}) }), 50);
    const temp = checks.find(({ name }) => name === 'temp');
    expect(temp).toMatchObject({ status: 'fail', found: 'No answer within 0.05 s.' });
    expect(temp?.remedy).toContain('such as a network folder');
  });

  it('has the same checks in the same order, also where there is no CLI', async () => {
    await using place = await healthyPlace();
    const namesWith = async (fault: Fault): Promise<readonly string[]> =>
      (await examine(machineIn(place, fault), 10_000)).checks.map(({ name }) => name);
    const none = { executable: 'none', env: { PATH: '' } };
    expect(await namesWith(none)).toEqual(await namesWith({}));
  });

  it('shows no secret, whatever is wrong with it', async () => {
    await using place = await healthyPlace();
    const secret = 'hunter2';
    const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_CUSTOM_HEADERS'];
    const values = [secret, `${secret}\n`, ` ${secret}`];
    const addresses = [`https://me:${secret}@host/${secret}?key=${secret}`, `me:${secret}@host`, secret];
    for (const [index, value] of values.entries()) {
      const proxies = ['ANTHROPIC_BASE_URL', 'HTTPS_PROXY', 'http_proxy'].map((name) => [name, addresses[index]]);
      const env = Object.fromEntries([...names.map((name) => [name, value]), ...proxies]);
      await place.file('home/.claude/.credentials.json', `{ "token": "${secret}" ${index === 0 ? '}' : ''}`);
      for (const taken of [{}, ...names.map((name) => ({ [name]: undefined }))]) {
        const report = await examine(machineIn(place, { env: { ...env, ...taken } }), 10_000);
        expect(JSON.stringify(report)).not.toContain(secret);
      }
    }
  });
});
