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

  it('has no variable that is for this process alone, also where all are inherited', async () => {
    // Empty, they are off in this process.
    const ofProcess = { HEXAGENT_INSPECT: '0', HEXAGENT_RECORD: '', HEXAGENT_REPLAY: '', HEXAGENT_REPLAY_WAIT_MS: '5' };
    const env = await environmentFor({ policy: 'inherit' }, { ...own, ...ofProcess });
    expect(env).toMatchObject({ DATABASE_PASSWORD: 'made-up' });
    for (const name of Object.keys(ofProcess)) expect(env).not.toHaveProperty(name);
  });

  it('keeps, by default, exactly these of the names that systems, networks and agents use', async () => {
    const names =
      'PATH HOME USER LOGNAME SHELL TERM LANG LANGUAGE TZ TMPDIR TEMP TMP HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY ' +
      'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR IS_SANDBOX TRACEPARENT TRACESTATE SYSTEMROOT SYSTEMDRIVE WINDIR ' +
      'COMSPEC PATHEXT USERPROFILE USERNAME HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES ' +
      'PROGRAMFILES(X86) LC_ALL XDG_CONFIG_HOME ANTHROPIC_BASE_URL CLAUDE_CODE_MAX_RETRIES no_proxy SSH_AUTH_SOCK ' +
      'API_TIMEOUT_MS API_FORCE_IDLE_TIMEOUT OTEL_EXPORTER_OTLP_ENDPOINT OTEL_METRICS_EXPORTER MCP_TIMEOUT ' +
      'MCP_TOOL_TIMEOUT MCP_CONNECT_TIMEOUT_MS MCP_CONNECTION_NONBLOCKING MCP_SERVER_CONNECTION_BATCH_SIZE ' +
      'MCP_REMOTE_SERVER_CONNECTION_BATCH_SIZE MCP_OAUTH_CALLBACK_PORT MAX_MCP_OUTPUT_TOKENS MAX_THINKING_TOKENS ' +
      'MAX_STRUCTURED_OUTPUT_RETRIES BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH ' +
      'TASK_MAX_OUTPUT_LENGTH SLASH_COMMAND_TOOL_CHAR_BUDGET USE_BUILTIN_RIPGREP DISABLE_TELEMETRY ' +
      'DISABLE_AUTOUPDATER DISABLE_ERROR_REPORTING DISABLE_PROMPT_CACHING DISABLE_PROMPT_CACHING_OPUS ' +
      'DISABLE_AUTO_COMPACT DISABLE_COMPACT DISABLE_COST_WARNINGS DISABLE_FEEDBACK_COMMAND DISABLE_GROWTHBOOK ' +
      'DISABLE_INSTALLATION_CHECKS DISABLE_INTERLEAVED_THINKING DISABLE_UPDATES DO_NOT_TRACK ' +
      'ENABLE_CLAUDEAI_MCP_SERVERS ENABLE_PROMPT_CACHING_1H ENABLE_TOOL_SEARCH FALLBACK_FOR_ALL_PRIMARY_MODELS ' +
      'FORCE_PROMPT_CACHING_5M';
    const dropped =
      'NODE_OPTIONS DEBUG NPM_TOKEN GITHUB_TOKEN ANTHROPICS MYPATH LCX CLAUDEX MCP_CLIENT_SECRET MCP_MY_TOKEN ' +
      'BASH_ENV MAX_SECRET DISABLE_AUTH ENABLE_X SSH_ASKPASS AWS_SECRET_ACCESS_KEY GOOGLE_APPLICATION_CREDENTIALS ' +
      'CLOUD_ML_REGION AZURE_CLIENT_SECRET OPENAI_API_KEY';
    const all = Object.fromEntries(`${names} ${dropped}`.split(' ').map((name) => [name, 'x']));
    const env = await environmentFor(undefined, all);
    expect(Object.keys(env)).toEqual(expect.arrayContaining(names.split(' ')));
    expect(dropped.split(' ').filter((name) => name in env)).toEqual([]);
  });

  it('is everything when the policy is to inherit, and what is set counts more', async () => {
    const env = await environmentFor({ policy: 'inherit', set: { HOME: '/elsewhere', PATH: undefined } }, own);
    expect(env).toMatchObject({ DATABASE_PASSWORD: 'made-up', HOME: '/elsewhere' });
    expect(env).not.toHaveProperty('PATH');
  });

  it('is only what is set when the policy is to be exact', async () => {
    const env = await environmentFor({ policy: 'exact', set: { ONLY: 'this' } }, own);
    expect(Object.keys(env).filter((name) => !name.startsWith('CLAUDE_'))).toEqual(['ONLY']);
  });

  it('#51 never makes the agent assume that it runs inside another one', async () => {
    expect(await environmentFor({ policy: 'inherit' }, { CLAUDECODE: '1' })).not.toHaveProperty('CLAUDECODE');
    expect(await environmentFor(undefined, { CLAUDECODE: '1' })).not.toHaveProperty('CLAUDECODE');
  });

  it.each(['allowList', 'inherit', 'exact'] as const)('passes it on where the program sets it: %s', async (policy) => {
    expect(await environmentFor({ policy, set: { CLAUDECODE: '1' } }, {})).toMatchObject({ CLAUDECODE: '1' });
  });
});

