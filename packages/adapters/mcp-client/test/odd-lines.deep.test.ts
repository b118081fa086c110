import { describe, expect, it, vi } from 'vitest';
import { external } from '../src/index.ts';
import { limited, maxMessageBytes, watchEvents } from '../src/event-stream.ts';
import { hello, openSession } from './dialling.ts';

vi.setConfig({ testTimeout: 60_000 }); // a bound for real processes on a busy machine, never waited for

/** A program that introduces itself, and then answers each call with what these lines print. */
function oddly(answer: string): ReturnType<typeof external> {
  const program = `
    const print = (value) => console.log(typeof value === 'string' ? value : JSON.stringify({ jsonrpc: '2.0', ...value }));
    const result = (text) => ({ content: [{ type: 'text', text }] });
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize') print({ id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} } });
      else if (method === 'notifications/cancelled') print({ id: params.requestId, result: result('too late') });
      else if (params?.name === 'fine') print({ id, result: result('fine') });
      else if (id !== undefined) { ${answer} }
    });`;
  return external({ name: 'odd', command: process.execPath, args: ['-e', program] });
}

describe('A program that answers oddly', () => {
  it.each<[string, string]>([
    ['twice', "print({ id, result: result('one') }); print({ id, result: result('two') });"],
    [
      'under other ids first',
      "for (const other of [id + 1000, [id], {}, null, true, -id, 1.5]) print({ id: other, result: result('other') }); print({ id, result: result('one') });",
    ],
    ['with its id as a text', "print({ id: String(id), result: result('one') });"],
    [
      'in a list of messages, as version 2025-03-26 has them',
      "print(JSON.stringify([{ jsonrpc: '2.0', method: 'notifications/message' }, 5, { jsonrpc: '2.0', id, result: result('one') }]));",
    ],
    [
      'with HTML first',
      "print('<html>'); print('{'); print('[]'); print('null'); print({ id, result: result('one') });",
    ],
    [
      'with requests and notifications of its own first',
      "print({ id: 1, method: 'roots/list' }); print({ method: 5 }); print({ method: 'notifications/progress', params: { progressToken: [id] } }); print({ id, result: result('one') });",
    ],
  ])('is understood: %s', async (_, answer) => {
    const server = oddly(answer);
    const { ask, call } = openSession(server);
    await ask('initialize', hello);
    expect(await call('odd')).toBe('one');
    expect(await call('fine')).toBe('fine');
    await server.close();
  });

  it.each<[string, unknown, string]>([
    ['no result and no error', {}, 'The MCP server odd answered with undefined in place of a result'],
    ['null for both', { result: null, error: null }, 'answered with null in place of a result'],
    ['a list as its result', { result: [] }, 'answered with a list in place of a result'],
    ['a text as its error', { error: 'no ink' }, 'no ink'],
    ['an error without a message', { error: { code: 5 } }, 'an object with the keys code'],
    ['an error whose code is none', { error: { code: 'E', message: 'no paper' } }, 'no paper'],
  ])('is answered for where the agent would wait: with %s', async (_, reply, why) => {
    const server = oddly(`print({ id, ...${JSON.stringify(reply)} });`);
    const { ask, call } = openSession(server);
    await ask('initialize', hello);
    const { error } = await ask('tools/call', { name: 'odd' });
    expect(error).toEqual({ code: expect.any(Number), message: expect.stringContaining(why) });
    expect(await call('fine')).toBe('fine');
    await server.close();
  });

  it('too late is dropped, and its answer is given to no other request', async () => {
    const server = oddly("print({ method: 'notifications/message', params: {} });");
    const { ask, call, next } = openSession(server);
    await ask('initialize', hello);
    const withdrawal = new AbortController();
    const answer = ask('tools/call', { name: 'odd' }, { signal: withdrawal.signal });
    await next();
    withdrawal.abort();
    expect(await answer).toHaveProperty('error.code', -32800);
    expect(await call('fine')).toBe('fine');
    await server.close();
  });
});

describe('A program that closes its output and continues', () => {
  it('counts as ended: it is ended, and the call is answered with the end of its error stream', async () => {
    const server = oddly("console.error('no paper'); require('node:fs').closeSync(1); setInterval(() => {}, 1000);");
    const { ask, call, notices } = openSession(server);
    await ask('initialize', hello);
    await expect(call('odd')).rejects.toThrow('it closed its output');
    expect(notices).toEqual([expect.stringContaining('no paper')]);
    await server.close();
  });
});

describe('A message by HTTP that is longer than any may be', () => {
  /** As much as is asked for of one chunk, again and again. */
  const endless = (): ReadableStream<Uint8Array> => {
    const chunk = new Uint8Array(4 * 1024 * 1024).fill(120);
    return new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
  };

  it('is cut off, and reported in the stream', async () => {
    const ends: unknown[] = [];
    const stream = watchEvents(endless(), { onEnd: (end) => (ends.push(end), { event: { over: true } }) });
    let length = 0;
    let last: Uint8Array = new Uint8Array();
    for await (const chunk of stream) [length, last] = [length + chunk.length, chunk];
    expect(new TextDecoder().decode(last)).toBe('\n\ndata: {"over":true}\n\n');
    expect(length).toBeLessThan(maxMessageBytes + 8 * 1024 * 1024);
    expect(ends).toMatchObject([
      { isResumable: false, error: { message: expect.stringContaining('268435456 bytes') } },
    ]);
  });

  it('is cut off in a body without events', async () => {
    const read = async (): Promise<void> => {
      for await (const chunk of limited(endless())) expect(chunk.length).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toThrow('268435456 bytes');
  });
});

describe('A request that JSON cannot carry', () => {
  it('is answered with the reason, and the next one is understood', async () => {
    const server = oddly('');
    const { ask, call } = openSession(server);
    await ask('initialize', hello);
    const circle: Record<string, unknown> = {};
    circle['circle'] = circle;
    for (const argument of [1n, circle])
      expect(await ask('tools/call', { name: 'fine', arguments: { argument } })).toMatchObject({
        error: {
          code: -32000,
          message: expect.stringMatching(
            /^The MCP server odd was not sent `tools\/call`, which JSON cannot carry: .*(?:BigInt|circular)/s,
          ),
        },
      });
    expect(await call('fine')).toBe('fine');
    await server.close();
  });
});
