import { notify } from '@hexagent/async';
import type {
  ChatApprovals,
  ChatCaller,
  ChatHistory,
  ChatSessions,
  ChatSettlement,
  ChatStream,
  CliPermissionMode,
} from '@hexagent/ports';
import { type ChatRequest, toChatRequest } from './chat-request.ts';
import { readFields } from './fields.ts';
import type { ChatLimits } from './limits.ts';
import { readJson } from './read-json.ts';
import { Readers, type ReaderPlace } from './readers.ts';
import { jsonResponse, Refusal, retryAfter } from './refusal.ts';
import { checkId } from './routes.ts';
import { toAnswer } from './to-answer.ts';

const longestTitle = 200;

interface Context {
  readonly request: Request;
  readonly caller: ChatCaller;
  readonly url: URL;
}

interface ActionOptions {
  readonly sessions: ChatSessions;
  readonly approvals: ChatApprovals;
  readonly history: ChatHistory;
  readonly models?: readonly string[];
  readonly permissionModes?: readonly CliPermissionMode[];
  readonly commands?: readonly string[];
  readonly limits: ChatLimits;
  readonly stopUnreadAfterMs?: number;
  readonly failed: (error: unknown, request: Request) => void;
}

/** Handles the requests of each address, after the checks of who may call. */
export class Actions {
  readonly #options: ActionOptions;
  readonly #permissionModes: readonly CliPermissionMode[];
  readonly #readers: Readers;

  constructor(options: ActionOptions) {
    this.#options = options;
    this.#permissionModes = options.permissionModes ?? [];
    this.#readers = new Readers({ unreadAfterMs: options.stopUnreadAfterMs });
  }

