import { useEffect, useRef } from 'react';
import type { SessionSummary } from './api.ts';

interface Props {
  readonly sessions: readonly SessionSummary[];
  readonly current: string;
  /** On a narrow screen the list covers the conversation, and only when the person opens it. */
  readonly open: boolean;
  onOpen(id: string): void;
  onNew(): void;
  onRemove(id: string): Promise<void>;
  onClose(): void;
}

const states: Readonly<Record<string, string>> = {
  running: 'at work',
  'awaiting-approval': 'waits for you',
  held: 'was cut off',
  crashed: 'does not start',
};

export function SessionList({ sessions, current, open, onOpen, onNew, onRemove, onClose }: Props) {
  const newButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (open) newButton.current?.focus();
  }, [open]);
  return (
    <>
      <nav
        id="sessions"
        className={open ? 'sessions open' : 'sessions'}
        aria-label="Conversations"
        onKeyDown={(event) => open && event.key === 'Escape' && onClose()}
      >
        <div className="brand">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 2 20.7 7v10L12 22 3.3 17V7z" />
          </svg>
          <span>Hexagent</span>
        </div>
        <button ref={newButton} type="button" className="new" onClick={onNew}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M10 4v12M4 10h12" />
          </svg>
          New conversation
        </button>
        <ul>
          {sessions.map(({ id, title, updatedAt, state }) => (
            <li key={id} className={id === current ? 'current' : undefined}>
              <button type="button" aria-current={id === current ? 'page' : undefined} onClick={() => onOpen(id)}>
                <span className="session-title">{title || 'New conversation'}</span>
                <span className="session-when">
                  {states[state] ? <span className={`state ${state}`}>{states[state]}</span> : sinceText(updatedAt)}
                </span>
              </button>
              <button
                type="button"
                className="icon-button remove"
                aria-label={`Delete ${title || 'this conversation'}`}
                onClick={() =>
                  window.confirm(`Delete “${title || 'this conversation'}” for good?`) && void onRemove(id)
                }
              >
                <svg viewBox="0 0 20 20" aria-hidden="true">
                  <path d="M5 5l10 10M15 5 5 15" />
                </svg>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      {open && <div className="veil" onClick={onClose} />}
    </>
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
  return 'just now';
}
