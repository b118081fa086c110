import { describe, expect, it, vi } from 'vitest';
import { external } from '../src/index.ts';
import { hello, openSession } from './dialling.ts';
import { rawHandler, reach, json } from './web.ts';

vi.setConfig({ testTimeout: 60_000 }); // a bound for real processes on a busy machine, never waited for

const secret = 'sk-0123456789abcdefghijklmnop';
/** The parts of it that a text has, as far as they are long enough to be of use. */
const partsIn = (text: string): readonly string[] =>
  Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6)).filter((part) => text.includes(part));

/** Lengths that let a cut fall before the secret, at each of its characters and behind it. */
const lengths = [0, 1, 2, 3, 4, 5, 10, 15, 20, 24, 28, 29, 30];

describe('A secret that is ill-formed', () => {
  it('keeps no server from being reached', async () => {
    const env = { KEY: 'half a pair: \ud83d' };
    const server = external({ name: 'odd', command: process.execPath, args: ['-e', 'process.exit(3)'], env });
    await expect(server.connect()).rejects.toMatchObject({ code: 'MCP_SERVER_FAILED' });
  });
});

describe('A secret in a text that is cut', () => {
  it('is not left in part where the error stream of a program is cut at its beginning', async () => {
    const program = `
      process.stderr.write('Wrong: ' + process.env.KEY + ' ' + '='.repeat(3999 - Number(process.argv[1])), () => process.exit(3));`;
    for (const length of lengths) {
      const args = ['-e', program, String(length)];
      const server = external({ name: 'cut', command: process.execPath, args, env: { KEY: secret } });
      const error: unknown = await server.connect().catch((reason: unknown) => reason);
      expect(error).toHaveProperty(
        'message',
        expect.stringMatching(/^The MCP server cut has ended with code 3\..*===/),
      );
      expect(partsIn(JSON.stringify([error, String(error), server.status]))).toEqual([]);
    }
  });

  it('is not left in part where the answer of a web server is cut at its end', async () => {
    for (let length = 220; length < 310; length += 3) {
      const text = `${'='.repeat(length)}${secret} is wrong`;
      await using reached = await reach((_, response) => response.writeHead(403).end(text), {
        headers: { authorization: `Bearer ${secret}` },
      });
      const error: unknown = await reached.server.connect().catch((reason: unknown) => reason);
      expect(error).toHaveProperty('message', expect.stringMatching(/^The MCP server notes answered HTTP 403: ===/));
      expect(partsIn(JSON.stringify([String(error), reached.server.status]))).toEqual([]);
    }
  });

  it('is not in the text of a program whose error stream is short, and what is like its end stays', async () => {
    const program = "process.stderr.write('klmnop are letters', () => process.exit(3));";
    const server = external({ name: 'cut', command: process.execPath, args: ['-e', program], env: { KEY: secret } });
    await expect(server.connect()).rejects.toThrow('It last wrote: klmnop are letters');
  });
});

describe('The data of an error that a server answers with', () => {
  it('holds no secret', async () => {
    const data = { given: [`Bearer ${secret}`, { token: secret, count: 5, none: null }] };
    await using reached = await reach(
      rawHandler(({ id }, response) =>
        json(response, { jsonrpc: '2.0', id, error: { code: 7, message: secret, data } }),
      ),
      { headers: { authorization: `Bearer ${secret}` } },
    );
    const { ask } = openSession(reached.server);
    await ask('initialize', hello);
    expect(await ask('tools/call', { name: 'x' })).toMatchObject({
      error: {
        code: 7,
        message: '[redacted]',
        data: { given: ['[redacted]', { token: '[redacted]', count: 5, none: null }] },
      },
    });
  });
});