  async send(context: Context): Promise<Response> {
    const { request, caller } = context;
    const { limits, models = [], commands = [] } = this.#options;
    const choices = { models, commands, permissionModes: this.#permissionModes };
    const asked = toChatRequest(await readJson(request, limits), choices, limits);
    const { chatId, message, sendOptions } = asked;
    if (message === undefined) return await this.#passOnApprovals(asked, context);
    let isElsewhere = false;
    const response = await this.#streaming(chatId, context, async () => {
      const started = await this.#options.sessions.start(chatId, message, sendOptions, caller);
      if (started.kind === 'busy') throw new Refusal('CHAT_BUSY', 'Another turn of this chat runs.');
      if (started.kind === 'unknown') throw noSuchChat();
      if (started.kind === 'full')
        throw new Refusal('NO_ROOM', 'No more sessions fit.', retryAfter(started.retryAfterMs));
      isElsewhere = started.kind === 'elsewhere';
      return started.kind === 'elsewhere' ? undefined : started.stream;
    });
    if (isElsewhere) return acceptedElsewhere();
    if (response === undefined) throw new Refusal('ALREADY_SENT', 'This message has been sent before.');
    return response;
  }

  async resume(chatId: string, context: Context): Promise<Response> {
    const { url, request, caller } = context;
    // An `EventSource` that connects again sends the header.
    const after = url.searchParams.get('after') ?? request.headers.get('last-event-id') ?? undefined;
    const response = await this.#streaming(chatId, context, () =>
      this.#options.sessions.stream(chatId, caller, { after }),
    );
    return response ?? new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  }

  async interrupt(chatId: string, { caller }: Context): Promise<Response> {
    return jsonResponse({ interrupted: await this.#options.sessions.interrupt(chatId, caller) });
  }

  async restart(chatId: string, { caller }: Context): Promise<Response> {
    return jsonResponse({ restarted: await this.#options.sessions.restart(chatId, caller) });
  }

  async discard(chatId: string, { caller }: Context): Promise<Response> {
    return jsonResponse({ discarded: await this.#options.sessions.discard(chatId, caller) });
  }

  async settle(
    { chatId, approvalId }: { readonly chatId: string; readonly approvalId: string },
    { request, caller }: Context,
  ): Promise<Response> {
    const answer = toAnswer(await readJson(request, this.#options.limits), this.#permissionModes);
    accept(await this.#options.approvals.settle(chatId, approvalId, answer, caller));
    return jsonResponse({ settled: true });
  }

  async list({ caller, url }: Context): Promise<Response> {
    const page = { limit: this.#limitOf(url), offset: toCount(url, 'offset') ?? 0 };
    // One more than requested, which shows whether there are others.
    const found = await this.#options.sessions.list({ ...page, limit: page.limit + 1 }, caller);
    return jsonResponse({ sessions: found.slice(0, page.limit), hasMore: found.length > page.limit });
  }

  async messages(chatId: string, { caller, url }: Context): Promise<Response> {
    const before = url.searchParams.get('before');
    const page = { limit: this.#limitOf(url), before: before === null ? undefined : checkId(before, 'address') };
    const found = await this.#options.history.messages(chatId, page, caller);
    if (found === undefined) throw noSuchChat();
    return jsonResponse(found);
  }

  async rename(chatId: string, { request, caller }: Context): Promise<Response> {
    const { title } = readFields(await readJson(request, this.#options.limits), ['title'], 'The body');
    const text = typeof title === 'string' ? title.trim() : '';
    if (text === '' || text.length > longestTitle)
      throw new Refusal('BAD_REQUEST', `\`title\` must be a text of 1 to ${longestTitle} characters.`);
    if (!(await this.#options.sessions.rename(chatId, text, caller))) throw noSuchChat();
    return jsonResponse({ renamed: true });
  }

  async delete(chatId: string, { caller }: Context): Promise<Response> {
    if (!(await this.#options.sessions.delete(chatId, caller))) throw noSuchChat();
    return new Response(null, { status: 204 });
  }

  /** `useChat` can send answers as a message. They count as those of the address for answers do. */
  async #passOnApprovals({ chatId, approvals }: ChatRequest, context: Context): Promise<Response> {
    for (const { id, approved, reason } of approvals) {
      const settled = await this.#options.approvals.settle(chatId, id, { approved, reason }, context.caller);
      // Another page was first: this one reads in the stream what was answered.
      if (settled.kind !== 'already') accept(settled);
    }
    const response = await this.#streaming(chatId, context, () =>
      this.#options.sessions.stream(chatId, context.caller),
    );
    // The turn has ended meanwhile. `useChat` takes an empty stream for an answer without content, and no 204.
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
    return response ?? new Response('', { headers });
  }

  /** The stream that is opened as a response, if any. */
  async #streaming(
    chatId: string,
    context: Context,
    open: () => Promise<ChatStream | undefined>,
  ): Promise<Response | undefined> {
    const { name, tenant } = context.caller;
    const place = this.#readers.enter(JSON.stringify([tenant ?? null, name]), this.#options.limits);
    let stream: ChatStream | undefined;
    try {
      stream = await open();
    } finally {
      if (stream === undefined) place.leave();
    }
    return stream && this.#responseOf({ chatId, stream, place }, context);
  }

  #responseOf(
    { chatId, stream, place }: { readonly chatId: string; readonly stream: ChatStream; readonly place: ReaderPlace },
    { request, caller }: Context,
  ): Response {
    const { sessions, failed } = this.#options;
    const body = this.#readers.attach({
      place,
      key: JSON.stringify([caller.tenant ?? null, chatId]),
      stream,
      signal: request.signal,
      unread: () =>
        notify(
          () => sessions.interrupt(chatId, caller),
          (error) => failed(error, request),
        ),
    });
    return new Response(body, { headers: { ...stream.headers, 'x-content-type-options': 'nosniff' } });
  }

  #limitOf(url: URL): number {
    const { pageSize } = this.#options.limits;
    return Math.min(Math.max(toCount(url, 'limit') ?? pageSize, 1), pageSize);
  }
}

/** The answer cannot be read here: the history has it when it is complete. */
const acceptedElsewhere = (): Response =>
  jsonResponse(
    {
      accepted: true,
      message: 'The message is stored, and another process of this server runs it.',
      remedy: 'Read the messages of the chat in a moment: the answer is there when it is complete.',
    },
    { status: 202 },
  );

const noSuchChat = (): Refusal => new Refusal('CHAT_NOT_FOUND', 'There is no such chat.');

/** @throws {Refusal} for an answer that does not count. */
function accept(settled: ChatSettlement): void {
  if (settled.kind === 'unknown') throw new Refusal('APPROVAL_NOT_FOUND', 'There is no such approval in this chat.');
  if (settled.kind === 'already') throw new Refusal('ALREADY_SETTLED', `This approval is ${settled.state} already.`);
  if (settled.kind === 'refused') throw new Refusal('BAD_REQUEST', settled.reason);
}

function toCount(url: URL, name: string): number | undefined {
  const text = url.searchParams.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Refusal('BAD_REQUEST', `\`${name}\` must be a number, 0 or more.`);
  return Number(text);
}
