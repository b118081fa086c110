import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { LiveRegion } from './live-region.tsx';
import { Message } from './message.tsx';
import { useStickToEnd } from './use-stick-to-end.ts';
import { UserParts } from './user-parts.tsx';
import { Welcome } from './welcome.tsx';
import type { Answer, ChatMessage, Phase } from './wire.ts';

interface Props {
  readonly messages: readonly ChatMessage[];
  /** Whether the server has messages before the first of these. */
  readonly hasEarlier: boolean;
  onEarlier(): Promise<void>;
  readonly busy: boolean;
  /** The connection broke in a turn. */
  readonly isLost: boolean;
  /** A message was sent, and nothing of its answer is there. */
  readonly isSubmitted: boolean;
  /** Messages that the agent has not taken up yet. */
  readonly waiting: readonly ChatMessage[];
  /** How often the person sent or answered something. The end is shown then, wherever they were reading. */
  readonly acted: number;
  /** The last turn failed. */
  readonly hasFailed: boolean;
  /** A notice shows why. */
  readonly isNoticed: boolean;
  onAnswer(approval: string, answer: Answer): Promise<void>;
  onExample(prompt: string): void;
  /** Sends the last message once more. */
  readonly onAgain: (() => void) | undefined;
}

export function MessageList(props: Props) {
  const { messages, hasEarlier, onEarlier, busy, isLost, isSubmitted, waiting, acted, hasFailed, onAnswer } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { atEnd, toEnd } = useStickToEnd(scroller);
  useEffect(() => {
    if (acted > 0) toEnd();
  }, [acted, toEnd]);
  const earlier = useEarlier({ scroller, first: messages[0]?.id, onEarlier });

  const phaseOf = (message: ChatMessage, index: number): Phase => {
    if (index < messages.length - 1 || message.role === 'user') return 'over';
    return busy ? 'running' : isLost ? 'lost' : 'over';
  };
  const last = messages.at(-1);
  const isSilent = isSubmitted || (busy && (last?.role === 'user' || last?.parts.length === 0));
  const mayRepeat = ({ metadata }: ChatMessage): boolean => hasFailed || metadata?.interrupted === true;
  return (
    <div
      id="conversation"
      className="scroller"
      ref={scroller}
      tabIndex={0}
      role="log"
      aria-label="Conversation"
      aria-live="off"
    >
      <div className="column">
        {hasEarlier && (
          <button ref={earlier.button} type="button" className="quiet earlier" onClick={earlier.load}>
            {earlier.failed ? 'Earlier messages did not load. Try again' : 'Earlier messages'}
          </button>
        )}
        {messages.length === 0 && !busy && <Welcome onExample={props.onExample} />}
        {messages.map((message, index) => (
          <Message
            key={message.id}
            message={message}
            phase={phaseOf(message, index)}
            onAnswer={onAnswer}
            isNoticed={props.isNoticed && index === messages.length - 1}
            onAgain={index === messages.length - 1 && mayRepeat(message) ? props.onAgain : undefined}
          />
        ))}
        {isSilent && (
          <p className="working" aria-hidden="true">
            <i />
            <i />
            <i />
          </p>
        )}
        {waiting.map(({ id, parts }) => (
          <article key={id} className="message user queued" aria-label="You, queued">
            <UserParts parts={parts} />
            <p className="queued-label">Queued until the agent’s next step</p>
          </article>
        ))}
      </div>
      {!atEnd && (
        <button type="button" className="to-end" onClick={toEnd} aria-label="To the latest message">
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M10 4v12M5 11l5 5 5-5" />
          </svg>
        </button>
      )}
      <LiveRegion messages={messages} busy={busy} isLost={isLost} />
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
  /** The id of the first message; when it changes, earlier ones have arrived. */
  readonly first: string | undefined;
  onEarlier(): Promise<void>;
}