describe('maxRetries', () => {
  it('is a variable for the agent, under every policy and before every other value', async () => {
    for (const policy of ['allowList', 'inherit', 'exact'] as const) {
      const { transport, agent } = linkedTransport(scriptedAgent());
      const env = { policy, set: { CLAUDE_CODE_MAX_RETRIES: '9' } };
      await (await openSession({ transport, env, maxRetries: 0 })).close();
      expect(agent.launch?.env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: '0' });
    }
  });
});

describe('interruptedTurn', () => {
  it.each([
    ['continue', '1'],
    ['leave', undefined],
  ] as const)('%s sets the two variables by which the agent continues: %s', async (interruptedTurn, value) => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const resume = '5e550000-0000-4000-8000-000000000001';
    await (await openSession({ transport, resume, interruptedTurn, env: { policy: 'exact' } })).close();
    expect(agent.launch?.env['CLAUDE_CODE_RESUME_INTERRUPTED_TURN']).toBe(value);
    expect(agent.launch?.env['CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS']).toBe(value);
  });
});

describe('The switch of another service of models', () => {
  const services = {
    CLAUDE_CODE_USE_BEDROCK: 'AWS_REGION AWS_BEARER_TOKEN_BEDROCK AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_PROFILE',
    CLAUDE_CODE_USE_MANTLE: 'AWS_REGION AWS_SESSION_TOKEN',
    CLAUDE_CODE_USE_ANTHROPIC_AWS: 'AWS_REGION AWS_WEB_IDENTITY_TOKEN_FILE',
    CLAUDE_CODE_USE_VERTEX:
      'CLOUD_ML_REGION GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GCLOUD_PROJECT CLOUDSDK_CONFIG ' +
      'VERTEX_REGION_CLAUDE_4_5_SONNET GCE_METADATA_HOST METADATA_SERVER_DETECTION',
    CLAUDE_CODE_USE_FOUNDRY:
      'AZURE_TENANT_ID AZURE_CLIENT_ID AZURE_CLIENT_SECRET AZURE_FEDERATED_TOKEN_FILE IDENTITY_ENDPOINT ' +
      'IDENTITY_HEADER IDENTITY_SERVER_THUMBPRINT IMDS_ENDPOINT MSI_ENDPOINT MSI_SECRET',
  };
  const everything = Object.fromEntries(
    Object.values(services)
      .flatMap((names) => names.split(' '))
      .map((name) => [name, 'x']),
  );
  const seen = (env: Readonly<Record<string, string>>): string[] =>
    Object.keys(env).filter((name) => name in everything);

  it.each(Object.entries(services))('%s lets its own variables through, and no others', async (variable, names) => {
    const fromProgram = seen(await environmentFor(undefined, { ...everything, [variable]: '1' }));
    const fromOption = seen(await environmentFor({ set: { [variable]: 'true' } }, everything));
    expect(fromProgram).toEqual(expect.arrayContaining(names.split(' ')));
    expect(fromOption.toSorted()).toEqual(fromProgram.toSorted());
    const prefix = names.slice(0, names.indexOf('_'));
    expect(fromProgram.filter((name) => !names.includes(name) && !name.startsWith(prefix))).toEqual([]);
  });

  it.each(['0', 'false', '', 'no', '2'])('that is off lets nothing through: "%s"', async (value) => {
    const env = await environmentFor(undefined, { ...everything, CLAUDE_CODE_USE_BEDROCK: value });
    expect(seen(env)).toEqual([]);
  });

  it('that is taken away lets nothing through', async () => {
    const set = { CLAUDE_CODE_USE_BEDROCK: undefined };
    expect(seen(await environmentFor({ set }, { ...everything, CLAUDE_CODE_USE_BEDROCK: '1' }))).toEqual([]);
  });
});
