/** Every code that a response can carry: its status, and what the caller can do about it. */
export const refusals = {
  BAD_REQUEST: [400, 'Send what the message asks for.'],
  BAD_ID: [400, 'Use letters, digits, "-", "_" and ":" for an id, at most 128 of them.'],
  FIELD_NOT_ACCEPTED: [400, 'Leave the field out: what a chat runs with is decided on the server.'],
  NOT_ALLOWED: [403, 'Ask for one of those that the server allows, or for none.'],
  COMMAND_NOT_ACCEPTED: [403, 'Put a space before the slash to send it as a text.'],
  EDIT_NOT_OFFERED: [400, 'Send a new message: the agent keeps its own history, and what it did stays done.'],
  UNAUTHENTICATED: [401, 'Sign in, or send what the message names.'],
  PEER_REFUSED: [403, 'Connect from the machine itself, or name in `hosts` what the server is called for others.'],
  HOST_REFUSED: [403, 'Use a name that the server allows in `hosts`.'],
  ORIGIN_REFUSED: [403, 'Open the page from an origin that the server allows in `origins`.'],
  NOT_FOUND: [404, 'Check the address.'],
  CHAT_NOT_FOUND: [404, 'List the chats that there are.'],
  APPROVAL_NOT_FOUND: [404, 'Read the stream of the chat again: it has the approvals that wait.'],
  METHOD_NOT_ALLOWED: [405, 'Use a method that the header `allow` names.'],
  CHAT_BUSY: [409, 'Wait until the turn has ended, stop it, or send the message with `steer`.'],
  CHAT_CRASHED: [
    409,
    'Let the person restart the chat or discard what it waits with; the log of the server has the reason.',
  ],
  CHAT_ELSEWHERE: [503, 'Try again in a moment, or send the requests of one chat to one process: another one has it.'],
  NO_WORKER: [503, 'Try again in a moment: another worker takes the chat over.'],
  ALREADY_SENT: [409, 'Read the messages of the chat: this one has been answered.'],
  ALREADY_SETTLED: [409, 'Nothing to do: the first answer counts.'],
  BODY_SLOW: [408, 'Send the request again on a faster connection.'],
  BODY_TOO_LARGE: [413, 'Send only the last message, in `message`. For files the server can raise `limits.bodyBytes`.'],
  MESSAGE_TOO_LARGE: [413, 'Shorten the message, or send fewer files.'],
  WRONG_CONTENT_TYPE: [415, 'Send JSON, as `content-type: application/json` and without a `content-encoding`.'],
  FILE_NOT_ACCEPTED: [415, 'Send images, PDF or text, as data: addresses with base64.'],
  TOO_MANY_STREAMS: [429, 'Close other pages of these chats, then try again.'],
  FAILED: [500, 'Read the log of the server.'],
  NO_ROOM: [503, 'Try again later.'],
  NO_STORE: [503, 'Try again in a moment: a message that is sent again with its id is run once.'],
  CLOSING: [503, 'Try again in a moment: a server that takes over has what was accepted.'],
} as const;

/** Why a request is refused. In the body of the response, at `error.code`. */
export type RefusalCode = keyof typeof refusals;

/** A request that is refused. Its message is sent to the caller, so it contains nothing of the server's internals. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

/** The header for a refusal after which trying again may succeed. */
export function retryAfter(ms = 5000): Readonly<Record<string, string>> {
  return { 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) };
}

export function refusalResponse({ code, message, headers }: Refusal): Response {
  const [status, remedy] = refusals[code];
  return jsonResponse({ error: { code, message, remedy } }, { status, headers });
}

export function jsonResponse(
  body: unknown,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}
