import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { focusField } from './focus.ts';
import type { Answer, ToolPart } from './wire.ts';

/** The arguments of every form that answers a request. */
export interface FormProps {
  readonly part: ToolPart;
  onAnswer(answer: Answer): Promise<void>;
}

interface CardProps {
  readonly label: string;
  readonly title: string;
  readonly children: ReactNode;
}

/**
 * What asks the person. It takes the focus unless something is being written; the card and not its first button, so that an
 * Enter that was on its way allows nothing.
 */
export function Card({ label, title, children }: CardProps) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    const active = document.activeElement;
    const writes =
      (active instanceof HTMLTextAreaElement && active.value !== '') ||
      active instanceof HTMLInputElement ||
      active?.closest('.card') != null;
    if (!writes) card.current?.focus({ preventScroll: true });
  }, []);
  // Its buttons have lost the focus already where they were disabled while the answer was sent.
  useLayoutEffect(() => {
    const shown = card.current;
    return () => {
      const { activeElement, body } = document;
      if (activeElement === body || shown?.contains(activeElement)) focusField();
    };
  }, []);
  return (
    <section ref={card} className="card" tabIndex={-1} aria-label={`${label}: ${title}`}>
      <p className="card-label">{label}</p>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Sends an answer once; while it is on its way, and after it, nothing can be pressed. What fails can be tried again. */
export function useAnswer(onAnswer: (answer: Answer) => Promise<void>) {
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const send = (answer: Answer): void => {
    if (sending) return;
    setSending(true);
    setFailure(undefined);
    onAnswer(answer).catch((error: unknown) => {
      setFailure(error);
      setSending(false);
    });
  };
  return { send, sending, failure };
}
