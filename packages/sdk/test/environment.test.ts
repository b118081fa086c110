import { describe, expect, it } from 'vitest';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { openSession, type Environment } from '@hexagent/sdk';

/** What an agent is started with, of a program whose environment is changed for the while. */
async function environmentFor(
  env: Environment | undefined,
  own: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const before = { ...process.env };
  Object.assign(process.env, own);
  try {
    const { transport, agent } = linkedTransport(scriptedAgent());
    await (await openSession({ transport, env })).close();
    return agent.launch?.env ?? {};
  } finally {
    for (const name of Object.keys(own)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

const own = {
  PATH: '/bin',
  HOME: '/home/someone',
  https_proxy: 'http://proxy',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  ANTHROPIC_API_KEY: 'made-up',
  CLAUDE_CONFIG_DIR: '/config',
  DATABASE_PASSWORD: 'made-up',
  AWS_SECRET_ACCESS_KEY: 'made-up',
};

describe('The environment of an agent', () => {
  it('keeps what agents need and drops the rest, by default', async () => {
    const env = await environmentFor(undefined, own);
    expect(env).toMatchObject({
      PATH: '/bin',
      HOME: '/home/someone',
      https_proxy: 'http://proxy',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      ANTHROPIC_API_KEY: 'made-up',
      CLAUDE_CONFIG_DIR: '/config',
    });
    expect(env).not.toHaveProperty('DATABASE_PASSWORD');
    expect(env).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
  });

  it('keeps, by default, exactly these of the names that systems, networks and agents know', async () => {
    const names =
      'PATH HOME USER LOGNAME SHELL TERM LANG LANGUAGE TZ TMPDIR TEMP TMP HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY ' +
      'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR IS_SANDBOX TRACEPARENT TRACESTATE SYSTEMROOT SYSTEMDRIVE WINDIR ' +
      'COMSPEC PATHEXT USERPROFILE USERNAME HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES ' +
      'PROGRAMFILES(X86) LC_ALL XDG_CONFIG_HOME ANTHROPIC_BASE_URL CLAUDE_CODE_MAX_RETRIES no_proxy';
    const dropped = 'NODE_OPTIONS DEBUG NPM_TOKEN GITHUB_TOKEN ANTHROPICS MYPATH LCX CLAUDEX';
    const all = Object.fromEntries(`${names} ${dropped}`.split(' ').map((name) => [name, 'x']));
    const env = await environmentFor(undefined, all);
    expect(Object.keys(env)).toEqual(expect.arrayContaining(names.split(' ')));
    expect(dropped.split(' ').filter((name) => name in env)).toEqual([]);
  });

  it('is everything when told to inherit, and what is set counts more', async () => {
    const env = await environmentFor({ policy: 'inherit', set: { HOME: '/elsewhere', PATH: undefined } }, own);
    expect(env).toMatchObject({ DATABASE_PASSWORD: 'made-up', HOME: '/elsewhere' });
    expect(env).not.toHaveProperty('PATH');
  });

  it('is only what is set when told to be exact', async () => {
    const env = await environmentFor({ policy: 'exact', set: { ONLY: 'this' } }, own);
    expect(Object.keys(env).filter((name) => !name.startsWith('CLAUDE_'))).toEqual(['ONLY']);
  });

  it('#51 never makes the agent believe that it runs inside another one', async () => {
    expect(await environmentFor({ policy: 'inherit' }, { CLAUDECODE: '1' })).not.toHaveProperty('CLAUDECODE');
  });
});
