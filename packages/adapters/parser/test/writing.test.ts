import { describe, expect, it } from 'vitest';
import { SdkError, type OutboundFrame } from '@hexagent/ports';
import { wireParser } from '@hexagent/parser';

/** Writes a frame of an untyped program. */
const write = (frame: unknown): string => wireParser.stringify(frame as OutboundFrame);
const userMessage = (content: unknown): object => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
});
const response = (body: unknown): object => ({ type: 'control_response', response: body });

function refusalOf(frame: unknown): string {
  try {
    write(frame);
  } catch (error) {
    if (SdkError.is(error) && error.code === 'FRAME_INVALID') return error.message;
    throw error;
  }
  throw new Error('It was written.');
}

describe('A frame', () => {
  it('becomes one line, whatever its texts contain', () => {
    const text = 'one\ntwo\r\nthree\u2028four\u2029five\ud800six\0';
    const line = write(userMessage([{ type: 'text', text }]));
    expect(line).not.toMatch(/[\n\r\0]/);
    expect(line).toContain('\\ud800'); // UTF-8 cannot encode a lone surrogate
    expect(JSON.parse(line)).toEqual(userMessage([{ type: 'text', text }]));
  });

  const valid: readonly object[] = [
    userMessage('text'),
    userMessage(''),
    userMessage([]),
    userMessage([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }]),
    userMessage([{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'x' }] }]),
    userMessage([{ type: 'tool_result', tool_use_id: 't' }, { type: 'from_the_future' }]),
    { type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } },
    { type: 'control_cancel_request', request_id: 'r' },
    response({ subtype: 'success', request_id: 'r' }),
    response({ subtype: 'success', request_id: 'r', response: { any: [null] } }),
    response({ subtype: 'error', request_id: 'r', error: 'no' }),
  ];
  it.each(valid)('is written unchanged: %j', (frame) => {
    expect(write(frame)).toBe(JSON.stringify(frame));
  });
});

describe('A frame on which the agent would exit', () => {
  const fatal: readonly [string, unknown, RegExp][] = [
    [
      'a message of another role',
      { type: 'user', message: { role: 'assistant', content: 'x' } },
      /message\.role.*"assistant"/,
    ],
    ['no message', { type: 'user' }, /`message` is undefined/],
    ['a request of nothing', { type: 'control_request', request_id: 'r' }, /`request` is undefined/],
    ['a request of null', { type: 'control_request', request_id: 'r', request: null }, /`request` is null/],
    ['a request without a subtype', { type: 'control_request', request_id: 'r', request: {} }, /request\.subtype/],
    ['a request without an id', { type: 'control_request', request: { subtype: 'x' } }, /request_id/],
    ['no answer', response(null), /`response` is null/],
    ['an answer of an unknown kind', response({ subtype: 'maybe', request_id: 'r' }), /response\.subtype.*"maybe"/],
    [
      'an answer that is a list',
      response({ subtype: 'success', request_id: 'r', response: [] }),
      /response\.response.*a list/,
    ],
    ['an error without a message', response({ subtype: 'error', request_id: 'r' }), /response\.error/],
    ['a withdrawal of nothing', { type: 'control_cancel_request' }, /request_id/],
    ['a frame of a foreign type', { type: 'assistant' }, /"assistant"/],
  ];
  it.each(fatal)('is refused with the name of the field: %s', (_, frame, words) => {
    expect(refusalOf(frame)).toMatch(words);
  });
});

describe('A message that the agent would drop silently', () => {
  const lost: readonly [string, unknown, RegExp][] = [
    ['no content', undefined, /message\.content.*undefined/],
    ['a number', 5, /message\.content.*5/],
    ['null for a block', [null], /message\.content\[0\].*null/],
    ['a text for a block', [{ type: 'text', text: 'x' }, 'hi'], /message\.content\[1\].*"hi"/],
    ['a text block without text', [{ type: 'text' }], /message\.content\[0\]\.text.*undefined/],
    ['a block without a type', [{ text: 'x' }], /message\.content\[0\]\.type/],
    ['a tool result that is null inside', [{ type: 'tool_result', content: [null] }], /content\[0\]\.content\[0\]/],
  ];
  it.each(lost)('is refused with its path: %s', (_, content, words) => {
    expect(refusalOf(userMessage(content))).toMatch(words);
  });
});

