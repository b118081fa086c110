import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plainLaunch } from '@hexagent/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { inspectTapes } from '../src/index.ts';
import { serveInspector, type InspectorServer } from '../src/inspector-server.ts';
import { LiveTape } from '../src/live-tape.ts';
import { liveSource } from '../src/source.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hexagent-inspector-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const open: InspectorServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

function tape(name: string, lines: readonly string[]): string {
  const file = path.join(folder, name);
  writeFileSync(file, [`{"tape":1,"started":"2026-11-20T10:00:00.000Z"}`, ...lines, ''].join('\n'));
  return file;
}

interface Served {
  readonly port: string;
  readonly token: string;
}

async function toServed(server: Promise<InspectorServer>): Promise<Served> {
  const started = await server;
  open.push(started);
  const { port, hash } = new URL(started.url);
  return { port, token: hash.slice('#token='.length) };
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Not `fetch`, which names no host but its own. */
function ask(
  port: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: url, headers, method }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    request.on('error', reject);
  });
}

const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });

describe('The server of an inspector', () => {
  const file = tape('run.tape', ['{"t":1,"agent":1,"pause":true}', '{"t":2,"agent":1,"resume":true}']);

  it('listens on the loopback interface, and names a new token each time', async () => {
    const [first, second] = [await toServed(inspectTapes([file])), await toServed(inspectTapes([file]))];
    expect(first.token).toMatch(/^[\w-]{32}$/);
    expect(first.token).not.toBe(second.token);
    // Another address of this machine than 127.0.0.1, which all of them would reach.
    const refused = await new Promise((resolve) => {
      connect({ host: '127.0.0.2', port: Number(first.port) })
        .on('connect', () => resolve('connected'))
        .on('error', (error) => resolve(error));
    });
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('gives no run, and not even its name, without the token', async () => {
    const { port, token } = await toServed(inspectTapes([file]));
    for (const url of ['/runs', '/runs/0', '/runs/7', '/nothing'])
      for (const headers of [{}, bearer('x'), bearer(token.slice(1)), { cookie: `token=${token}` }])
        expect((await ask(port, url, headers)).status).toBe(401);
    expect((await ask(port, `/runs?token=${token}`)).status).toBe(401);
    expect(await ask(port, '/runs', bearer(token))).toMatchObject({
      status: 200,
      body: '[{"name":"run.tape","isLive":false}]',
    });
  });

  it.each([
    ['another host, as of a name that was pointed here', { host: 'evil.example' }],
    ['a host that begins like this one', { host: '127.0.0.1.evil.example' }],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['an image of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port, without an origin', { 'sec-fetch-site': 'same-site' }],
  ])('refuses a request from %s, with the right token', async (_, headers) => {
    const { port, token } = await toServed(inspectTapes([file]));
    for (const url of ['/', '/runs', '/runs/0'])
      expect((await ask(port, url, { ...bearer(token), ...headers })).status).toBe(403);
  });

  it('allows its own page, by either name and through a tunnel to another port', async () => {
    const { port, token } = await toServed(inspectTapes([file]));
    for (const host of [`127.0.0.1:${port}`, 'localhost:8080', '[::1]:9000'])
      expect((await ask(port, '/runs', { ...bearer(token), host, origin: `http://${host}` })).status).toBe(200);
  });

  it('sends a page that loads nothing from elsewhere, in no frame, and lets no other page read it', async () => {
    const { port } = await toServed(inspectTapes([file]));
    const { headers, body } = await ask(port, '/');
    expect(body).toContain('<div id="root">');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('serves the files of the page, and no other file', async () => {
    const { port } = await toServed(inspectTapes([file]));
    for (const [url, type] of [
      ['/page/main.js', 'text/javascript; charset=utf-8'],
      ['/page/style.css', 'text/css; charset=utf-8'],
      ['/page/icon.svg', 'image/svg+xml'],
    ] as const)
      expect(await ask(port, url)).toMatchObject({ status: 200, headers: { 'content-type': type } });
    for (const url of [
      '/page/../access.ts',
      '/page/..%2faccess.ts',
      '/access.ts',
      '/../package.json',
      '//etc/passwd',
      '/page/index.html',
      '/page/none.ts',
      '/page/none.js',
    ])
      expect([url, (await ask(port, url)).status]).toEqual([url, 401]);
  });

  it('changes nothing', async () => {
    const { port, token } = await toServed(inspectTapes([file]));
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await ask(port, '/runs', bearer(token), method)).status).toBe(405);
  });

  it('sends a tape as events, and continues after the lines that a page has', async () => {
    const { port, token } = await toServed(inspectTapes([file]));
    const all = await ask(port, '/runs/0', bearer(token));
    expect(all.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(all.body).toBe(
      'id: 3\ndata: {"tape":1,"started":"2026-11-20T10:00:00.000Z"}\ndata: {"t":1,"agent":1,"pause":true}\ndata: {"t":2,"agent":1,"resume":true}\n\nevent: end\ndata: \n\n',
    );
    const rest = await ask(port, '/runs/0', { ...bearer(token), 'last-event-id': '2' });
    expect(rest.body).toBe('id: 3\ndata: {"t":2,"agent":1,"resume":true}\n\nevent: end\ndata: \n\n');
  });

  it('sends the line in which a program was cut off, and characters that lie across two reads', async () => {
    const text = 'é'.repeat(700_001);
    const cut = tape('cut.tape', [JSON.stringify({ t: 1, agent: 1, inLine: text })]);
    writeFileSync(cut, '{"t":3,"agent":1,"in":{"type":"assis', { flag: 'a' });
    const { port, token } = await toServed(inspectTapes([cut]));
    const { body } = await ask(port, '/runs/0', bearer(token));
    expect(body).toContain(text);
    expect(body).toContain('data: {"t":3,"agent":1,"in":{"type":"assis\n\n');
  });

  it('names the file that is not a tape, or cannot be read, and the port that is used', async () => {
    const other = path.join(folder, 'other.tape');
    writeFileSync(other, '{"type":"user"}\n');
    await expect(inspectTapes([file, other])).rejects.toThrow(
      `${other} is not a tape: its first line has to be {"tape":1,…}. Record one`,
    );
    writeFileSync(other, '');
    await expect(inspectTapes([other])).rejects.toThrow(`${other} is not a tape`);
    writeFileSync(other, '{"tape":2,"started":"2026-11-20T10:00:00.000Z"}\n');
    await expect(inspectTapes([other])).rejects.toThrow(
      'a tape of version 2, and this package reads version 1. Update it',
    );
    await expect(inspectTapes([folder])).rejects.toThrow(`${folder} cannot be read: EISDIR`);
    await expect(inspectTapes([path.join(folder, 'none.tape')])).rejects.toThrow('none.tape cannot be read: ENOENT');
    const { port } = await toServed(inspectTapes([file]));
    await expect(inspectTapes([file], { port: Number(port) })).rejects.toThrow(
      `cannot use port ${port}: another program uses it`,
    );
  });
});

describe('The stream of a running program', () => {
  const launch = plainLaunch({ env: { GITHUB_TOKEN: 'a-secret-of-mine' } });
  const served = async (tape: LiveTape): Promise<Served> =>
    await toServed(serveInspector([liveSource('program', tape)], { keepsProcess: false }));

  it('sends what was reported before and after, as a tape, and continues where a page was', async () => {
    const tape = new LiveTape(100_000);
    const report = tape.sink(launch);
    report({ kind: 'in', lines: ['{"type":"one"}', '{"type":"two"}'] });
    const { port, token } = await served(tape);
    const first = await read(port, token, 'two');
    expect(first).toContain('event: program\ndata: ');
    expect(first).toMatch(/^id: 4\ndata: \{"tape":1,"started":"20[^\n]*\ndata: \{"t":0,"agent":1,[^\n]*"launch":/m);
    const reading = read(port, token, 'three', '4');
    report({ kind: 'out', line: '{"type":"three"}' });
    expect(await reading).toMatch(/id: 5\ndata: \{"t":[\d.]+,"agent":1,"out":\{"type":"three"\}\}\n\n/);
  });

  it('has the times of what was reported, and not of when it is read', () => {
    let now = 5;
    const tape = new LiveTape(100_000, () => now);
    const report = tape.sink(launch);
    now = 25;
    report({ kind: 'pause' });
    now = 1000;
    const { text } = tape.after(0);
    expect(text).toContain(`"started":"${new Date(performance.timeOrigin + 5).toISOString()}"`);
    expect(text).toContain('{"t":20,"agent":1,"pause":true}\n');
  });

  it('has no secret of the agent', () => {
    const tape = new LiveTape(100_000);
    tape.sink(launch)({ kind: 'in', lines: ['{"type":"user","text":"it is a-secret-of-mine"}', '{"token":"abc"}'] });
    const { text } = tape.after(0);
    expect(text).not.toMatch(/a-secret-of-mine|abc/);
    expect(text.match(/\[redacted\]/g)).toHaveLength(3);
  });

  it('keeps the header and the latest lines within its bound, and reports how many were given up', async () => {
    const tape = new LiveTape(2000);
    const report = tape.sink(launch);
    for (let number = 0; number < 100; number += 1) report({ kind: 'out', line: `{"number":${number}}` });
    const { text, next, dropped } = tape.after(0);
    expect(text.length).toBeLessThan(2200);
    expect(text).toMatch(/^\{"tape":1,/);
    expect([next, text.split('\n').length - 2 + dropped]).toEqual([102, 101]);
    expect(text).toMatch(/"out":\{"number":99\}\}\n$/);
    const { port, token } = await served(tape);
    expect(await read(port, token, 'number', '2')).toContain(`event: dropped\ndata: ${dropped - 1}\n\n`);
  });
});

/** Reads until the text has arrived, and leaves. */
function read(port: string, token: string, until: string, after = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { ...bearer(token), 'last-event-id': after };
    const request = get({ host: '127.0.0.1', port, path: '/runs/0', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (!text.includes(until)) return;
        response.destroy();
        resolve(text);
      });
    });
    request.on('error', reject);
  });
}
