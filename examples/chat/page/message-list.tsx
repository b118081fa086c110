import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { LiveRegion } from './live-region.tsx';
import { Message } from './message.tsx';
import type { Answer, ChatMessage } from './wire.ts';

interface Props {
  readonly messages: readonly ChatMessage[];
  /** Whether the server has messages before the first of these. */
  readonly hasEarlier: boolean;
  onEarlier(): Promise<void>;
  readonly busy: boolean;
  readonly waiting: boolean;
  /** How many messages the person has sent here. Whoever sends one sees it, wherever they were reading. */
  readonly sent: number;
  onAnswer(approval: string, answer: Answer): Promise<void>;
}

export const MessageList = memo(function MessageList(props: Props) {
  const { messages, hasEarlier, onEarlier, busy, waiting, sent, onAnswer } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { atEnd, toEnd } = useStickToEnd(scroller);
  useEffect(() => {
    if (sent > 0) toEnd();
  }, [sent, toEnd]);
  const earlier = useEarlier({ scroller, first: messages[0]?.id, onEarlier });

  return (
    <div className="scroller" ref={scroller} tabIndex={0} role="log" aria-label="Conversation" aria-live="off">
      <div className="column">
        {hasEarlier && (
          <button ref={earlier.button} type="button" className="quiet earlier" onClick={earlier.load}>
            {earlier.failed ? 'Earlier messages did not load. Try again' : 'Earlier messages'}
          </button>
        )}
        {messages.length === 0 && !busy && <Welcome />}
        {messages.map((message, index, drawn) => (
          <Message
            key={message.id}
            message={message}
            live={busy && index === drawn.length - 1 && message.role === 'assistant'}
            onAnswer={onAnswer}
          />
        ))}
        {waiting && (
          <p className="working" aria-hidden="true">
            <i />
            <i />
            <i />
          </p>
        )}
      </div>
      {!atEnd && (
        <button type="button" className="to-end" onClick={toEnd} aria-label="To the latest message">
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M10 4v12M5 11l5 5 5-5" />
          </svg>
        </button>
      )}
      <LiveRegion messages={messages} busy={busy} />
    </div>
  );
});

function Welcome() {
  return (
    <div className="welcome">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 2 20.7 7v10L12 22 3.3 17V7z" />
      </svg>
      <h2>What shall the agent do?</h2>
      <p>
        It asks before it runs what is not allowed. You can close this page meanwhile: it goes on, and so does its
        question.
      </p>
    </div>
  );
}

/** Loads what came before when it is scrolled to, and keeps in its place what is being read. */
function useEarlier({ scroller, first, onEarlier }: UseEarlierOptions) {
  const button = useRef<HTMLButtonElement>(null);
  const heightBefore = useRef<number>(undefined);
  const loading = useRef(false);
  const [failed, setFailed] = useState(false);
  const load = useCallback(() => {
    if (loading.current) return;
    loading.current = true;
    setFailed(false);
    heightBefore.current = scroller.current?.scrollHeight;
    onEarlier()
      .catch(() => setFailed(true))
      .finally(() => (loading.current = false));
  }, [onEarlier, scroller]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || heightBefore.current === undefined) return;
    element.scrollTop += element.scrollHeight - heightBefore.current;
    heightBefore.current = undefined;
  }, [first, scroller]);
  useEffect(() => {
    if (!button.current || !scroller.current) return undefined;
    // Near enough to be asked for before the top is reached; what failed waits for the person.
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && load(), {
      root: scroller.current,
      rootMargin: '300px 0px 0px 0px',
    });
    seen.observe(button.current);
    return () => seen.disconnect();
  }, [first, load, scroller]);
  return { button, load, failed };
}

interface UseEarlierOptions {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** The id of the first message; when it changes, earlier ones have come. */
  readonly first: string | undefined;
  onEarlier(): Promise<void>;
}

/** Follows the text while it grows, unless the person has scrolled up to read. */
function useStickToEnd(scroller: RefObject<HTMLDivElement | null>) {
  const [atEnd, setAtEnd] = useState(true);
  const sticks = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    const content = element?.firstElementChild;
    if (!element || !content) return undefined;
    const follow = (): void => {
      if (sticks.current) element.scrollTop = element.scrollHeight;
    };
    const onScroll = (): void => {
      sticks.current = element.scrollHeight - element.scrollTop - element.clientHeight < 48;
      setAtEnd(sticks.current);
    };
    const grown = new ResizeObserver(follow);
    grown.observe(content);
    grown.observe(element);
    follow();
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller]);
  const toEnd = useCallback(() => {
    sticks.current = true;
    setAtEnd(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);
  return { atEnd, toEnd };
}
