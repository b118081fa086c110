import { createChat, createSessionHost, type ChatOptions } from '../src/index.ts';
import type { SessionOptions } from '@hexagent/sdk';
import { describe, expect, it } from 'vitest';

const ignored: readonly (readonly [option: string, session: object])[] = [
  ['session.approver', { approver: () => null }],
  ['session.permissions.approver', { permissions: { approver: () => null } }],
  ['session.permissions.onQuestion', { permissions: { onQuestion: () => null } }],
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

describe('Options of createSessionHost()', () => {
  it('are refused where they would be ignored', () => {
    const session: SessionOptions = { interruptedTurn: 'continue' };
    expect(() => createSessionHost({ folder: false, session })).toThrow('`session.interruptedTurn` would be ignored: ');
  });
});
