import {
  createChat,
  createGateway,
  createSessionHost,
  createWorker,
  type ChatOptions,
  type GatewayOptions,
  type WorkerOptions,
} from '../src/index.ts';
import type { SessionOptions } from '@hexagent/sdk';
import { describe, expect, it } from 'vitest';

const ignored: readonly (readonly [option: string, session: object])[] = [
  ['session.onAsk', { onAsk: () => null }],
  ['session.dialogKinds', { dialogKinds: ['survey'] }],
  ['session.resume', { resume: 'an id' }],
  ['session.partialMessages', { partialMessages: false }],
];

describe('Options of createChat()', () => {
  it.each(ignored)('are refused where they would be ignored: %s', (option, session) => {
    expect(() => createChat({ folder: false, session })).toThrow(`\`${option}\` would be ignored: `);
  });

  it.each(ignored)('are refused where a function returns them: %s', async (option, session) => {
    const errors: unknown[] = [];
    await using chat = createChat({
      folder: false,
      session: () => session,
      hosting: { crashes: { maxCrashes: 1 } },
      onError: (error) => void errors.push(error),
    });
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] };
    const response = await chat.handle(
      new Request('http://localhost/api/chat', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: 'chat', message }),
      }),
    );
    await response.text();
    expect(String(errors[0])).toContain(`\`${option}\` would be ignored: `);
  });

  it.each([
    ['identify', 'x'],
    ['onError', 'x'],
    ['hosts', 'chat.example.com'],
  ])('are refused at once where they are not what they must be: %s', (option, value) => {
    const options: ChatOptions = { folder: false, [option]: value };
    expect(() => createChat(options)).toThrow(new RegExp(`^\`${option}\` must be a (function|list)`));
  });
});

const fleet = { postgres: 'postgres://127.0.0.1:1/chats', identity: { key: 'k'.repeat(32) } };
const worker = { ...fleet, address: 'https://127.0.0.1:0' };

describe('Options of a fleet', () => {
  it.each([
    [{ ...fleet, session: {} }, '`session` is an option of createWorker(), not of createGateway().'],
    [
      { ...fleet, postgres: undefined },
      '`postgres` must be the address of a database, or options of postgresStores(), not undefined.',
    ],
    [{ ...fleet, postgres: '' }, '`url` must be an address such as'],
    [{ ...fleet, identity: { key: 'short' } }, '`identity.key` must have at least 32 characters'],
    [{ ...fleet, ranges: ['10.0.0.1'] }, '`ranges` must have ranges such as "10.0.0.0/8"'],
    [{ ...fleet, place: 'x' }, '`place` must be a function'],
    [{ ...fleet, stores: {} }, '`stores` is not an option of createGateway(): what a fleet stores is in `postgres`.'],
  ])('are refused by a gateway at once (%#)', (options, message) => {
    expect(() => createGateway(options as GatewayOptions)).toThrow(message);
  });

  it.each([
    [{ ...worker, token: 'x'.repeat(20) }, '`token` is an option of createGateway(), not of createWorker().'],
    [{ ...worker, folder: 'x' }, '`folder` is not an option of createWorker(): what a fleet stores is in `postgres`.'],
    [{ ...worker, address: 'http://10.0.0.5:7070' }, '`address` must be https://IP:port with an IP within `ranges`'],
    [{ ...worker, session: { resume: 'an id' } }, '`session.resume` would be ignored: '],
    [worker, 'of the database chats at 127.0.0.1:1 could not be reached: connect ECONNREFUSED'],
  ])('are refused by a worker, which then listens no more (%#)', async (options, message) => {
    await expect(createWorker(options as WorkerOptions)).rejects.toThrow(message);
  });
});

describe('Options of createSessionHost()', () => {
  it('are refused where they would be ignored', () => {
    const session: SessionOptions = { interruptedTurn: 'continue' };
    expect(() => createSessionHost({ folder: false, session })).toThrow('`session.interruptedTurn` would be ignored: ');
  });
});
