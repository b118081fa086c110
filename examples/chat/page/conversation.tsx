import { useChat } from '@ai-sdk/react';
import type { UiData } from '@hexagent/ui-stream';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import {
  discard,
  interrupt,
  isRefusal,
  loadMessages,
  restart,
  settle,
  transport,
  type Page,
  type SessionState,
} from './api.ts';
import { Bar } from './bar.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { isDisconnection, Notice } from './notice.tsx';
import { Stuck } from './stuck.tsx';
import { useReconnect } from './use-reconnect.ts';
import type { Answer, ChatMessage } from './wire.ts';

interface Props {
  readonly id: string;
  /** The title that the server has for it, once there is one. */
  readonly title: string | undefined;
  readonly menu: ReactNode;
  readonly history: Page;
  /** What the session does, maybe since another page asked for it, and when the server was asked. */
  readonly server: ServerState;
  /** Asks the server again: it began to work, or is done. */
  onChange(): Promise<void>;
}

export function Conversation({ id, title, menu, history, server, onChange }: Props) {
  const { messages, setMessages, sendMessage, resumeStream, clearError, status, error } = useChat<ChatMessage>({
    id,
    messages: history.messages,
    transport,
    resume: true,
    throttle: 40,
    onData: (part) => {
      if (part.type === 'data-retry') setRetry(part.data);
    },
  });
  const [retry, setRetry] = useState<UiData['retry']>();
  const [draft, setDraft] = useState('');
  const [failure, setFailure] = useState<unknown>();
  const [stopping, setStopping] = useState(false);
  const [sent, setSent] = useState(0);
  const busy = status === 'submitted' || status === 'streaming';
  const offline = status === 'error' && isDisconnection(error);
  const refused = status === 'error' && isRefusal(error);

  const [hasEarlier, setHasEarlier] = useState(history.hasEarlier);
  const first = messages[0]?.id;
  const loadEarlier = useCallback(async () => {
    const page = await loadMessages(id, first);
    setMessages((all) => [...page.messages, ...all]);
    setHasEarlier(page.hasEarlier);
  }, [id, first, setMessages]);
  // A text that was sent and perhaps not accepted. It goes back to the input, for the person to send again or not.
  const unsent = useRef<string>(undefined);
  const giveBack = useCallback(() => {
    const text = unsent.current;
    unsent.current = undefined;
    if (text !== undefined) setDraft((typed) => typed || text);
  }, []);
  const catchUp = useCallback(async () => {
    const page = await loadMessages(id);
    const taken = page.messages.findLast(({ role }) => role === 'user');
    if (taken && textOf(taken) === unsent.current) unsent.current = undefined;
    giveBack();
    setMessages((all) => joined(all, page.messages));
    await resumeStream();
  }, [id, giveBack, resumeStream, setMessages]);
  useReconnect(offline, catchUp);
  useFollowing({ server, idle: status === 'ready', catchUp });

  // A turn can end between the request for the history and the one for the running turn. Its answer is then in neither
  // response, so the history is loaded again.
  const last = messages.at(-1);
  const unanswered = status === 'ready' && last?.role === 'user' ? last.id : undefined;
  useEffect(() => {
    if (unanswered === undefined) return;
    loadMessages(id).then(
      (page) => setMessages((all) => (all.at(-1)?.id === unanswered ? joined(all, page.messages) : all)),
      () => {}, // asked again with the next list of sessions
    );
  }, [id, unanswered, server.at, setMessages]);

  useEffect(() => {
    if (status === 'streaming' || status === 'ready') unsent.current = undefined;
    if (!refused) return;
    setMessages((all) => (all.at(-1)?.role === 'user' ? all.slice(0, -1) : all));
    giveBack();
  }, [status, refused, giveBack, setMessages]);

  useEffect(() => void onChange(), [status, onChange]);
  useEffect(() => {
    if (!busy) setStopping(false);
  }, [busy]);
  useEffect(() => setRetry(undefined), [busy, messages]);

  const send = (text: string): void => {
    unsent.current = text;
    setDraft('');
    setFailure(undefined);
    setSent((count) => count + 1);
    void sendMessage({ text });
  };
  // What the list shows is newer than what the history had; a page that was just opened has no list yet.
  const state = server.state ?? history.state;
  const goOn = async (): Promise<void> => {
    await restart(id);
    clearError();
    // Its turn may have ended before it was asked for.
    const reload = async (): Promise<void> => {
      const page = await loadMessages(id);
      setMessages((all) => joined(all, page.messages));
    };
    resumeStream().then(reload).catch(setFailure);
    await onChange();
  };
  const giveUp = async (): Promise<void> => {
    await discard(id);
    clearError();
    await onChange();
  };
  const stop = (): void => {
    setStopping(true);
    interrupt(id).catch((failed: unknown) => (setFailure(failed), setStopping(false)));
  };
  const onAnswer = useCallback(
    async (approval: string, answer: Answer) => {
      await settle(id, approval, answer);
    },
    [id],
  );

  return (
    <>
      <Bar title={title ?? textOf(messages.find(({ role }) => role === 'user'))} menu={menu} messages={messages} />
      <MessageList
        messages={messages}
        hasEarlier={hasEarlier}
        onEarlier={loadEarlier}
        busy={busy}
        waiting={status === 'submitted'}
        sent={sent}
        onAnswer={onAnswer}
      />
      <div className="below">
        {offline && (
          <div className="notice calm" role="status">
            <p>The connection is lost. The agent goes on without this page, which will catch up.</p>
          </div>
        )}
        {retry && (
          <div className="notice calm" role="status">
            <p>
              The model did not answer ({retry.error}). The agent tries again: {retry.attempt} of {retry.maxRetries}.
            </p>
          </div>
        )}
        {status === 'error' && !offline && (
          <Notice error={error} failure={last?.metadata?.failure} onDismiss={clearError} />
        )}
        {(state === 'held' || state === 'crashed') && !busy && !offline && (
          <Stuck state={state} onContinue={goOn} onDiscard={giveUp} />
        )}
        {failure !== undefined && <Notice error={failure} onDismiss={() => setFailure(undefined)} />}
        <Composer
          draft={draft}
          onDraft={setDraft}
          busy={busy}
          stopping={stopping}
          disabled={offline}
          onSend={send}
          onStop={stop}
        />
      </div>
    </>
  );
}

