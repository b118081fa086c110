import { isRecord, kindOf } from '@hexagent/checks';
import type { CallToolResult } from './tool.ts';

/** Makes the results that most tools return. */
export interface ToolResults {
  /**
   * A text that the model reads.
   * @throws {TypeError} for anything but a string.
   */
  text(text: string): CallToolResult;
  /**
   * An image that the model sees, as bytes or in base64.
   * @throws {TypeError} for other data, and for what is not a type of an image.
   */
  image(data: Uint8Array | string, mimeType: string): CallToolResult;
  /**
   * A failure, with the reason that the model reads: a text, or an error whose message it is.
   * @throws {TypeError} for anything else.
   */
  error(reason: unknown): CallToolResult;
}

/**
 * Makes the results that most tools return.
 * @example
 * const now = tool('now', 'The time', {}, () => toolResult.text(new Date().toISOString()));
 */
export const toolResult: ToolResults = {
  text: (text) => ({ content: [{ type: 'text', text: checkedText(text, 'The text of a result') }] }),
  image(data, mimeType) {
    if (typeof mimeType !== 'string' || !/^image\/./.test(mimeType))
      throw new TypeError('The type of an image must be one such as image/png.');
    return { content: [{ type: 'image', data: base64(data), mimeType }] };
  },
  error(reason) {
    const text = isRecord(reason) && typeof reason['message'] === 'string' ? reason['message'] : reason;
    return { content: [{ type: 'text', text: checkedText(text, 'The reason of a failure') }], isError: true };
  },
};

function checkedText(value: unknown, what: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${what} must be a string, not ${kindOf(value)}.`);
}

function base64(data: unknown): string {
  if (data instanceof Uint8Array) return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  if (typeof data === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(data)) return data;
  throw new TypeError(
    `The data of an image must be bytes (a Uint8Array) or base64, not ${typeof data === 'string' ? 'another string' : kindOf(data)}.`,
  );
}
