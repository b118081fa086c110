import { describe, expect, it } from 'vitest';
import { JsonReply, type JsonRpcMessage } from '@hexagent/ports';

const result = { content: [] };
const reply: JsonRpcMessage = new JsonReply(1, result);

describe('A reply whose result is a copy', () => {
  it('is written like any other', () => {
    expect(JSON.stringify(new JsonReply(7, result))).toBe('{"jsonrpc":"2.0","id":7,"result":{"content":[]}}');
  });

  it('is known as one', () => {
    expect(JsonReply.is(new JsonReply('a', result))).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a copy of it', { ...reply }],
    ['one whose result was exchanged', Object.assign(new JsonReply(1, result), { result: { content: new Map() } })],
    ['what inherits from it', Object.create(reply)],
    ['another reply', { jsonrpc: '2.0', id: 1, result }],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'reply'],
  ])('is not mistaken for %s', (_, other) => {
    expect(JsonReply.is(other)).toBe(false);
  });
});
