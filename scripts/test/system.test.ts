import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../workspace.mjs';
import { Folder } from './planted.ts';

/** A system of which `apt-get install` works, fails, or does not exist, and whose user is root or not. */
function run({ installed = false, user = 0, apt = 'works' }: { installed?: boolean; user?: number; apt?: string }) {
  using folder = new Folder();
  const [state, log] = ['installed', 'log'].map((name) => path.join(folder.dir, name)) as [string, string];
  if (installed)
    for (const name of ['libnss3', 'openssh-server', 'postgresql']) folder.write(`${path.basename(state)}-${name}`, '');
  const install = `case "$*" in *install*) ${apt === 'works' ? `for name; do : >${state}-"$name"; done` : 'exit 100'};; esac`;
  const programs = {
    uname: 'echo Linux',
    id: `echo ${user}`,
    ldconfig: `[ -e ${state}-libnss3 ] && printf '%s\\n' libnss3.so libnspr4.so libexpat.so.1`,
    find: `case $1 in */sshd) [ -e ${state}-openssh-server ];; *) [ -e ${state}-postgresql ];; esac && echo found`,
    // The settings of the system of these tests stay as they are.
    mkdir: 'exit 1',
    timeout: 'shift; exec "$@"',
    ...(apt !== 'missing' && { 'apt-get': `echo "$@" >>${log}; ${install}` }),
  };
  for (const [name, body] of Object.entries(programs)) {
    folder.write(name, `#!/bin/sh\n${body}\n`);
    chmodSync(path.join(folder.dir, name), 0o755);
  }
  const script = path.join(root, '.ci/system');
  const { status, output } = folder.run('/usr/bin/env', '-i', `PATH=${folder.dir}`, '/bin/bash', script);
  return { status, output, calls: existsSync(log) ? folder.read('log').trim().split('\n') : [] };
}

describe.skipIf(process.platform !== 'linux')('What the tests need of the system', () => {
  it('is installed where it is missing, after the lists of packages', () => {
    const { status, output, calls } = run({});
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/^(?:Installing .*\n){3}$/) });
    expect(calls).toEqual([
      expect.stringMatching(/ update$/),
      expect.stringMatching(/ install .*libnss3 libnspr4 libexpat1$/),
      expect.stringMatching(/ install .*openssh-server openssh-client$/),
      expect.stringMatching(/ install .*postgresql pgbouncer$/),
    ]);
  });

  it('is left alone where it is there', () => {
    expect(run({ installed: true })).toEqual({ status: 0, output: '', calls: [] });
  });

  it.each([
    ['this user may not install', { user: 1000 }],
    ['there is no apt-get', { apt: 'missing' }],
  ])('is named, and nothing fails, where %s', (_why, system) => {
    const { status, output, calls } = run(system);
    expect({ status, calls }).toEqual({ status: 0, calls: [] });
    expect(output).toContain('libnss3');
    expect(output).toContain('openssh-server');
    expect(output).toContain('postgresql');
  });

  it('is tried twice, and named, where it cannot be fetched', () => {
    const { status, output, calls } = run({ apt: 'fails' });
    expect(status).toBe(0);
    expect(calls.filter((call) => call.includes('libnss3'))).toHaveLength(2);
    expect(calls.filter((call) => call.includes('postgresql'))).toHaveLength(2);
    expect(output.match(/could not be installed/g)).toHaveLength(3);
  });
});
