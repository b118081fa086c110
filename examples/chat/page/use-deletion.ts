import { useCallback, useEffect, useRef, useState } from 'react';
import { deleteSession, type SessionSummary } from './api.ts';

interface Options {
  /** The chat is deleted on the server. */
  onDeleted(): Promise<void>;
  onFailure(error: unknown): void;
}

/**
 * Hides a chat at once, and deletes it when it can no longer be undone: the server has no way back. A page that is closed
 * deletes it, too.
 */
export function useDeletion({ onDeleted, onFailure }: Options) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [undoable, setUndoable] = useState<SessionSummary>();
  const waiting = useRef<string>(undefined);

  const show = useCallback((id: string) => setHidden((ids) => new Set([...ids].filter((each) => each !== id))), []);
  const commit = useCallback(async () => {
    const id = waiting.current;
    waiting.current = undefined;
    setUndoable(undefined);
    if (id === undefined) return;
    try {
      await deleteSession(id);
      await onDeleted();
    } catch (error) {
      onFailure(error);
    }
    show(id);
  }, [onDeleted, onFailure, show]);
  useEffect(() => {
    const leave = (): void => void commit();
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [commit]);

  const remove = (session: SessionSummary): void => {
    void commit();
    waiting.current = session.id;
    setUndoable(session);
    setHidden((ids) => new Set([...ids, session.id]));
  };
  const undo = (): string | undefined => {
    const id = waiting.current;
    waiting.current = undefined;
    setUndoable(undefined);
    if (id !== undefined) show(id);
    return id;
  };
  return { hidden, undoable, remove, undo, commit };
}
