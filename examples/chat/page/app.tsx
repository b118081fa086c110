import { useCallback, useEffect, useRef, useState } from 'react';
import { loadMessages, type Page, type SessionSummary } from './api.ts';
import { AwayNotice } from './away-notice.tsx';
import { Bar } from './bar.tsx';
import { Conversation } from './conversation.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { focusField } from './focus.ts';
import { isDisconnection, Notice } from './notice.tsx';
import { SessionList } from './session-list.tsx';
import { UndoToast } from './undo-toast.tsx';
import { useAddress, type Shown } from './use-address.ts';
import { useDeletion } from './use-deletion.ts';
import { useSessions } from './use-sessions.ts';

export function App() {
  const { shown, open, openNew, begin } = useAddress();
  const { sessions, refresh, isDeleted } = useSessions();
  const [failure, setFailure] = useState<unknown>();
  const history = useHistory(shown, { at: sessions.at, onFailure: setFailure });
  const { hidden, undoable, remove, undo, commit } = useDeletion({ onDeleted: refresh, onFailure: setFailure });
  const [asked, setAsked] = useState<SessionSummary>();
  const [menuOpen, setMenuOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);

  const show = (id: string): void => {
    open(id);
    setMenuOpen(false);
  };
  const showNew = (): void => {
    openNew();
    setMenuOpen(false);
    focusField();
  };
  const closeMenu = (): void => {
    setMenuOpen(false);
    menuButton.current?.focus();
  };
  const removeAsked = (): void => {
    if (asked === undefined) return;
    remove(asked);
    if (asked.id === shown.id) openNew();
    // The button that opened the dialog is gone with its chat.
    requestAnimationFrame(() => (menuOpen ? document.getElementById('new-chat')?.focus() : focusField()));
  };
  const expire = useCallback(() => void commit(), [commit]);

  const isAway = sessions.failure !== undefined;
  const summary = sessions.list.find(({ id }) => id === shown.id);
  const title = summary?.title;
  const menu = (
    <button
      ref={menuButton}
      type="button"
      className="icon-button menu-button"
      aria-label="Chats"
      aria-expanded={menuOpen}
      aria-controls="sessions"
      onClick={() => setMenuOpen(!menuOpen)}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M3 6h14M3 10h14M3 14h9" />
      </svg>
    </button>
  );
  return (
    <div className="app">
      {typeof history === 'object' && (
        <a className="skip" href="#message" onClick={(event) => (event.preventDefault(), focusField())}>
          Skip to the message field
        </a>
      )}
      <SessionList
        sessions={sessions.list.filter(({ id }) => !hidden.has(id))}
        current={shown.id}
        open={menuOpen}
        isAway={isAway}
        onOpen={show}
        onNew={showNew}
        onDelete={setAsked}
        onRenamed={refresh}
        onFailure={setFailure}
        onClose={closeMenu}
      />
      <main className="main">
        {failure !== undefined && <Notice error={failure} onDismiss={() => setFailure(undefined)} />}
        {typeof history === 'object' ? (
          <Conversation
            key={shown.id}
            id={shown.id}
            history={history}
            title={title}
            menu={menu}
            server={{ state: summary?.state, at: sessions.at, failure: sessions.failure }}
            isDeleted={isDeleted(shown.id)}
            onChange={refresh}
            onBegin={() => begin(shown.id)}
            onNew={showNew}
          />
        ) : (
          <>
            <Bar title={title} menu={menu} />
            {history === 'missing' && <Missing onNew={showNew} />}
            {history === 'loading' && (
              <div className="loading" role="status">
                {isAway ? (
                  <AwayNotice error={sessions.failure} wasWorking={false} onRetry={() => void refresh()} />
                ) : (
                  'Loading…'
                )}
              </div>
            )}
          </>
        )}
      </main>
      {asked && <DeleteDialog session={asked} onDelete={removeAsked} onClose={() => setAsked(undefined)} />}
      {undoable && (
        <UndoToast
          key={undoable.id}
          text="Chat deleted"
          onExpire={expire}
          onUndo={() => {
            const id = undo();
            // It was shown when it was deleted.
            if (id !== undefined && window.location.hash === '') show(id);
            focusField();
          }}
        />
      )}
    </div>
  );
}

function Missing({ onNew }: { onNew(): void }) {
  return (
    <div className="loading" role="status">
      <p>This chat does not exist. It may have been deleted.</p>
      <div className="buttons">
        <button type="button" onClick={onNew}>
          New chat
        </button>
      </div>
    </div>
  );
}

const nothing: Page = { messages: [], hasEarlier: false, cursor: '', state: 'idle' };

interface HistoryOptions {
  /** When the server answered last: what failed is asked for again. */
  readonly at: number;
  onFailure(error: unknown): void;
}

/** The messages of the chat that is shown, without those of the turn that runs. */
function useHistory({ id, isNew }: Shown, { at, onFailure }: HistoryOptions): Page | 'loading' | 'missing' {
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly page: Page | undefined }>();
  const isLoaded = isNew || loaded?.id === id;
  useEffect(() => {
    if (isLoaded) return undefined;
    let left = false;
    loadMessages(id).then(
      (page) => left || setLoaded({ id, page }),
      (error: unknown) => left || isDisconnection(error) || onFailure(error),
    );
    return () => {
      left = true;
    };
  }, [id, isLoaded, at, onFailure]);
  if (isNew) return nothing;
  return loaded?.id === id ? (loaded.page ?? 'missing') : 'loading';
}
