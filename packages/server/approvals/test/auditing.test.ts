import type { ApprovalAuditEntry, Decision } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { redact, redactText } from '../src/redact.ts';
import { Asking, type AskedFields } from './asking.ts';

async function entryOf(decision: Decision, asked: AskedFields = {}): Promise<ApprovalAuditEntry | undefined> {
  const asking = new Asking();
  asking.ask('my-chat', asked);
  await asking.approvals.settle((await asking.opened()).id, decision, 'ada');
  for await (const entry of asking.approvals.audit({ session: 'my-chat' })) return entry;
  return undefined;
}

const rule = { toolName: 'Bash', ruleContent: 'touch *' };

describe('The audit', () => {
  it('records who answered what and when, and what was shown', async () => {
    expect(await entryOf({ behavior: 'deny', message: 'not now' })).toEqual({
      id: 'id-1',
      session: 'my-chat',
      kind: 'permission',
      toolUseId: 'toolu_1',
      tool: 'Bash',
      input: { command: 'touch made' },
      askedAt: 1_000_500,
      state: 'answered',
      settledAt: 1_000_500,
      actor: 'ada',
      behavior: 'deny',
      message: 'not now',
    });
  });

  it('records what ran instead, and which rules were stored', async () => {
    const suggestions = [
      { type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ] as const;
    const mode = { type: 'setMode', mode: 'plan', destination: 'session' } as const;
    const decision: Decision = {
      behavior: 'allow',
      updatedInput: { command: 'ls' },
      updatedPermissions: [mode],
      remember: 'project',
    };
    expect(await entryOf(decision, { suggestions })).toMatchObject({
      behavior: 'allow',
      changedInput: { command: 'ls' },
      updates: [mode, { type: 'addRules', rules: [rule], behavior: 'allow', destination: 'projectSettings' }],
    });
  });

  it('has what was withdrawn, expired and lost', async () => {
    const asking = new Asking();
    asking.ask('my-chat').end('withdrawn');
    await asking.settled();
    const [entry] = await Array.fromAsync(asking.approvals.audit());
    expect(entry).toMatchObject({ state: 'cancelled', reason: 'The agent does not wait any more.' });
    expect(entry).not.toHaveProperty('actor');
  });

  it('holds no secret of the input, of the answer or of a message, which the agent gets as they are', async () => {
    const key = 'sk-ant-made-up-0123456789';
    const asking = new Asking();
    const { answer } = asking.ask('my-chat', { input: { command: `curl -H "x-api-key: ${key}" localhost` } });
    const { id } = await asking.opened();
    await asking.approvals.settle(id, { behavior: 'allow', updatedInput: { command: `echo ${key}` } }, 'ada');
    expect(await answer).toMatchObject({ updatedInput: { command: `echo ${key}` } });
    const entries = await Array.fromAsync(asking.approvals.audit());
    expect(JSON.stringify(entries)).not.toContain(key);
    expect(JSON.stringify(entries)).toContain('[redacted]');
    expect(JSON.stringify(await entryOf({ behavior: 'deny', message: `not with ${key}` }))).not.toContain(key);
  });
});

describe('A secret', () => {
  it.each([
    ['a member with the name of a secret', { apiKey: 'abc', env: { GITHUB_TOKEN: 'abc' } }],
    ['all that such a member holds', { credentials: { user: 'abc', list: ['abc'] } }],
    ['an assignment', 'export DB_PASSWORD=abc && run'],
    ['a quoted assignment', `PASSWORD='abc abc' run`],
    ['a member in JSON', '{"client_secret": "abc", "port": 1}'],
    ['an option', 'tool --api-key abc --port 1'],
    ['an option with an equals sign', 'tool --auth-token=abc'],
    ['a header', 'curl -H "Authorization: Basic abc" host'],
    ['a bearer token', 'Bearer abcabcabcabcabcabcabc'],
    ['a user with a password', 'curl -u me:abc localhost'],
    ['an address with a password', 'psql postgres://me:abc@localhost/db'],
    ['an unfinished quotation', 'PASSWORD="abc'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----'],
    ['a private key that is cut off', '-----BEGIN PRIVATE KEY-----\nabc'],
    ['a short form of the name in an option', 'curl --pass abc host'],
    ['the same with an equals sign', 'tool --db-pass=abc'],
    ['the input of a passphrase', 'openssl rsa -passin pass:abc -in key'],
    ['a short form of the name in a variable', 'MYSQL_PWD=abc mysql'],
    ['a member with a short form of the name', { env: { MYSQL_PWD: 'abc' } }],
    ['a query parameter', 'GET /x?access_token=abc&page=2'],
  ])('is replaced in %s', (_, given) => {
    const kept = JSON.stringify(redact(given));
    expect(kept).not.toContain('abc');
    expect(kept).toContain('[redacted]');
  });

  it.each([
    'sk-ant-api03-made_up0123456789',
    'ghp_0123456789abcdefghijABCDEFGHIJ012345',
    'github_pat_0123456789abcdefghijk',
    'glpat-0123456789abcdefghij',
    'xoxb-0123456789-abcdef',
    'AKIA0123456789ABCDEF',
    'npm_0123456789abcdefghijABCDEFGHIJ012345',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  ])('is recognized by its form: %s', (secret) => {
    expect(redactText(`echo ${secret} >> file`)).toBe('echo [redacted] >> file');
  });

  // Which of its options is a password only the program itself could tell.
  it.each([
    'mysql -pabc',
    'sshpass -p abc ssh host',
    'redis-cli -a abc',
    'htpasswd -b file me abc',
    'echo abc | docker login',
  ])('stays where neither its name nor its form shows it: %s', (command) => {
    expect(redact({ command })).toEqual({ command });
  });

  it.each<unknown>([
    { env: { PWD: '/home/me', OLDPWD: '/' } },
    'PWD=/home/me make --pass-through yes',
    'git commit -m "Explain tokens" && npm test',
    'ls -u file',
    'https://example.com:8080/path?page=2',
    { max_tokens: 5, usePassword: true, path: '/home/me/secrets.md', command: 'ls -la' },
    { questions: [{ question: 'Which password manager?' }] },
    null,
    5,
  ])('is not seen where there is none: %j', (given) => {
    expect(redact(given)).toEqual(given);
  });

  it.each([
    ['a', 'a'],
    ['an address without an end', 'a://'],
    ['tokens', 'eyJaaaaaaaaaaaa-'],
    ['a bearer', 'bearer '],
    ['private keys', '-----BEGIN PRIVATE KEY-----'],
    ['names', 'token="'],
    ['options', '-a'],
    ['long options', '--token '],
    ['users', '-u a'],
    ['spaces', ' '],
    ['dashes', '-'],
    ['dots', 'eyJaaaaaaaaaa.'],
  ])('is searched for in a long text of %s in a short time', (_, part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    const before = process.cpuUsage();
    redactText(text);
    const { user } = process.cpuUsage(before);
    expect(user / 1000).toBeLessThan(3000);
  });
});
