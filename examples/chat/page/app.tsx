import { useCallback, useEffect, useRef, useState } from 'react';
import { deleteSession, listSessions, loadMessages, type Page, type SessionSummary } from './api.ts';
import { Bar } from './bar.tsx';
import { Conversation } from './conversation.tsx';
import { Notice } from './notice.tsx';
import { SessionList } from './session-list.tsx';

/** The session is in the address, so that a reload and a second page show the same. */
function sessionInAddress(): string {
  const found = window.location.hash.slice(1);
  if (found !== '') return found;
  const id = crypto.randomUUID();
  window.history.replaceState(null, '', `#${id}`);
  return id;
}

const pollMs = 2500;

export function App() {
  const [current, setCurrent] = useState(sessionInAddress);
  const [history, setHistory] = useState<{ id: string; page: Page }>();
  const [sessions, setSessions] = useState<{ readonly list: readonly SessionSummary[]; readonly at: number }>({
    list: [],
    at: 0,
  });
  const [failure, setFailure] = useState<unknown>();
  const [menuOpen, setMenuOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);

  const refresh = useCallback(async () => {
    const at = performance.now();
    try {
      setSessions({ list: await listSessions(), at });
    } catch {
      // The conversation shows that the server cannot be reached.
    }
  }, []);

  useEffect(() => {
    const follow = (): void => setCurrent(sessionInAddress());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);

  useEffect(() => {
    void refresh();
    const timer = setInterval(() => document.visibilityState === 'visible' && void refresh(), pollMs);
    return () => clearInterval(timer);
  }, [refresh]);

  useEffect(() => {
    let left = false;
    setFailure(undefined);
    loadMessages(current).then(
      (page) => left || setHistory({ id: current, page }),
      (error: unknown) => left || setFailure(error),
    );
    return () => {
      left = true;
    };
  }, [current]);

  const open = (id: string): void => {
    window.location.hash = id;
    setMenuOpen(false);
  };
  const closeMenu = (): void => {
    setMenuOpen(false);
    menuButton.current?.focus();
  };
  const remove = async (id: string): Promise<void> => {
    try {
      await deleteSession(id);
      if (id === current) open(crypto.randomUUID());
      await refresh();
    } catch (error) {
      setFailure(error);
    }
  };

  const summary = sessions.list.find(({ id }) => id === current);
  const menu = (
    <button
      ref={menuButton}
      type="button"
      className="icon-button menu-button"
      aria-label="Conversations"
      aria-expanded={menuOpen}
      aria-controls="sessions"
      onClick={() => setMenuOpen(!menuOpen)}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M3 6h14M3 10h14M3 14h9" />
      </svg>
    </button>
  );
  const title = summary?.title;
  return (
    <div className="app">
      <a className="skip" href="#message" onClick={(event) => (event.preventDefault(), focusComposer())}>
        Skip to the message field
      </a>
      <SessionList
        sessions={sessions.list}
        current={current}
        open={menuOpen}
        onOpen={open}
        onNew={() => open(crypto.randomUUID())}
        onRemove={remove}
        onClose={closeMenu}
      />
      <main className="main">
        {failure !== undefined && <Notice error={failure} onDismiss={() => setFailure(undefined)} />}
        {history?.id === current ? (
          <Conversation
            key={current}
            id={current}
            history={history.page}
            title={title}
            menu={menu}
            server={{ state: summary?.state, at: sessions.at }}
            onChange={refresh}
          />
        ) : (
          <>
            <Bar title={title} menu={menu} />
            <div className="loading" role="status">
              {failure === undefined && 'Loading the conversation'}
            </div>
          </>
        )}
      </main>
    </div>
  );
}

function focusComposer(): void {
  document.getElementById('message')?.focus();
}
