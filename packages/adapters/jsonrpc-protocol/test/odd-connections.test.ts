import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Connection, Exit } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import { microtasks } from '@hexagent/testing';
import { ManualClock } from '@hexagent/testing/contracts';
import { SteppedConnection } from './connection.ts';

const exit: Exit = { code: 0, signal: null, stderr: '', closed: true };

interface Opened {
  readonly channel: ReturnType<JsonRpcProtocol['open']>;
  readonly connection: SteppedConnection;
  readonly clock: ManualClock;
  readonly exits: Exit[];
  readonly broken: Error[];
}

/** A channel over a connection of which some members are replaced. */
function open(members: object): Opened {
  const connection = new SteppedConnection();
  const odd = Object.defineProperties(connection, Object.getOwnPropertyDescriptors(members));
  const clock = new ManualClock();
  const [exits, broken]: [Exit[], Error[]] = [[], []];
  const ids = { request: () => 'r', uuid: () => 'u' };
  const channel = new JsonRpcProtocol({ parser: wireParser, ids, clock }).open(odd, {
    conversation: 'c',
    initialize: {},
    host: {
      message: () => {},
      exited: (left) => exits.push(left),
      // Where a host looks at its channel, it must have one.
      broken: (error) => broken.push(error, new Error(String(channel.openRequests))),
    },
  });
  return { channel, connection, clock, exits, broken };
}

const fail = (): never => {
  throw new Error('Not today.');
};

describe('A malformed connection', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'The transport connected to undefined.'],
    ['null', null, 'The transport connected to null.'],
    ['without send()', { end: fail, close: fail, pause: fail, resume: fail }, 'has no `send()`'],
  ])('is refused by name: %s', (_, connection, words) => {
    const ids = { request: () => 'r', uuid: () => 'u' };
    const protocol = new JsonRpcProtocol({ parser: wireParser, ids, clock: new ManualClock() });
    const host = { message: () => {}, exited: () => {} };
    expect(() => protocol.open(connection as Connection, { conversation: 'c', initialize: {}, host })).toThrow(words);
  });
});

describe('A connection whose methods fail', () => {
  it.each<[string, object]>([
    ['close() throws', { close: fail }],
    ['close() rejects', { close: () => Promise.reject(new Error('Not today.')) }],
    ['close() returns nothing', { close: () => {} }],
    ['pause() and resume() throw', { pause: fail, resume: fail }],
    ['end() throws', { end: fail }],
  ])('is closed nevertheless, and reports its exit: %s', async (_, members) => {
    const { channel, connection, exits } = open(members);
    channel.pause();
    await channel.end();
    const closing = channel.close();
    connection.frames.end();
    connection.leaving.resolve(exit);
    await closing;
    expect(exits).toEqual([{ ...exit, unterminated: undefined }]);
  });

  it('fails what is sent with what send() throws', async () => {
    const { channel } = open({ send: fail });
    await expect(channel.send({ content: 'Hello', uuid: 'u' })).rejects.toThrow('Not today.');
    await expect(channel.request('mcp_status')).rejects.toThrow('Not today.');
  });
});

describe('A connection that reports a malformed exit', () => {
  it.each<[string, () => unknown, Partial<Exit>]>([
    ['a rejection', () => Promise.reject(new Error('lost')), { code: null, stderr: 'lost' }],
    ['nothing', () => Promise.resolve(), { code: null, stderr: 'The transport reported an exit without `stderr`.' }],
    ['no promise at all', () => ({ code: 3, signal: null, stderr: 'x', closed: false }), { code: 3, stderr: 'x' }],
  ])('has left in a way that can be reported: %s', async (_, odd, expected) => {
    const { connection, exits } = open({ exit: odd() });
    connection.frames.end();
    await microtasks();
    expect(exits).toMatchObject([expected]);
  });

  it('is closed a minute after its last line, and then counts as exited', async () => {
    const { connection, clock, exits } = open({ exit: new Promise(() => {}) });
    connection.frames.end();
    await microtasks();
    clock.pass(59_999);
    await microtasks();
    expect([exits, connection.log]).toEqual([[], [expect.any(String)]]);
    clock.pass(1);
    await microtasks();
    expect(connection.log.at(-1)).toBe('close');
    expect(exits).toMatchObject([{ code: null, stderr: expect.stringContaining('no exit within 60000 ms') }]);
  });

  it('does not keep anyone waiting who closes it', async () => {
    const { channel, clock, exits } = open({ exit: new Promise(() => {}), close: () => new Promise(() => {}) });
    const closing = channel.close();
    await microtasks();
    clock.pass(60_000);
    await microtasks();
    clock.pass(5_000);
    await closing;
    expect(exits).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });
});

describe('A connection that cannot be read', () => {
  it.each<[string, unknown]>([
    ['no frames', undefined],
    ['frames that throw', { [Symbol.asyncIterator]: fail }],
  ])('breaks after the host has its channel, and is closed: %s', async (_, frames) => {
    const { connection, broken } = open({ frames });
    expect(broken).toEqual([]);
    await microtasks();
    expect(broken).toHaveLength(2);
    expect(connection.log.at(-1)).toBe('close');
  });

  it('is at its end some time after the exit, although its frames do not end', async () => {
    const leaving = new Deferred<Exit>();
    const { clock, exits } = open({ exit: leaving.promise });
    leaving.resolve({ ...exit, code: 3 });
    await microtasks();
    expect(exits).toEqual([]);
    clock.pass(5_000);
    await microtasks();
    expect(exits).toMatchObject([{ code: 3 }]);
  });
});

describe('A connection that is silent', () => {
  it('keeps nothing in memory of what it has brought', async () => {
    const program = fileURLToPath(new URL('fixtures/silent-agents.ts', import.meta.url));
    const args = ['--expose-gc', '--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'] } });
    // A hundred agents, each of which has sent half a megabyte.
    expect(Number(stdout)).toBeLessThan(20);
  });
});
