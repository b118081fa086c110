import { join } from 'node:path';
import { openSession, type SessionOptions, type TurnOutcome } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';

/** Only the loopback is asked for credentials, and no command-line tool of a service is found. */
const offline = {
  AWS_EC2_METADATA_DISABLED: 'true',
  METADATA_SERVER_DETECTION: 'none',
  AZURE_TOKEN_CREDENTIALS: 'dev',
  CLAUDE_CODE_MAX_RETRIES: '0',
};

/** Runs with `own` in the program's environment, as if a shell had set it. */
async function outcomeWith(
  place: Stage,
  own: Readonly<Record<string, string>>,
  policy: 'allowList' | 'exact' = 'allowList',
): Promise<TurnOutcome> {
  const { ANTHROPIC_API_KEY: _, ANTHROPIC_BASE_URL: __, PATH: ___, ...env } = place.env;
  const set = { ...env, ...offline, PATH: place.home.tmp };
  const hidden = Object.keys(process.env).filter((name) => /^(?:ANTHROPIC|CLAUDE|AWS|GOOGLE|AZURE|OTEL)_/.test(name));
  const without = Object.fromEntries(hidden.map((name) => [name, undefined]));
  const before = { ...process.env };
  Object.assign(process.env, own);
  try {
    const kept = policy === 'exact' ? Object.entries(own).filter(([name]) => name.startsWith('CLAUDE_')) : [];
    const options: SessionOptions = {
      ...place.options,
      env: { policy, set: { ...without, ...set, ...Object.fromEntries(kept) } },
    };
    await using session = await openSession(options);
    return await session.send('hi').result;
  } finally {
    for (const name of Object.keys(own)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

const bedrock = { CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'us-east-1' };
const vertex = { CLAUDE_CODE_USE_VERTEX: '1', CLOUD_ML_REGION: 'us-east5', ANTHROPIC_VERTEX_PROJECT_ID: 'p' };
const foundry = { CLAUDE_CODE_USE_FOUNDRY: '1' };

withCli('Another model service', () => {
  it('receives the credentials that its switch lets through: Amazon Bedrock', async () => {
    await using place = await stage();
    const at = { ANTHROPIC_BEDROCK_BASE_URL: place.loopback.url };
    await outcomeWith(place, { ...bedrock, ...at, AWS_BEARER_TOKEN_BEDROCK: 'a-bearer-token' });
    const asked = place.loopback.others.find(({ path }) => path.startsWith('/model/'));
    expect(asked?.headers['authorization']).toBe('Bearer a-bearer-token');
  });

  it('receives the credentials that its switch lets through: Google Vertex AI', async () => {
    await using place = await stage();
    const file = join(place.home.tmp, 'no-such-credentials.json');
    const at = { ANTHROPIC_VERTEX_BASE_URL: place.loopback.url };
    const outcome = await outcomeWith(place, { ...vertex, ...at, GOOGLE_APPLICATION_CREDENTIALS: file });
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining(file) });
  });

  it('receives the credentials that its switch lets through: Microsoft Foundry', async () => {
    await using place = await stage(['fine']);
    const at = { ANTHROPIC_FOUNDRY_BASE_URL: place.loopback.url };
    const outcome = await outcomeWith(place, { ...foundry, ...at, ANTHROPIC_FOUNDRY_API_KEY: 'a-key' });
    expect(outcome).toMatchObject({ kind: 'completed', text: 'fine' });
    expect((await place.loopback.received(1)).headers['x-api-key']).toBe('a-key');
  });

  it.each([
    ['Amazon Bedrock', bedrock, /AWS_BEARER_TOKEN_BEDROCK/],
    ['Google Vertex AI', vertex, /GOOGLE_APPLICATION_CREDENTIALS/],
    [
      'Microsoft Foundry',
      { ...foundry, ANTHROPIC_FOUNDRY_BASE_URL: 'http://127.0.0.1:9' },
      /ANTHROPIC_FOUNDRY_API_KEY/,
    ],
  ])('that has no credentials fails the turn with a hint that names them: %s', async (_, own, names) => {
    await using place = await stage();
    const outcome = await outcomeWith(place, own);
    expect(outcome).toMatchObject({
      kind: 'failed',
      cause: 'api',
      hint: { kind: 'authentication', remedy: expect.stringMatching(names) },
    });
  });

  it('whose credentials an exact environment leaves out fails with a hint where to name them', async () => {
    await using place = await stage();
    const outcome = await outcomeWith(place, { ...bedrock, AWS_BEARER_TOKEN_BEDROCK: 'a-bearer-token' }, 'exact');
    expect(outcome).toMatchObject({ kind: 'failed', hint: { remedy: expect.stringMatching(/`exact`.*`env\.set`/) } });
  });

  // The allow list reads the switches like the CLI; this fails when the CLI changes that.
  it.each([
    ...['1', 'true', 'TRUE', 'yes', 'on', ' 1 '].map((value) => [value, 'bedrock'] as const),
    ...['0', 'false', '', 'no', '2'].map((value) => [value, 'firstParty'] as const),
  ])('is chosen by its switch as the allow list reads it: "%s"', async (CLAUDE_CODE_USE_BEDROCK, apiProvider) => {
    await using place = await stage([], { ...offline, CLAUDE_CODE_USE_BEDROCK });
    await using session = await openSession(place.options);
    expect((await session.ready).account).toMatchObject({ apiProvider });
  });
});
