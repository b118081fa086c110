import type { Approvals } from '@hexagent/approvals';
import type { SessionHost } from '@hexagent/hosting';
import { createChatHandler, type RequestFacts } from '@hexagent/http-chat';
import { record } from '@hexagent/checks';
import { agentChecks, pageChecks, type ChatAgentOptions, type ChatPageOptions } from './chat-options.ts';
import { openStores, withStores } from './host-stores.ts';
import { joinChats } from './join-chats.ts';
import { closedResponse } from './closed-response.ts';
import { reportTo } from './reporting.ts';

/** How chats run, and who may reach them. */
export interface ChatOptions extends ChatAgentOptions, ChatPageOptions {}

const chatOptions = record<ChatOptions>({ ...agentChecks, ...pageChecks }, { called: 'options' });

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
  const reporting = reportTo(checked.onError);
  const { onError } = reporting;
  const opened = openStores(checked, { name: 'chats', needs: ['outbox', 'directory', 'leases', 'approvals'] });
  const { chats, handler } = withStores(opened, (stores) => {
    const chats = joinChats({ ...checked, stores }, reporting);
    return { chats, handler: createChatHandler({ ...checked, ...chats.door, onError }) };
  });
  const { host, approvals } = chats;
  // What an earlier process left is taken up before the first request is answered.
  const recovered = host.recover().catch(onError);
  let isClosing = false;
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosing = true;
    await recovered;
    await chats.close();
    isClosed = true;
    reporting.stop();
    await opened.close();
  };
  return {
    folder: opened.folder,
    host,
    approvals,
    async handle(request, facts) {
      await recovered;
      if (isClosing) return closedResponse();
      const response = await handler.handle(request, facts);
      return isClosed && response.status >= 500 ? closedResponse() : response;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
