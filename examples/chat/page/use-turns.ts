import { useChat } from '@ai-sdk/react';
import type { UiData } from '@hexagent/ui-stream';
import type { FileUIPart } from 'ai';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  discard,
  interrupt,
  isForDeleted,
  isRefusal,
  loadMessages,
  restart,
  settle,
  transport,
  type Page,
  type SessionState,
} from './api.ts';
import { isDisconnection } from './notice.tsx';
import { isPending, joined, textOf } from './tools.ts';
import { useQueue } from './use-queue.ts';
import type { Answer, ChatMessage, Draft } from './wire.ts';

/** What the list of chats says, and when the server was asked. */
export interface ServerState {
  /** `undefined` while it is not known, or where the chat has not begun. */
  readonly state: SessionState | undefined;
  readonly at: number;
  /** Why the server did not answer. */
  readonly failure: unknown;
}

interface Options {
  readonly id: string;
  readonly history: Page;
  readonly server: ServerState;
  /** Asks the server again: it began to work, or is done. */
  onChange(): Promise<void>;
  /** The first message of a new chat is sent. */
  onBegin(): void;
}

/** The turns of a chat: what was said, what the agent does, and what the person can do about it. */
export function useTurns({ id, history, server, onChange, onBegin }: Options) {
  const [retry, setRetry] = useState<UiData['retry']>();
  const { messages, setMessages, sendMessage, resumeStream, clearError, status, error } = useChat<ChatMessage>({
    id,
    messages: history.messages,
    transport,
    resume: history.messages.length > 0,
    throttle: 40,
    onData: (part) => {
      if (part.type === 'data-retry') setRetry(part.data);
    },
  });
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [failure, setFailure] = useState<unknown>();
  const [stopping, setStopping] = useState(false);
  const [acted, setActed] = useState(0);
  const busy = status === 'submitted' || status === 'streaming';
  const isLost = status === 'error' && isDisconnection(error);
  const refused = status === 'error' && isRefusal(error);

  const [hasEarlier, setHasEarlier] = useState(history.hasEarlier);
  const first = messages[0]?.id;
  const loadEarlier = useCallback(async () => {
    const page = await loadMessages(id, first);
    setMessages((all) => [...(page?.messages ?? []), ...all]);
    setHasEarlier(page?.hasEarlier ?? false);
  }, [id, first, setMessages]);
  // What was sent and perhaps not accepted. It goes back to the field, for the person to send again or not.
  const unsent = useRef<Draft>(undefined);
  const giveBack = useCallback((given: Draft | undefined) => {
    if (given !== undefined) setDraft((typed) => (isEmpty(typed) ? given : typed));
  }, []);
  const queue = useQueue({ id, messages, onRefused: giveBack, onFailure: setFailure });
  const reload = useCallback(async () => {
    const page = await loadMessages(id);
    const taken = page?.messages.findLast(({ role }) => role === 'user');
    const given = taken && textOf(taken) === unsent.current?.text ? undefined : unsent.current;
    unsent.current = undefined;
    giveBack(given);
    setMessages((all) => joined(all, page?.messages ?? []));
  }, [id, giveBack, setMessages]);
  const catchUp = useCallback(async () => {
    await reload();
    await resumeStream();
  }, [reload, resumeStream]);
  useFollowing({ server, status, isLost, catchUp });

  // A message that was queued too late for the turn has a turn behind it.
  const isLate = status === 'ready' && queue.waiting.length > 0;
  useEffect(() => {
    if (isLate) catchUp().catch(() => {}); // asked again with the next list of chats
  }, [isLate, server.at, catchUp]);

  // A turn can end between the request for the history and the one for the running turn. Its answer is then in neither
  // response, so the history is loaded again.
  const last = messages.at(-1);
  const unanswered = status === 'ready' && last?.role === 'user' ? last.id : undefined;
  useEffect(() => {
    if (unanswered === undefined) return;
    loadMessages(id).then(
      (page) => setMessages((all) => (page && all.at(-1)?.id === unanswered ? joined(all, page.messages) : all)),
      () => {}, // asked again with the next list of chats
    );
  }, [id, unanswered, server.at, setMessages]);

  useEffect(() => {
    if (status === 'streaming' || status === 'ready') unsent.current = undefined;
    if (!refused) return;
    setMessages(withoutLast);
    giveBack(unsent.current);
    unsent.current = undefined;
  }, [status, refused, giveBack, setMessages]);

  // The list shows at once that a turn begins, waits for the person, or is over.
  const isAsking = last?.parts.some(isPending) ?? false;
  useEffect(() => void onChange(), [status, isAsking, onChange]);
  const stopFailure = useRef<unknown>(undefined);
  useEffect(() => {
    if (busy) return;
    setStopping(false);
    // A turn that has ended does not have to be stopped.
    setFailure((shown: unknown) => (shown === stopFailure.current ? undefined : shown));
  }, [busy]);
  useEffect(() => setRetry(undefined), [busy, messages]);

  const send = (message: Draft): void => {
    setDraft(emptyDraft);
    setFailure(undefined);
    setActed((count) => count + 1);
    if (busy) return queue.add(message);
    unsent.current = message;
    onBegin();
    void sendMessage(toMessage(message));
  };
  const act = async (action: (id: string) => Promise<unknown>): Promise<void> => {
    await action(id);
    clearError();
    await onChange();
  };
  return {
    messages,
    hasEarlier,
    loadEarlier,
    waiting: queue.waiting,
    busy,
    isSubmitted: status === 'submitted',
    isLost,
    isDeleted: isForDeleted(error),
    // What the list shows is newer than what the history had; a page that was just opened has no list yet.
    state: server.state ?? history.state,
    /** Why the last turn failed. */
    error: status === 'error' && !isLost ? error : undefined,
    refused,
    failure,
    retry,
    draft,
    setDraft,
    /** How often the person sent or answered something: the end of the chat is shown then. */
    acted,
    stopping,
    send,
    clearError,
    setFailure,
    stop: (): void => {
      setStopping(true);
      interrupt(id).catch((failed: unknown) => {
        stopFailure.current = failed;
        setFailure(failed);
        setStopping(false);
      });
    },
    answer: useCallback(
      async (approval: string, answer: Answer) => {
        await settle(id, approval, answer);
        setActed((count) => count + 1);
      },
      [id],
    ),
    goOn: async (): Promise<void> => {
      await act(restart);
      // Its turn may have ended before it was asked for.
      resumeStream().then(reload).catch(setFailure);
    },
    giveUp: () => act(discard),
  };
}

