import { Approvals } from '@hexagent/approvals';
import { notify } from '@hexagent/async';
import { hostingChecks, type HostingOptions, type SessionHost } from '@hexagent/hosting';
import { createChatHandler, type ChatHandler, type ChatHandlerOptions, type RequestFacts } from '@hexagent/http-chat';
import { callable, delay, errorText, flag, given, having, list, mode, names, oneOf, record } from '@hexagent/checks';
import { SdkError, type ChatApprovals, type Warning, type WarningListener } from '@hexagent/ports';
import { systemClock, warnProcess } from '@hexagent/processes';
import { createSdk, type Sdk } from '@hexagent/sdk';
import type { SubagentView } from '@hexagent/ui-stream';
import { ChatAgents, type ChatSessionSource } from './chat-agents.ts';
import { toChatApprovals } from './chat-approvals.ts';
import { hostOf } from './create-session-host.ts';
import { openStores, withStores, type ChatStores, type StoreOptions } from './host-stores.ts';
import { HostedChats } from './hosted-chats.ts';
import { toAnswerLimits, type SuggestionScope } from './refused-suggestions.ts';
import { ShownChats } from './shown-chats.ts';
import { StoredChats } from './stored-chats.ts';

/** How chats run, and who may reach them. */
export interface ChatOptions
  extends Omit<ChatHandlerOptions, 'sessions' | 'approvals' | 'history' | 'onError'>, StoreOptions<ChatStores> {
  /**
   * How the agent of a chat runs: options of `openSession`, or a function that returns them for a chat. Requests for
   * approval go to the page.
   */
  readonly session?: ChatSessionSource;
  /** Limits of the host, and what happens to messages that were cut off. */
  readonly hosting?: HostingOptions;
  /** After how many milliseconds an unanswered approval of a kind is denied. Default: never. */
  readonly approvalsExpireAfterMs?: ConstructorParameters<typeof Approvals>[0]['expiresAfterMs'];
  /**
   * Whether `@` in a message of a page names a file, a folder or a resource. The agent then reads it without asking anybody,
   * also outside its folder; of the rules, only a deny rule with a path counts. Default: it is a text like any other.
   */
  readonly fileMentions?: boolean;
  /**
   * Which suggestions of an approval a page may choose: those that end with the `session`, the default, or `all`, also those
   * that the agent writes to a settings file.
   */
  readonly suggestions?: SuggestionScope;
  /** How a page sees subagents. Default: their calls as parts like any other. */
  readonly subagents?: SubagentView;
  /** An SDK of parts of your choice. */
  readonly sdk?: Pick<Sdk, 'openSession'>;
  /** Receives the errors behind a request or in an agent. Default: a warning of the process. */
  readonly onError?: (error: unknown) => void;
}

const chatOptions = record<ChatOptions>(
  {
    approvalsExpireAfterMs: given(),
    basePath: given(),
    commands: names,
    fileMentions: flag,
    folder: given(),
    hosting: record(hostingChecks),
    hosts: given(),
    identify: given(),
    limits: given(),
    models: names,
    onError: callable(),
    origins: given(),
    permissionModes: list(mode),
    sdk: having('openSession'),
    session: given(),
    stopUnreadAfterMs: delay,
    stores: given(),
    subagents: oneOf('flat', 'nested', 'drop'),
    suggestions: oneOf('session', 'all'),
    token: given(),
  },
  { called: 'options' },
);

/** Chats behind a web page. */
export interface Chat extends AsyncDisposable {
  /** Answers the requests of the page. Never rejects. */
  handle(request: Request, facts?: RequestFacts): Promise<Response>;
  /** Where messages, chats, leases and approvals are kept; `undefined` where nothing is kept in files. */
  readonly folder: string | undefined;
  /** The sessions behind the chats. */
  readonly host: SessionHost;
  /** What waits for people, and what they answered. */
  readonly approvals: Approvals;
  /** Ends every agent. Unfinished messages stay in the stores. */
  close(): Promise<void>;
}

/**
 * Joins all that a chat page needs: sessions with an outbox, streams that any number of pages read, approvals, history,
 * and the handler in front of them. `useChat` works against it.
 * @throws {TypeError} for options that make no sense.
 * @throws {SdkError} `STORE_FAILED` where the default folder is none of this user alone.
 */
