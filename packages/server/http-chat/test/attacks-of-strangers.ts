import { chatBody } from './chat-double.ts';
import { type Attack, asked, deep, endless, hosted, open, silent, token } from './attack.ts';

/** A message to a chat that has a token, with this instead of it. */
const bearing = (authorization: string): Attack => ({
  ...asked,
  options: { token },
  headers: { authorization },
  refused: [401, 'UNAUTHENTICATED'],
});

/** Requests of callers who may not send any. */
export const ofStrangers: Readonly<Record<string, Attack>> = {
  'a caller whom a sign-in without types does not know': {
    ...asked,
    // @ts-expect-error: a program without types may return `null` for no caller
    options: { identify: () => null },
    refused: [401, 'UNAUTHENTICATED'],
  },
  'another machine, while only this one may': {
    ...asked,
    facts: { peer: '192.168.1.7' },
    refused: [403, 'PEER_REFUSED'],
  },
  'an address that only begins like this machine': {
    ...asked,
    facts: { peer: '127.0.0.1.evil' },
    refused: [403, 'PEER_REFUSED'],
  },
  'another machine by IPv6': { ...asked, facts: { peer: '::ffff:10.0.0.1' }, refused: [403, 'PEER_REFUSED'] },
  'a name that was bound anew to this machine': {
    ...asked,
    headers: { host: 'evil.example' },
    refused: [403, 'HOST_REFUSED'],
  },
  'a name that ends like an allowed one': {
    ...asked,
    options: open,
    headers: { ...hosted, host: 'evilchat.example.com' },
    refused: [403, 'HOST_REFUSED'],
  },
  'a name that begins like this machine': {
    ...asked,
    headers: { host: '127.0.0.1.evil.example' },
    refused: [403, 'HOST_REFUSED'],
  },
  'a host with a user': { ...asked, headers: { host: 'localhost@evil.example' }, refused: [403, 'HOST_REFUSED'] },
  'a malformed host': { ...asked, headers: { host: 'local host' }, refused: [403, 'HOST_REFUSED'] },
  'another port of an allowed host': {
    ...asked,
    options: { ...open, hosts: ['chat.example.com:8443'] },
    headers: { ...hosted, host: 'chat.example.com:1' },
    refused: [403, 'HOST_REFUSED'],
  },
  'a page of another site': { ...asked, headers: { origin: 'https://evil.example' }, refused: [403, 'ORIGIN_REFUSED'] },
  'a page of another port of this machine': {
    ...asked,
    headers: { origin: 'http://localhost:9999' },
    refused: [403, 'ORIGIN_REFUSED'],
  },
  'a page without an origin of its own': { ...asked, headers: { origin: 'null' }, refused: [403, 'ORIGIN_REFUSED'] },
  'a page of a file': { ...asked, headers: { origin: 'file://' }, refused: [403, 'ORIGIN_REFUSED'] },
  'an extension of a browser': {
    ...asked,
    headers: { origin: 'chrome-extension://localhost:3000' },
    refused: [403, 'ORIGIN_REFUSED'],
  },
  'an origin that begins like an allowed one': {
    ...asked,
    options: { origins: ['https://app.example'] },
    headers: { origin: 'https://app.example.evil' },
    refused: [403, 'ORIGIN_REFUSED'],
  },
  'a picture of another site': {
    path: '/api/chat/chat1/stream',
    headers: { 'sec-fetch-site': 'cross-site' },
    refused: [403, 'ORIGIN_REFUSED'],
  },
  'a question before a call of another site': {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example' },
    refused: [403, 'ORIGIN_REFUSED'],
  },
  'no token': { ...asked, options: { token }, refused: [401, 'UNAUTHENTICATED'] },
  'a wrong token': bearing(`Bearer ${token}x`),
  'the beginning of the token': bearing(`Bearer ${token.slice(0, -1)}`),
  'the token under another scheme': bearing(`Basic ${token}`),
  'the token in the address': {
    ...asked,
    path: `/api/chat?token=${token}`,
    options: { token },
    refused: [401, 'UNAUTHENTICATED'],
  },
  'an empty token': bearing('Bearer '),
  'a caller whom the program does not identify': {
    ...asked,
    options: { identify: () => undefined },
    refused: [401, 'UNAUTHENTICATED'],
  },
};

/** Bodies that cannot be read. */
export const unreadable: Readonly<Record<string, Attack>> = {
  'a form of another site': {
    ...asked,
    headers: { 'content-type': 'text/plain' },
    refused: [415, 'WRONG_CONTENT_TYPE'],
  },
  'a form with files': {
    ...asked,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    refused: [415, 'WRONG_CONTENT_TYPE'],
  },
  'a compressed body': { ...asked, headers: { 'content-encoding': 'gzip' }, refused: [415, 'WRONG_CONTENT_TYPE'] },
  'a body whose length is announced as too long': {
    ...asked,
    headers: { 'content-length': '99999999999' },
    refused: [413, 'BODY_TOO_LARGE'],
  },
  'a body without an end': { ...asked, body: endless(), refused: [413, 'BODY_TOO_LARGE'] },
  'a body that never comes': {
    ...asked,
    body: silent(),
    options: { limits: { bodyMs: 1 } },
    refused: [408, 'BODY_SLOW'],
  },
  'no JSON': { ...asked, body: '{"id":', refused: [400, 'BAD_REQUEST'] },
  'bytes that are not text': { ...asked, body: new Uint8Array([123, 34, 255, 254]), refused: [400, 'BAD_REQUEST'] },
  'JSON that is not an object': { ...asked, body: '[1]', refused: [400, 'BAD_REQUEST'] },
  'a very deep body': { ...asked, body: deep, refused: [400, 'BAD_REQUEST'] },
  'a very deep message': { ...asked, body: `{"id":"chat1","message":${deep}}`, refused: [400, 'BAD_REQUEST'] },
  'a member that would be the prototype': {
    ...asked,
    body: '{"id":"chat1","__proto__":{"messages":[]}}',
    refused: [400, 'FIELD_NOT_ACCEPTED'],
  },
  'a message in the prototype': {
    ...asked,
    body: '{"id":"chat1","constructor":{}}',
    refused: [400, 'FIELD_NOT_ACCEPTED'],
  },
  ...Object.fromEntries(
    [
      'cwd',
      'argv',
      'args',
      'env',
      'environment',
      'executable',
      'settings',
      'mcpServers',
      'tools',
      'allowedTools',
      'system',
      'resume',
      'sessionId',
      'additionalDirectories',
      'hooks',
      'permissions',
      'tenant',
      'caller',
    ].map((name): [string, Attack] => [
      `a \`${name}\` in the body`,
      { ...asked, body: chatBody('hi', { [name]: 'x' }), refused: [400, 'FIELD_NOT_ACCEPTED'] },
    ]),
  ),
};
