import { dictionary, given, record, text } from '@hexagent/checks';
import { parse } from './read-json.ts';

/** What comes before a stream. It is a header, so that the bytes of the stream are those of the body. */
export interface StreamHead {
  readonly value?: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export const headName = 'hexagent-stream';
const longest = 8192;

/** @throws {TypeError} for a head that the other side would refuse. */
export function writeHead(head: StreamHead): string {
  return Buffer.from(JSON.stringify(check(head, 'stream'))).toString('base64url');
}

/** @throws {TypeError} for anything but a head. */
export function readHead(header: string): StreamHead {
  if (header.length > longest) throw new TypeError('The head of the stream is too long.');
  return check(parse(Buffer.from(header, 'base64url')), 'stream');
}

/** Those that say how a stream is read: others, such as cookies, would be sent to the browser as headers of the gateway. */
const allowed = /^(?:content-type|cache-control|connection|x-[a-z0-9-]{1,60})$/;
const headerText = text('a header', /^[\t\x20-\x7e]{0,1000}$/);

const check = record<StreamHead>(
  {
    value: given(),
    headers: dictionary(headerText, (name) => {
      if (!allowed.test(name))
        throw new TypeError(`A stream must not have the header ${JSON.stringify(name.slice(0, 60))}.`);
    }),
  },
  { required: ['headers'] },
);
