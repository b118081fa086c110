import type { ServerResponse } from 'node:http';
import { HandClock } from '@hexagent/testing';
import { describe, expect, it, vi } from 'vitest';
import { hello, openSession } from './dialling.ts';
import { bodyOf, events, json, rawHandler, reach, startWeb, textResult } from './web.ts';

vi.setConfig({ testTimeout: 60_000 }); // a bound for a busy machine, never waited for

type Answer = Parameters<typeof rawHandler>[0];

const eventOf = (message: object): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
const stream = (response: ServerResponse, ...parts: string[]): void => {
  const { send } = events(response);
  for (const part of parts) send(part);
};

/** Answers the first call oddly and all others as they should be. */
async function afterwards(first: Answer): Promise<{ odd: unknown; next: unknown }> {
  let calls = 0;
  const handler = rawHandler((call, response, request) => {
    calls += 1;
    return calls === 1 ? first(call, response, request) : json(response, textResult(call['id'], 'fine'));
  });
  await using reached = await reach(handler, { headers: { authorization: 'Bearer made-up-token' } });
  const { ask, call } = openSession(reached.server);
  await ask('initialize', hello);
  const odd = await ask('tools/call', { name: 'x' });
  return { odd, next: await call('x').catch((error: Error) => error.message) };
}