describe('A value that JSON would lose', () => {
  it('is refused with its path: a BigInt', () => {
    expect(refusalOf({ type: 'control_request', request_id: 'r', request: { subtype: 'x', a: [{ b: 1n }] } })).toMatch(
      /`request\.a\[0\]\.b` is a BigInt/,
    );
  });

  it('is refused with its path: a cycle', () => {
    const input: Record<string, unknown> = { kept: {} };
    input['self'] = input;
    expect(refusalOf(response({ subtype: 'success', request_id: 'r', response: { input } }))).toMatch(
      /`response\.response\.input\.self` refers back/,
    );
  });

  it('is not confused with what is shared', () => {
    const shared = { x: 1 };
    expect(() =>
      write(response({ subtype: 'success', request_id: 'r', response: { a: shared, b: shared } })),
    ).not.toThrow();
  });

  it('is found in time where few objects have very many paths', () => {
    let node: Record<string, unknown> = { n: 1 };
    for (let depth = 0; depth < 60; depth += 1) node = { left: node, right: node };
    expect(refusalOf(response({ subtype: 'success', request_id: 'r', response: { node, bad: 1n } }))).toMatch(/BigInt/);
  });

  it('is refused at whatever depth', () => {
    let node: unknown = 1n;
    for (let depth = 0; depth < 20_000; depth += 1) node = { node };
    expect(refusalOf(response({ subtype: 'success', request_id: 'r', response: { node } }))).toMatch(
      /nested too deeply/,
    );
  });

  it('is refused when an object writes itself as something else', () => {
    const request = { subtype: 'x', toJSON: () => null };
    expect(refusalOf({ type: 'control_request', request_id: 'r', request })).toMatch(/`request` is null/);
  });

  it.each<[string, unknown, RegExp]>([
    ['a Map', new Map([['deny', ['Bash']]]), /`request\.settings` is a Map/],
    ['a function', { rules: () => [] }, /`request\.settings\.rules` is a function/],
    ['a promise', Promise.resolve({}), /`request\.settings` is a promise/],
  ])('is refused where it would be lost without an error: %s', (_, settings, words) => {
    const request = { subtype: 'apply_flag_settings', settings };
    expect(refusalOf({ type: 'control_request', request_id: 'r', request })).toMatch(words);
  });

  it('is read once, so that what was checked is what is written', () => {
    let reads = 0;
    const message = {
      get role() {
        reads += 1;
        return reads === 1 ? 'user' : 'assistant';
      },
      content: 'Hello',
    };
    expect(write({ type: 'user', message })).toContain('"role":"user"');
  });

  it('is the same where the caller guarantees JSON, and its form is checked all the same', () => {
    const answer = { behavior: 'allow', updatedInput: { command: 'ls' }, left: undefined };
    const frame = response({ subtype: 'success', request_id: 'r', response: answer }) as OutboundFrame;
    expect(wireParser.stringify(frame, { isJson: true })).toBe(wireParser.stringify(frame));
    const wrong = response({ subtype: 'success', request_id: 'r', response: 'allow' }) as OutboundFrame;
    expect(() => wireParser.stringify(wrong, { isJson: true })).toThrow('it must be an object');
  });

  it('is refused with the error of a getter that throws', () => {
    expect(refusalOf(response({ subtype: 'success', request_id: 'r', response: throwing() }))).toMatch(
      /Not to be read/,
    );
  });
});

function throwing(): object {
  return {
    get broken(): never {
      throw new Error('Not to be read.');
    },
  };
}
