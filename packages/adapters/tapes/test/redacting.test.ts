import type { Launch } from '@hexagent/ports';
import { parseTape, tapeText, tapped, type RedactOption, type TapeEntry } from '@hexagent/tapes';
import { linkedTransport, plainLaunch } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';

interface Recorded {
  readonly text: string;
  readonly entries: readonly TapeEntry[];
}

async function recorded(launch: Partial<Launch>, lines: readonly string[], redact?: RedactOption): Promise<Recorded> {
  let text = '';
  const { transport, agent } = linkedTransport();
  const sink = tapeText({ write: (more) => (text += more) }, { redact });
  const connection = await tapped(transport, sink).connect({ ...plainLaunch(), ...launch });
  for (const line of lines) {
    agent.writeLines([line]);
    await connection.frames[Symbol.asyncIterator]().next();
  }
  await connection.close();
  return { text, entries: parseTape(text).entries };
}

describe('Redaction', () => {
  it('takes out the values of variables that are not known to be harmless, and keeps their names', async () => {
    const env = { PATH: '/usr/bin', MY_SETTING: 'made up', ANTHROPIC_API_KEY: 'made-up-key-of-a-test' };
    const [launch] = (await recorded({ env }, [])).entries;
    expect(launch).toMatchObject({
      launch: { env: { PATH: '/usr/bin', MY_SETTING: '[redacted]', ANTHROPIC_API_KEY: '[redacted]' } },
      redacted: [
        { path: 'launch.env.MY_SETTING', what: 'variable' },
        { path: 'launch.env.ANTHROPIC_API_KEY', what: 'variable' },
      ],
    });
  });

  it('takes the value of a secret variable out of all that follows, as when a tool prints the environment', async () => {
    const env = { MY_DATABASE_PASSWORD: 'quote " and \\ slash' };
    const line = JSON.stringify({ type: 'user', output: `PASSWORD=${env.MY_DATABASE_PASSWORD}!` });
    const { text, entries } = await recorded({ env }, [line]);
    expect(entries[1]).toMatchObject({
      in: { output: 'PASSWORD=[redacted]!' },
      redacted: [{ path: 'in.output', what: 'known secret' }],
    });
    expect(text).not.toContain('slash');
  });

  it('takes out headers and variables of MCP servers, in the launch, in files and in frames', async () => {
    const servers = {
      one: { type: 'http', url: 'https://a.test/', headers: { Authorization: 'made up 1', Accept: 'text/plain' } },
      two: { command: 'server', env: { SERVER_TOKEN: 'made up 2', LANG: 'C' } },
    };
    const launch = {
      args: ['--mcp-config', { name: 'mcp.json', content: JSON.stringify({ mcpServers: servers }) }],
      initialize: { mcpServers: servers },
    } as Partial<Launch>;
    const { text, entries } = await recorded(launch, [JSON.stringify({ type: 'control_request', servers })]);
    expect(text).not.toContain('made up');
    expect(text).toContain('text/plain');
    expect(entries[0]?.redacted).toEqual([
      { path: 'launch.args.1.content.mcpServers.one.headers.Authorization', what: 'header' },
      { path: 'launch.args.1.content.mcpServers.two.env.SERVER_TOKEN', what: 'variable' },
      { path: 'launch.initialize.mcpServers.one.headers.Authorization', what: 'header' },
      { path: 'launch.initialize.mcpServers.two.env.SERVER_TOKEN', what: 'variable' },
    ]);
    expect(entries[1]).toMatchObject({ in: { servers: { two: { env: { SERVER_TOKEN: '[redacted]', LANG: 'C' } } } } });
  });

  const body = 'Aa0'.repeat(14);
  const shapes: Readonly<Record<string, string>> = {
    'a key of Anthropic': `sk-ant-api03-${body}`,
    'a bearer token': `Bearer ${body}`,
    'basic authorization': `Basic ${body}`,
    'a token of GitHub': `ghp_${body}`,
    'a fine-grained token of GitHub': `github_pat_${body}`,
    'a token of GitLab': `glpat-${body}`,
    'a token of npm': `npm_${body}`,
    'a token of Slack': `xoxb-${body}`,
    'a key of AWS': `AKIA${'A0'.repeat(8)}`,
    'a key of Google': `AIza${body}`,
    'a signed token': `eyJ${body}.${body}.${body}`,
    'a private key': `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`,
  };
  for (const [name, secret] of Object.entries(shapes)) {
    it(`takes out ${name}, wherever it stands`, async () => {
      const line = JSON.stringify({ type: 'assistant', content: [{ text: `before ${secret} after` }] });
      const { entries } = await recorded({}, [line]);
      expect(entries[1]).toMatchObject({
        in: { content: [{ text: 'before [redacted] after' }] },
        redacted: [{ path: 'in.content.0.text', what: 'shape of a secret' }],
      });
    });
  }

  it('takes out the password of an address, and fields that are named like secrets', async () => {
    const fields = {
      url: 'postgres://me:made-up@host/db',
      apiKey: 'made up',
      'x-api-key': 'made up',
      password: 'made up',
    };
    const { entries } = await recorded({}, [JSON.stringify(fields)]);
    expect(entries[1]).toMatchObject({
      in: {
        url: 'postgres://me:[redacted]@host/db',
        apiKey: '[redacted]',
        'x-api-key': '[redacted]',
        password: '[redacted]',
      },
    });
  });

  it.each([
    ...[
      'password',
      'passwd',
      'secret',
      'clientSecret',
      'access_token',
      'idToken',
      'private-key',
      'accessKey',
      'apiKey',
    ],
    ...['token', 'credential', 'credentials', 'cookie', 'set-cookie', 'authorization', 'proxy-authorization'],
  ])('takes out a field %s, in capitals as well, and in an object that is a text', async (name) => {
    const names = [name, name.toUpperCase(), `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`];
    for (const fields of names.map((each) => ({ [each]: 'made up' }))) {
      const lines = [JSON.stringify(fields), JSON.stringify({ text: JSON.stringify(fields) })];
      const { text } = await recorded({}, lines);
      expect(text.match(/\[redacted\]/g)).toHaveLength(2);
      expect(text).not.toContain('made up');
    }
  });

  it.each(['env', 'headers'])(
    'takes out %s in an object that is a text, such as the output of a tool',
    async (name) => {
      const content = JSON.stringify({ mcpServers: { one: { [name]: { SITE: 'made up' } } } });
      const { text } = await recorded({}, [JSON.stringify({ type: 'user', content })]);
      expect(text).not.toContain('made up');
    },
  );

  it('takes out the whole of a secret that begins with another', async () => {
    const env = { SHORT_TOKEN: 'made-up-key', LONG_TOKEN: 'made-up-key-and-more' };
    const { entries } = await recorded({ env }, [JSON.stringify({ text: `it is ${env.LONG_TOKEN}!` })]);
    expect(entries[1]).toMatchObject({ in: { text: 'it is [redacted]!' } });
  });

  it('takes a secret out of a partial message, if it is whole there', async () => {
    const line = JSON.stringify({ type: 'stream_event', event: { delta: { text: `Bearer ${body}` } } });
    const { entries } = await recorded({}, [line]);
    expect(entries[1]).toMatchObject({ in: { event: { delta: { text: '[redacted]' } } } });
  });

  it('redacts a line that is not JSON', async () => {
    const { entries } = await recorded({}, [`debug: Bearer ${body}`, `{"not":JSON, Bearer ${body}}`]);
    expect(entries[1]).toMatchObject({ inLine: 'debug: [redacted]' });
    expect(entries[2]).toMatchObject({ inLine: '{"not":JSON, [redacted]}' });
  });

  it('leaves everything else as it is, to the letter', async () => {
    const lines = [
      '{"usage":{"input_tokens":10,"output_tokens":2},"apiKeySource":"none","task":"ask-someone"}',
      '{ "key" : "a name", "text":"The Bearer of the key has no token, https://a.test/@you" }',
    ];
    const { entries } = await recorded({}, lines);
    expect(entries.slice(1, 3).map((entry) => 'line' in entry && entry.line)).toEqual(lines);
  });

  it('calls a function of the program with each text and its path, after the default', async () => {
    const seen: string[] = [];
    const redact = (value: string, path: string): string => {
      seen.push(path);
      return value.replace('Jane', 'a person');
    };
    const line = JSON.stringify({ text: `Jane has Bearer ${body}` });
    const { entries } = await recorded({ cwd: '/home/Jane' }, [line], redact);
    expect(entries[0]).toMatchObject({ launch: { cwd: '/home/a person' } });
    expect(entries[1]).toMatchObject({
      in: { text: 'a person has [redacted]' },
      redacted: [
        { path: 'in.text', what: 'shape of a secret' },
        { path: 'in.text', what: 'by the program' },
      ],
    });
    expect(seen).toContain('launch.cwd');
  });

  it('redacts nothing with `false`', async () => {
    const line = `{"token":"Bearer ${body}"}`;
    const { text } = await recorded({ env: { MY_TOKEN: 'made up' } }, [line], false);
    expect(text).toContain(line);
    expect(text).toContain('made up');
  });

  it('does not read the files of a config folder, which may be read once', async () => {
    const lines: Iterable<string> = {
      [Symbol.iterator]() {
        throw new Error('This was read.');
      },
    };
    const { entries } = await recorded({ configFolder: { files: [{ path: 'projects/a.jsonl', lines }] } }, []);
    expect(entries[0]).toMatchObject({ launch: { configFolder: { files: ['projects/a.jsonl'] } } });
  });
});