describe('A server that answers oddly by HTTP', () => {
  it.each<[string, Answer, string]>([
    [
      'closes in the middle of a JSON body',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
        response.write('{"jsonrpc":');
        setImmediate(() => response.destroy());
      },
      'cannot be reached',
    ],
    [
      'closes in the middle of an event',
      (_, response) => {
        stream(response, 'data: {"jsonrpc":"2.0",');
        setImmediate(() => response.destroy());
      },
      'did not answer: ',
    ],
    [
      'ends its stream without an answer',
      (_, response) => (stream(response, ': nothing\n\n'), response.end()),
      'closed the connection before it answered.',
    ],
    [
      'sends garbage events',
      (_, response) => (
        stream(response, 'data: {oops\n\n', 'nonsense\n\n', 'data: 5\n\n', 'data: [1]\n\n', '\0\n\n'),
        response.end()
      ),
      'closed the connection before it answered.',
    ],
    [
      'answers with half of a message',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'),
      'does not answer as an MCP server: its response is no message of JSON-RPC.',
    ],
    [
      'answers with an error that belongs to no request',
      (_, response) => json(response, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no id' } }),
      'does not answer as an MCP server: its response is no message of JSON-RPC.',
    ],
    [
      'answers under another id',
      ({ id }, response) => json(response, textResult(Number(id) + 1000, 'x')),
      'its response holds no answer',
    ],
    [
      'answers under a list that looks like the id',
      ({ id }, response) => json(response, { ...textResult(id, 'x'), id: [id] }),
      'MCP server notes',
    ],
    [
      'answers under another id in a stream',
      ({ id }, response) => (stream(response, eventOf(textResult(Number(id) + 1000, 'x'))), response.end()),
      'closed the connection before it answered.',
    ],
    [
      'sends HTML',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>'),
      'does not answer as an MCP server: Unexpected content type: text/html',
    ],
    ['sends a JSON body that is no message', (_, response) => json(response, { hello: 'world' }), 'MCP server notes'],
    [
      'accepts the call and sends nothing',
      (_, response) => response.writeHead(202).end(),
      'its response holds no answer',
    ],
    [
      'sends no body',
      (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
      'closed the connection before it answered.',
    ],
    [
      'fails',
      (_, response) => response.writeHead(500).end('<html>\n<h1>Out of ink</h1>'),
      'answered HTTP 500: <html> <h1>Out of ink</h1>',
    ],
    [
      'fails with a page of 20 MB',
      (_, response) => response.writeHead(502).end('x'.repeat(20_000_000)),
      'answered HTTP 502: xxx',
    ],
    [
      'fails with a page that does not end',
      (_, response) => response.writeHead(503).write('busy'),
      'answered HTTP 503: busy',
    ],
    [
      'fails and repeats the secret it was given',
      (_, response, request) => response.writeHead(403).end(`No: ${request.headers.authorization}`),
      'answered HTTP 403: No: [redacted]',
    ],
  ])('is reported to the agent, and further requests are answered: %s', async (_, first, message) => {
    const { odd, next } = await afterwards(first);
    expect(odd).toMatchObject({ error: { code: -32000, message: expect.stringContaining(message) } });
    expect(JSON.stringify(odd).length).toBeLessThan(600);
    expect(JSON.stringify(odd)).not.toContain('made-up');
    expect(next).toBe('fine');
  });

  it('is read once: a second answer is dropped', async () => {
    const { odd, next } = await afterwards(({ id }, response) => {
      stream(response, eventOf(textResult(id, 'one')), eventOf(textResult(id, 'two')));
      response.end();
    });
    expect(odd).toHaveProperty('result.content.0.text', 'one');
    expect(next).toBe('fine');
  });

  it('is read although its stream stays open, and the stream is left', async () => {
    await using reached = await reach(
      rawHandler(({ id }, response) => stream(response, eventOf(textResult(id, 'one')))),
    );
    expect(await openSession(reached.server).call('x')).toBe('one');
    await expect.poll(() => reached.web.open(), { timeout: 20_000 }).toBe(0);
  });

  it('is left at once with a call that is cancelled, although it continues', async () => {
    const began = Promise.withResolvers<void>();
    const handler = rawHandler((_, response) => (stream(response, ': working\n\n'), began.resolve()));
    await using reached = await reach(handler);
    const withdrawal = new AbortController();
    const answer = openSession(reached.server).ask('tools/call', { name: 'x' }, { signal: withdrawal.signal });
    await began.promise;
    withdrawal.abort();
    expect(await answer).toHaveProperty('error.code', -32800);
    await expect.poll(() => reached.web.open(), { timeout: 20_000 }).toBe(0);
  });

  it('is asked on where its stream broke, when its events have ids', async () => {
    const lastIds: unknown[] = [];
    let id: unknown;
    const handler = rawHandler(
      (call, response) => {
        id = call['id'];
        stream(response, 'id: e1\nretry: 1\ndata: \n\n');
        response.end();
      },
      (request, response) => {
        if (request.headers['last-event-id'] === undefined) return response.writeHead(405).end();
        lastIds.push(request.headers['last-event-id']);
        stream(
          response,
          `id: e${lastIds.length + 1}\n${lastIds.length < 3 ? 'data: \n\n' : eventOf(textResult(id, 'late'))}`,
        );
        return response.end();
      },
    );
    await using reached = await reach(handler);
    expect(await openSession(reached.server).call('x')).toBe('late');
    expect(lastIds).toEqual(['e1', 'e2', 'e3']);
  });

  it('is given up when its stream cannot be continued', async () => {
    const handler = rawHandler(
      (_, response) => (stream(response, 'id: e1\nretry: 1\ndata: \n\n'), response.end()),
      (_, response) => response.writeHead(500).end(),
    );
    await using reached = await reach(handler);
    const answer = await openSession(reached.server).ask('tools/call', { name: 'x' });
    expect(answer).toHaveProperty(
      'error.message',
      'The MCP server notes did not answer: its stream could not be continued (HTTP 500).',
    );
  });

  it('is not asked again and again for a stream that it ends at once', async () => {
    const streams: number[] = [];
    const handler = rawHandler(
      ({ id }, response) => json(response, textResult(id, 'fine')),
      (_, response) => (streams.push(performance.now()), stream(response, 'retry: 0\ndata: \n\n'), response.end()),
    );
    await using reached = await reach(handler);
    const { call } = openSession(reached.server);
    await call('x');
    await expect.poll(() => streams.length, { timeout: 20_000 }).toBeGreaterThan(2);
    const [first = 0, , third = 0] = streams;
    expect(third - first).toBeGreaterThan(250);
  });
});

describe('A server that sends its client elsewhere', () => {
  it.each([301, 302, 303, 307, 308])('gets no secrets to another origin: HTTP %i', async (status) => {
    await using elsewhere = await startWeb((_, response) => response.writeHead(200).end());
    const location = elsewhere.url;
    const handler = rawHandler((_, response) => response.writeHead(status, { location: `${location}?a=b` }).end());
    await using reached = await reach(handler, { headers: { 'x-key': 'made-up-key' } });
    const answer = await openSession(reached.server).ask('tools/call', { name: 'x' });
    expect(answer).toHaveProperty(
      'error.message',
      `The MCP server notes answered HTTP ${status}: Redirect to ${location} not followed (redirectPolicy: 'same-origin')`,
    );
    expect(elsewhere.requests).toEqual([]);
  });

  it('is followed within its origin', async () => {
    const handler = rawHandler(({ id }, response) => json(response, textResult(id, 'moved')));
    await using reached = await reach(
      (request, response) =>
        request.url === '/mcp' ? response.writeHead(307, { location: '/new' }).end() : handler(request, response),
      { headers: { 'x-key': 'made-up-key' } },
    );
    expect(await openSession(reached.server).call('x')).toBe('moved');
    for (const { headers } of reached.web.requests) expect(headers['x-key']).toBe('made-up-key');
  });

  it.each(['http', 'sse'] as const)(
    'before it introduced itself gets no secrets to another origin: %s',
    async (type) => {
      await using elsewhere = await startWeb((_, response) => response.writeHead(200).end());
      await using reached = await reach((_, response) => response.writeHead(307, { location: elsewhere.url }).end(), {
        type,
        headers: { authorization: 'Bearer made-up-token' },
      });
      const answer = await openSession(reached.server).ask('initialize', hello);
      expect(answer).toHaveProperty(
        'error.message',
        expect.stringContaining(`Redirect to ${elsewhere.url} not followed`),
      );
      expect(elsewhere.requests).toEqual([]);
    },
  );

  it('by an endpoint of another origin, in the older way, is not believed', async () => {
    await using elsewhere = await startWeb((_, response) => response.writeHead(202).end());
    await using reached = await reach(
      (_, response) => stream(response, `event: endpoint\ndata: ${elsewhere.url}\n\n`),
      { type: 'sse', headers: { 'x-key': 'made-up-key' } },
    );
    expect(await openSession(reached.server).ask('initialize', hello)).toHaveProperty('error.code', -32000);
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('A server that does not take its leave', () => {
  it('is left all the same', async () => {
    const handler = rawHandler(({ id }, response) => json(response, textResult(id, 'fine')));
    await using reached = await reach((request, response) =>
      request.method === 'DELETE' ? undefined : handler(request, response),
    );
    const { call, session } = openSession(reached.server);
    await call('x');
    await session.close();
    await expect.poll(() => reached.web.open(), { timeout: 20_000 }).toBe(0);
    expect(reached.web.requests.at(-1)).toMatchObject({ method: 'DELETE' });
  });
});

describe('A server of the older way', () => {
  it('that never names the address of its requests is given up', async () => {
    const clock = new HandClock();
    const began = Promise.withResolvers<void>();
    await using reached = await reach((_, response) => (stream(response, ': hello\n\n'), began.resolve()), {
      type: 'sse',
      clock,
      connectTimeoutMs: 5000,
    });
    const answer = openSession(reached.server).ask('initialize', hello);
    await began.promise;
    clock.advance(5000);
    expect(await answer).toHaveProperty(
      'error.message',
      'The MCP server notes did not introduce itself within 5000 ms.',
    );
    await expect.poll(() => reached.web.open(), { timeout: 20_000 }).toBe(0);
  });

  it('whose stream ends answers what is under way with an error', async () => {
    let stop = (): void => {};
    await using reached = await reach(
      async (request, response) => {
        if (request.method === 'GET') {
          stop = (): void => void response.end();
          return stream(response, 'event: endpoint\ndata: /post\n\n');
        }
        await bodyOf(request);
        response.writeHead(202).end();
        return stop();
      },
      { type: 'sse' },
    );
    expect(await openSession(reached.server).ask('initialize', hello)).toHaveProperty(
      'error.message',
      'The MCP server notes closed the connection before it answered.',
    );
  });
});