const emptyDraft: Draft = { text: '', files: [] as FileUIPart[] };

export const isEmpty = ({ text, files }: Draft): boolean => text.trim() === '' && files.length === 0;

/** The model refuses a text that is empty. */
const toMessage = ({ text, files }: Draft) => (text === '' ? { files } : { text, files });

const withoutLast = (all: ChatMessage[]): ChatMessage[] => (all.at(-1)?.role === 'user' ? all.slice(0, -1) : all);

/**
 * Joins a turn that another page has begun, and catches up once the server answers again. What the server said before this page
 * became idle, or lost its connection, is about an earlier turn.
 */
function useFollowing({
  server: { state, at },
  status,
  isLost,
  catchUp,
}: {
  readonly server: ServerState;
  readonly status: string;
  readonly isLost: boolean;
  catchUp(): Promise<void>;
}): void {
  const since = useRef(Infinity);
  const isCatchingUp = useRef(false);
  useEffect(() => {
    since.current = status === 'ready' || isLost ? performance.now() : Infinity;
  }, [status, isLost]);
  const isBehind = isLost || (status === 'ready' && (state === 'running' || state === 'awaiting-approval'));
  useEffect(() => {
    if (!isBehind || at <= since.current || isCatchingUp.current) return;
    isCatchingUp.current = true;
    // A failed attempt is followed by another when the server is asked again.
    const done = (): void => void (isCatchingUp.current = false);
    catchUp().then(done, done);
  }, [isBehind, at, catchUp]);
}
