import type { CallToolResult as OfficialResult } from '@modelcontextprotocol/sdk/types.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { toolResult, type CallToolResult } from '../src/index.ts';

const bytes = new Uint8Array([0, 1, 2, 3]).subarray(1);

describe('toolResult', () => {
  it('makes results in the form of MCP, so that a tool needs no import from the MCP SDK', () => {
    const results = {
      text: toolResult.text('Rain'),
      'empty text': toolResult.text(''),
      image: toolResult.image(bytes, 'image/png'),
      'image in base64': toolResult.image('AQID', 'image/png'),
      error: toolResult.error('no such city'),
      'error of an error': toolResult.error(new Error('no such city')),
    };
    for (const result of Object.values(results)) expect(CallToolResultSchema.parse(result)).toEqual(result);
    const image = { content: [{ type: 'image', data: 'AQID', mimeType: 'image/png' }] };
    const error = { content: [{ type: 'text', text: 'no such city' }], isError: true };
    expect(results).toEqual({
      text: { content: [{ type: 'text', text: 'Rain' }] },
      'empty text': { content: [{ type: 'text', text: '' }] },
      image,
      'image in base64': image,
      error,
      'error of an error': error,
    });
  });

  it.each<[string, () => unknown]>([
    ['The text of a result must be a string, not a number.', () => toolResult.text(5 as never)],
    ['The type of an image must be one such as image/png.', () => toolResult.image(bytes, 'png')],
    [
      'The data of an image must be bytes (a Uint8Array) or base64, not another string.',
      () => toolResult.image('?', 'image/png'),
    ],
    [
      'The data of an image must be bytes (a Uint8Array) or base64, not a list.',
      () => toolResult.image([1] as never, 'image/png'),
    ],
    ['The reason of a failure must be a string, not undefined.', () => toolResult.error(undefined)],
  ])('throws for an invalid result: %s', (message, make) => {
    expect(make).toThrow(new TypeError(message));
  });

  it('makes what the MCP SDK takes for a result', () => {
    const result: CallToolResult = { content: [] };
    expectTypeOf(result).toExtend<{ readonly content: readonly object[] }>();
    expectTypeOf<OfficialResult>().toExtend<CallToolResult>();
  });
});
