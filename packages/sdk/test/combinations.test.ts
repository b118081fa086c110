import { describe, expect, it } from 'vitest';
import { ask, openSession } from '@hexagent/sdk';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { refusalOf } from './refusals.ts';

const id = '6f1c0d5e-0000-4000-8000-000000000001';

const greet = { name: 'greet', description: 'How to greet', content: 'Say Moin.' };
const store = { append: async () => {}, load: async () => null };

describe('Options that exclude each other', () => {
  it.each([
    [{ fork: true }, /^`fork` needs a session to copy. Pass its id as `resume`/],
    [{ fork: true, continue: false }, /^`fork` needs/],
    [{ interruptedTurn: 'continue' }, /^`interruptedTurn` needs a session to go on with/],
    [{ resume: id, continue: true }, /^`resume` cannot be combined with `continue`.*Leave one out/],
    [{ resume: id, fork: true, continue: true }, /^`resume` cannot be combined with `continue`/],
    [{ resume: id, sessionId: id }, /^`sessionId` cannot be combined with `resume` or `continue`.*Add `fork: true`/],
    [{ continue: true, sessionId: id }, /^`sessionId` cannot be combined/],
    [{ store, persist: false }, /^`store` cannot be combined with `persist: false`/],
    [{ store, continue: true }, /^`continue` needs a `store` with listSessions/],
    [{ permissions: { expiresAfterMs: 1000 } }, /^`permissions.expiresAfterMs` needs `onAsk`/],
    [{ skills: [greet], commands: [greet] }, /^The list of `skills` and `commands` has the name "greet" twice/],
    [{ plugins: [{ name: 'a' }, { name: 'a' }] }, /^`plugins` has the name "a" twice/],
    [{ plugins: [{ name: 'a', skills: [greet], commands: [greet] }] }, /^`plugins\[0\]` has the name "greet" twice/],
    [{ plugins: [{ name: 'hexagent' }] }, /^`plugins\[0\].name` is "hexagent".*Choose another name/],
    [{ dialogKinds: ['survey'] }, /^`dialogKinds` needs `onAsk`/],
  ])('are refused with the remedy: %o', (options, message) => {
    expect(refusalOf(options)).toMatch(message);
  });

  it.each([undefined, 7, '', 'A', 'a b', '../a', 'a:b', 'x'.repeat(65)])(
    'are refused, and so is a plugin called %j',
    (name) => {
      expect(refusalOf({ plugins: [{ name }] })).toMatch(/^`plugins\[0\].name` must be a name of small letters/);
    },
  );

  it('are refused at the call, before anything is started', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    await expect(openSession({ transport, fork: true })).rejects.toThrow(TypeError);
    expect(() => ask('Hello', { transport, fork: true })).toThrow(TypeError);
    expect(() => ask('Hello', { transport, store })).toThrow('`store` is an option of openSession()');
    expect(agent.launch).toBeUndefined();
  });

  it.each([
    { resume: id, fork: true },
    { resume: id, interruptedTurn: 'continue' },
    { interruptedTurn: 'leave' },
    { continue: true, fork: true },
    { resume: id, fork: true, sessionId: id },
    { resume: id, continue: false },
    { fork: false },
    {
      skills: [greet],
      plugins: [
        { name: 'a', skills: [greet] },
        { name: 'b', commands: [greet] },
      ],
    },
    { store, resume: id },
    { store: { ...store, listSessions: async () => [] }, continue: true },
    { permissions: { expiresAfterMs: 1000 }, onAsk: () => null, dialogKinds: ['survey'] },
  ])('do not include these: %o', (options) => {
    expect(refusalOf(options)).toBe('It was accepted.');
  });
});

describe('The fields of a message', () => {
  it.each([
    [{ type: 'user' }, '`input.fields.type` is set by the SDK. Leave it out: it is always "user".'],
    [{ message: {} }, '`input.fields.message` is set by the SDK. Pass its text as `content`.'],
    [{ uuid: id }, '`input.fields.uuid` is set by the SDK. Pass it beside `fields`.'],
    [{ priority: 'now' }, '`input.fields.priority` is set by the SDK. Pass it beside `fields`.'],
    [{ session_id: 5 }, '`input.fields.session_id` must be a string, not a number.'],
    [{ parent_tool_use_id: {} }, '`input.fields.parent_tool_use_id` must be a string, not an object.'],
    [
      { [Symbol('s')]: 1 },
      '`input.fields` must be an object whose keys are strings, not one with a symbol among them.',
    ],
  ])('that the SDK writes itself are refused: %o', async (fields, message) => {
    const { transport } = linkedTransport(scriptedAgent({ turns: () => 'Done.' }));
    await using session = await openSession({ transport });
    expect(() => session.send({ content: 'Hello', fields })).toThrow(new TypeError(message));
    expect(await session.send({ content: 'Hello', fields: { isSynthetic: true } }).result).toMatchObject({
      kind: 'completed',
    });
  });

  it('name no subtype of a request', async () => {
    const { transport } = linkedTransport(scriptedAgent());
    await using session = await openSession({ transport });
    await expect(session.requestUntyped('mcp_status', { subtype: 'interrupt' })).rejects.toThrow(
      new TypeError('`fields.subtype` is set by the SDK. Pass it as the first argument.'),
    );
  });
});
