import { useEffect, useRef, type KeyboardEvent } from 'react';

interface Props {
  readonly draft: string;
  readonly busy: boolean;
  readonly stopping: boolean;
  readonly disabled: boolean;
  onDraft(text: string): void;
  onSend(text: string): void;
  onStop(): void;
}

export function Composer({ draft, busy, stopping, disabled, onDraft, onSend, onStop }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const text = draft.trim();
  const canSend = text !== '' && !busy && !disabled;

  useEffect(() => field.current?.focus(), []);

  const submit = (): void => {
    if (canSend) onSend(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes a character, Enter chooses it.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
    if (event.key === 'Escape' && busy) onStop();
  };
  return (
    <form className="composer" onSubmit={(event) => (event.preventDefault(), submit())}>
      <label htmlFor="message" className="visually-hidden">
        Message
      </label>
      <textarea
        ref={field}
        id="message"
        rows={1}
        value={draft}
        placeholder="Write to the agent"
        aria-describedby="composer-hint"
        onChange={(event) => onDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {busy ? (
        <button type="button" className="stop" onClick={onStop} disabled={stopping}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <rect x="6" y="6" width="8" height="8" rx="1.5" />
          </svg>
          {stopping ? 'Stopping' : 'Stop'}
        </button>
      ) : (
        <button type="submit" className="primary" disabled={!canSend}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M10 16V4M5 9l5-5 5 5" />
          </svg>
          Send
        </button>
      )}
      <p id="composer-hint" className="hint">
        {busy ? 'Escape stops the agent' : 'Enter sends, Shift+Enter begins a line'}
      </p>
    </form>
  );
}