const textOf = (message: ChatMessage | undefined): string =>
  (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

/** Keeps the earlier messages that are loaded; from where the two lists overlap, those of the server replace the page's. */
function joined(all: readonly ChatMessage[], latest: readonly ChatMessage[]): ChatMessage[] {
  const from = all.findIndex(({ id }) => id === latest[0]?.id);
  const streamed = new Map(all.map(({ id, metadata }) => [id, metadata]));
  // What a turn took is in its stream alone.
  const whole = latest.map((message) => ({
    ...message,
    metadata: { ...message.metadata, ...streamed.get(message.id) },
  }));
  return [...all.slice(0, Math.max(0, from)), ...whole];
}

interface ServerState {
  /** `undefined` while it is not known, or where nobody has written in the conversation. */
  readonly state: SessionState | undefined;
  readonly at: number;
}

/** Joins a turn that another page has begun. A state that the server sent before this page became idle is about its own turn. */
function useFollowing({ server, idle, catchUp }: { server: ServerState; idle: boolean; catchUp(): Promise<void> }) {
  const idleSince = useRef(Infinity);
  useEffect(() => {
    idleSince.current = idle ? performance.now() : Infinity;
  }, [idle]);
  const { state, at } = server;
  const atWork = state === 'running' || state === 'awaiting-approval';
  useEffect(() => {
    // A failed attempt is followed by another when the server is asked again.
    if (atWork && at > idleSince.current) catchUp().catch(() => {});
  }, [atWork, at, catchUp]);
}
