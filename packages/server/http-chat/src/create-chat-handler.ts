import { notify } from '@hexagent/async';
import type { ChatApprovals, ChatCaller, ChatHistory, ChatSessions, CliPermissionMode } from '@hexagent/ports';
import { callable, checkDelay, isRecord } from '@hexagent/checks';
import { SdkError } from '@hexagent/ports';
import { Access, type AccessOptions, type RequestFacts } from './access.ts';
import { Actions } from './actions.ts';
import { type ChatLimits, toLimits } from './limits.ts';
import { Refusal, refusalResponse, retryAfter } from './refusal.ts';
import { findRoute, type Route } from './routes.ts';

export interface ChatHandlerOptions extends AccessOptions {
  readonly sessions: ChatSessions;
  readonly approvals: ChatApprovals;
  readonly history: ChatHistory;
  /** The path before `/chat` and `/sessions`. Default `/api`, as in `useChat`. */
  readonly basePath?: string;
  /** The models that callers may ask for. Default: none. */
  readonly models?: readonly string[];
  /** The permission modes that callers may ask for. Default: none. */
  readonly permissionModes?: readonly CliPermissionMode[];
  /** The commands that a message may be, such as `compact` for `/compact`. Default: none, since `/model` would choose a model. */
  readonly commands?: readonly string[];
  readonly limits?: Partial<ChatLimits>;
  /**
   * Stops a turn that was not read for so long, since its last reader went away. Without it a turn continues, and a
   * reader that comes back finds it.
   */
  readonly stopUnreadAfterMs?: number;
  /** Receives the errors behind the handler. The response reports only that there was one. */
  readonly onError: (error: unknown, request: Request) => void;
}

/** Answers requests. It holds no connection and no conversation of its own. */
export interface ChatHandler {
  /** Never rejects, except with a `TypeError` for what is not a `Request`. Addresses that are not its own get 404. */
  handle(request: Request, facts?: RequestFacts): Promise<Response>;
}

/**
 * The handler of a chat page: `Request` in, `Response` out.
 * @throws {TypeError} for options that make no sense, and for those that would let others in without a sign-in.
 */
export function createChatHandler(options: ChatHandlerOptions): ChatHandler {
  const { basePath = '/api', stopUnreadAfterMs, onError } = options;
  if (!/^(?:\/[A-Za-z0-9_.~-]+)*$/.test(basePath))
    throw new TypeError('`basePath` must be empty, or begin with a slash and end without one, such as "/api".');
  checkDelay('stopUnreadAfterMs', stopUnreadAfterMs);
  callable()(onError, 'onError');
  const access = new Access(options);
  const limits = toLimits(options.limits, { namesCallers: options.identify !== undefined });
  const actions = new Actions({ ...options, limits, failed: onError });

  async function answer(request: Request, facts: RequestFacts): Promise<Response> {
    access.checkPlace(request, facts);
    if (request.method === 'OPTIONS') return preflight();
    const caller = await access.identify(request);
    const url = new URL(request.url);
    return await perform(actions, findRoute(request.method, url.pathname, basePath), { request, caller, url });
  }

  return {
    async handle(request, facts = {}) {
      checkRequest(request);
      let response: Response;
      try {
        response = await answer(request, facts);
      } catch (error) {
        const refusal = toRefusal(error);
        if (refusal === undefined) notify(() => onError(error, request));
        response = refusalResponse(refusal ?? toFailure(error));
      }
      for (const [name, value] of Object.entries(access.corsHeaders(request))) response.headers.set(name, value);
      return response;
    },
  };
}

/** @throws {TypeError} for what is not a `Request`, such as what a server of Node passes. */
function checkRequest(value: unknown): void {
  const headers = isRecord(value) ? value['headers'] : undefined;
  if (!isRecord(headers) || typeof headers['get'] !== 'function')
    throw new TypeError('`handle` takes a `Request` of the web: pass `toNodeListener(handle)` to a server of Node.');
}

function perform(
  actions: Actions,
  route: Route,
  context: { readonly request: Request; readonly caller: ChatCaller; readonly url: URL },
): Promise<Response> {
  switch (route.name) {
    case 'send':
      return actions.send(context);
    case 'list':
      return actions.list(context);
    case 'settle':
      return actions.settle(route, context);
    default:
      return actions[route.name](route.chatId, context);
  }
}

/** Asked by a browser before a page of another origin calls; the origin has been checked. */
function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '600',
    },
  });
}

/** Errors that are not failures of the server: a shutdown on purpose, or a chat that another process or a person has to continue. */
function toRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  switch (SdkError.is(error) ? error.code : undefined) {
    case 'HOST_CLOSED':
      return new Refusal('CLOSING', 'This server is shutting down.', { 'retry-after': '1' });
    case 'SESSION_HELD':
      return new Refusal('CHAT_ELSEWHERE', 'Another process of this server has this chat.', { 'retry-after': '1' });
    case 'WORKER_UNREACHABLE':
      return new Refusal('NO_WORKER', 'No worker of this server could be reached for the chat.', {
        'retry-after': '1',
      });
    case 'HOST_FULL':
      return new Refusal('NO_ROOM', 'No more sessions fit.', retryAfter());
    // It was deleted while the request was on its way.
    case 'SESSION_NOT_FOUND':
      return new Refusal('CHAT_NOT_FOUND', 'There is no such chat.');
    case 'SESSION_CRASHING':
      return new Refusal('CHAT_CRASHED', 'The agent of this chat ended too often, and is not started any more.');
    default:
      return undefined;
  }
}

/** The code is one of a public list; the message may have paths, and stays here. */
function toFailure(error: unknown): Refusal {
  if (!SdkError.is(error)) return new Refusal('FAILED', 'The server failed.');
  if (error.code !== 'STORE_UNREACHABLE') return new Refusal('FAILED', `The server failed with ${error.code}.`);
  return new Refusal('NO_STORE', 'The database of this server cannot be reached.', { 'retry-after': '1' });
}
