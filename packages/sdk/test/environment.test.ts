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