export function createChat(options: ChatOptions = {}): Chat {
  const checked = chatOptions(options, '');
  const warn: WarningListener = (warning) => notify(() => warnProcess(warning));
  const report = checked.onError ?? ((cause: unknown): void => warn(toWarning(cause)));
  let isGone = false;
  // One that throws must end neither the process nor what reports to it. Where the stores are closed, a request that was on its
  // way fails for no other reason.
  const onError = (cause: unknown): void => void (isGone || notify(() => report(cause)));
  const opened = openStores(checked, { name: 'chats', needs: ['outbox', 'directory', 'leases', 'approvals'] });
  const parts = withStores(opened, (stores) => joinChat({ ...checked, stores }, { warn, onError }));
  const { host, approvals, shown, handler, stopFollowing } = parts;
  // What an earlier process left is taken up before the first request is answered.
  const recovered = host.recover().catch(onError);
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    await recovered;
    await host.close();
    stopFollowing();
    await shown.closed();
    isGone = true;
    await opened.close();
  };
  return {
    folder: opened.folder,
    host,
    approvals,
    async handle(request, facts) {
      await recovered;
      if (isClosed) return closedResponse();
      const response = await handler.handle(request, facts);
      return isGone && response.status === 500 ? closedResponse() : response;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface JoinedParts {
  readonly host: SessionHost;
  readonly approvals: Approvals;
  readonly shown: ShownChats;
  readonly chats: HostedChats;
  readonly stored: StoredChats;
  readonly answers: ChatApprovals;
  readonly handler: ChatHandler;
  readonly stopFollowing: () => void;
}

/** What answers the requests of a page, and what a page never sees. */
export function joinChat(
  options: ChatOptions & { readonly stores: ChatStores },
  { warn, onError }: { readonly warn: WarningListener; readonly onError: (error: unknown) => void },
): JoinedParts {
  const { session = {}, sdk = createSdk(), hosting, subagents, fileMentions = false } = options;
  const limits = toAnswerLimits(options);
  const { approvals: store, ...stores } = options.stores;
  const { outbox } = stores;
  const clock = systemClock;
  const approvals = new Approvals({ store, clock, expiresAfterMs: options.approvalsExpireAfterMs, warn });
  const agents = new ChatAgents({ sdk, session, approvals });
  const onFound = async (key: string): Promise<void> => {
    shown.follow(key);
    // The agent that asked has exited; if the next one asks again, that is another request.
    await approvals.recover({ session: key }).catch(onError);
  };
  const host = hostOf({ ...hosting, ...stores, open: agents.open, onFound });
  const shown = new ShownChats({ host, subagents, answers: limits, clock, onError });
  const stored = new StoredChats({ host, agents, outbox, subagents, onError, shown });
  const chats = new HostedChats({
    host,
    shown,
    stored,
    fileMentions,
    pendingOf: async (key) => (await outbox.pending(key)).map(({ uuid }) => uuid),
    applyOptions: (key, sendOptions) => agents.apply(key, sendOptions),
  });
  const stopFollowing = approvals.subscribe(({ type, record }) => shown.approvalChanged(type, record));
  const answers = toChatApprovals(approvals, limits, host);
  const handler = createChatHandler({ ...options, sessions: chats, history: stored, approvals: answers, onError });
  return { host, approvals, shown, chats, stored, answers, handler, stopFollowing };
}

/** In the form of the handler's own errors: a closed chat can no longer read or answer a request. */
function closedResponse(): Response {
  const [message, remedy] = ['This server is shutting down.', 'Try again in a moment.'];
  const headers = { 'cache-control': 'no-store', 'retry-after': '1' };
  return Response.json({ error: { code: 'CLOSING', message, remedy } }, { status: 503, headers });
}

function toWarning(cause: unknown): Warning {
  const text = errorText(cause);
  const remedy = SdkError.is(cause) ? ` ${cause.remedy}` : '';
  const source = SdkError.is(cause) ? cause.code : text.slice(0, 80);
  // A message of the operating system ends without one.
  const message = `A chat failed: ${text}${remedy === '' || text.endsWith('.') ? '' : '.'}${remedy}`;
  return { code: 'HEXAGENT_CHAT_FAILED', source, message, cause };
}
