import { useEffect, useRef, useState } from 'react';
import { renameSession, type SessionSummary } from './api.ts';

interface Props {
  readonly session: SessionSummary;
  readonly isCurrent: boolean;
  /** The server does not answer, so what the chat does now is not known. */
  readonly isAway: boolean;
  onOpen(): void;
  onDelete(): void;
  /** Asks for the list again. */
  onRenamed(): Promise<void>;
  onFailure(error: unknown): void;
}

const states: Readonly<Record<string, string>> = {
  running: 'Working',
  'awaiting-approval': 'Waiting for you',
  failed: 'Failed',
  held: 'Interrupted',
  crashed: 'Stopped after errors',
};

export function SessionRow({ session, isCurrent, isAway, onOpen, onDelete, onRenamed, onFailure }: Props) {
  const [isRenaming, setRenaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const { id, updatedAt, state } = session;
  const title = session.title || 'New chat';

  const close = (): void => {
    setRenaming(false);
    // The button is there again once the field is gone.
    requestAnimationFrame(() => renameButton.current?.focus());
  };
  const rename = async (text: string): Promise<void> => {
    close();
    if (text === '' || text === title) return;
    try {
      await renameSession(id, text);
      await onRenamed();
    } catch (error) {
      onFailure(error);
    }
  };
  if (isRenaming)
    return (
      <li>
        <TitleField title={title} onSave={(text) => void rename(text)} onCancel={close} />
      </li>
    );
  const label = isAway ? undefined : states[state];
  return (
    <li className={isCurrent ? 'current' : undefined}>
      <button type="button" className="open" aria-current={isCurrent ? 'page' : undefined} onClick={onOpen}>
        <span className="session-title">{title}</span>
        <span className="session-when">
          {label ? <span className={`state ${state}`}>{label}</span> : sinceText(updatedAt)}
        </span>
      </button>
      <button
        ref={renameButton}
        type="button"
        className="icon-button"
        aria-label={`Rename ${title}`}
        onClick={() => setRenaming(true)}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4 16l.8-3.4L13 4.4a1.4 1.4 0 0 1 2 0l.6.6a1.4 1.4 0 0 1 0 2l-8.2 8.2z" />
        </svg>
      </button>
      <button type="button" className="icon-button" aria-label={`Delete ${title}`} onClick={onDelete}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6" />
        </svg>
      </button>
    </li>
  );
}

interface TitleFieldProps {
  readonly title: string;
  onSave(title: string): void;
  onCancel(): void;
}

function TitleField({ title, onSave, onCancel }: TitleFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <form
      className="field rename"
      onSubmit={(event) => (event.preventDefault(), onSave(field.current?.value.trim() ?? ''))}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <input ref={field} aria-label="Title" defaultValue={title} maxLength={200} />
      <div className="buttons">
        <button type="submit" className="primary">
          Save
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

function sinceText(when: number): string {
  const passed = Date.now() - when;
  for (const [unit, ms] of units) if (passed >= ms) return relative.format(-Math.floor(passed / ms), unit);
  return 'Just now';
}
