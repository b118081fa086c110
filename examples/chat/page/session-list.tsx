import { useEffect, useRef, useState, type ComponentProps } from 'react';
import type { SessionSummary } from './api.ts';
import { SessionRow } from './session-row.tsx';
import { ThemeSelect } from './theme.tsx';

interface Props extends Pick<ComponentProps<typeof SessionRow>, 'isAway' | 'onRenamed' | 'onFailure'> {
  readonly sessions: readonly SessionSummary[];
  readonly current: string;
  /** On a narrow screen the list covers the conversation, and only when the person opens it. */
  readonly open: boolean;
  onOpen(id: string): void;
  onNew(): void;
  onDelete(session: SessionSummary): void;
  onClose(): void;
}

export function SessionList({ sessions, current, open, onOpen, onNew, onDelete, onClose, ...row }: Props) {
  const newButton = useRef<HTMLButtonElement>(null);
  const [search, setSearch] = useState('');
  useEffect(() => {
    if (open) newButton.current?.focus();
  }, [open]);
  const found = sessions.filter(({ title = '' }) => title.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <>
      <nav
        id="sessions"
        className={open ? 'sessions open' : 'sessions'}
        aria-label="Chats"
        onKeyDown={(event) => open && event.key === 'Escape' && onClose()}
      >
        <div className="brand">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 2 20.7 7v10L12 22 3.3 17V7z" />
          </svg>
          <span>Hexagent</span>
        </div>
        <button ref={newButton} id="new-chat" type="button" className="new" onClick={onNew}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M10 4v12M4 10h12" />
          </svg>
          New chat
        </button>
        {sessions.length > 0 && (
          <input
            type="search"
            className="search"
            aria-label="Search chats"
            placeholder="Search chats"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        )}
        <p className="no-match" role="status">
          {sessions.length > 0 && found.length === 0 && 'No chats found'}
        </p>
        <ul>
          {found.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isCurrent={session.id === current}
              onOpen={() => onOpen(session.id)}
              onDelete={() => onDelete(session)}
              {...row}
            />
          ))}
        </ul>
        <ThemeSelect />
      </nav>
      {open && <div className="veil" onClick={onClose} />}
    </>
  );
}
