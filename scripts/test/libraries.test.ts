import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../.ci/libraries', import.meta.url));

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'hexagent-libraries-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A system of which `apt-get install` works, fails, or does not exist, and whose user is root or not. */
function run({ installed = false, user = 0, apt = 'works' }: { installed?: boolean; user?: number; apt?: string }) {
  const state = path.join(folder, 'installed');
  if (installed) writeFileSync(state, '');
  const log = path.join(folder, 'log');
  const programs = {
    uname: 'echo Linux',
    id: `echo ${user}`,
    ldconfig: `[ -e ${state} ] && printf '%s\\n' libnss3.so libnspr4.so libexpat.so.1`,
    timeout: 'shift; exec "$@"',
    ...(apt !== 'missing' && {
      'apt-get': `echo "$@" >>${log}; case "$*" in *install*) ${apt === 'works' ? `: >${state}` : 'exit 100'};; esac`,
    }),
  };
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  const { status, stderr } = spawnSync('/bin/bash', [script], { env: { PATH: folder }, encoding: 'utf8' });
  const calls = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  return { status, stderr, calls };
}

describe.skipIf(process.platform !== 'linux')('What the browser of the tests needs of the system', () => {
  it('is installed where it is missing, after the lists of packages', () => {
    const { status, stderr, calls } = run({});
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(calls).toEqual([
      expect.stringMatching(/ update$/),
      expect.stringMatching(/ install .*libnss3 libnspr4 libexpat1$/),
    ]);
  });

  it('is left alone where it is there', () => {
    expect(run({ installed: true })).toEqual({ status: 0, stderr: '', calls: [] });
  });

  it.each([
    ['this user may not install', { user: 1000 }],
    ['there is no apt-get', { apt: 'missing' }],
  ])('is named, and nothing fails, where %s', (_why, system) => {
    const { status, stderr, calls } = run(system);
    expect({ status, calls }).toEqual({ status: 0, calls: [] });
    expect(stderr).toContain('libnss3');
  });

  it('is tried twice, and named, where it cannot be fetched', () => {
    const { status, stderr, calls } = run({ apt: 'fails' });
    expect(status).toBe(0);
    expect(calls.filter((call) => call.includes('install'))).toHaveLength(2);
    expect(stderr).toContain('could not be installed');
  });
});
