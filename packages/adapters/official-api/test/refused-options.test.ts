import { describe, expect, it } from 'vitest';
import type { Options } from '../src/official.ts';
import { start } from './start.ts';

describe('An unsupported option of a query', () => {
  it('is ignored when it is unknown, as it always was', () => {
    expect(() => start('Hello', JSON.parse('{ "fromTheFuture": true }'))).not.toThrow();
  });

  it.each([
    ['permissions', { deny: ['Bash'] }, 'disallowedTools'],
    ['onAsk', () => null, 'canUseTool'],
  ])('is refused when it is one of the native face, since it would have no effect: %s', (name, value, instead) => {
    const options = { [name]: value };
    expect(() => start('Hello', options)).toThrow(`\`${name}\` is an option of openSession() and ask(). query() takes`);
    expect(() => start('Hello', options)).toThrow(instead);
    expect(() => start('Hello', { [name]: undefined })).not.toThrow();
  });
});

describe('An option that can never work', () => {
  it('is refused: dialogs without a handler', () => {
    expect(() => start('Hello', { supportedDialogKinds: ['survey'] })).toThrow(/onUserDialog/);
  });

  it.each<readonly [string, unknown]>([
    ...[null, false, '', 0, 'one', {}].map((value) => ['skills', value] as const),
    ...[false, '', 0, 'one', {}].map((value) => ['plugins', value] as const),
    ['systemPrompt.snapshot', 'yes'],
  ])('is refused as in the official package: %s: %j', (name, value) => {
    const options =
      name === 'systemPrompt.snapshot'
        ? { systemPrompt: { type: 'custom', prompt: 'p', snapshot: value } }
        : { [name]: value };
    expect(() => start('Hello', options as Options)).toThrow(`\`${name}\` must be`); // only untyped code can
  });

  it('is refused: hooks that are not a list of matchers', () => {
    expect(() => start('Hello', JSON.parse('{ "hooks": { "Stop": { "hooks": [] } } }'))).toThrow(/hooks\.Stop/);
  });
});

describe('A value that would count as not given', () => {
  const { signal } = new AbortController();
  it.each([
    ...[{}, signal, { signal: {} }, 'abort', () => {}].map((value) => ['abortController', value] as const),
    ...[new Map([['a', { command: 'a' }]]), [{ command: 'a' }], 'a', 5].map((value) => ['mcpServers', value] as const),
    ...[new Map([['PreToolUse', []]]), new Set()].map((value) => ['hooks', value] as const),
  ])('is refused, because it was passed to restrict the agent: %s: %o', (option, value) => {
    const untyped = { [option]: value } as Options;
    expect(() => start('Hello', untyped)).toThrow(TypeError);
    expect(() => start('Hello', untyped)).toThrow(`\`${option}\` must be`);
  });

  it.each([new Map([['tools', ['Read']]]), [{ tools: ['Read'] }], 'plan', 5, () => {}])(
    'is refused where it is the whole of the options: %o',
    (untyped) => {
      expect(() => start('Hello', untyped as Options)).toThrow('`options` must be a plain object');
    },
  );

  it('is accepted where it is null in place of all options', () => {
    expect(() => start('Hello', null as never)).not.toThrow(); // only untyped code can
  });
});
