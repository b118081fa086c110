import { useCallback, useEffect, useRef, useState } from 'react';
import { listSessions, type SessionSummary } from './api.ts';

export interface Sessions {
  readonly list: readonly SessionSummary[];
  /** When the server was asked, by `performance.now()`. */
  readonly at: number;
  /** Why the server did not answer the last time it was asked. */
  readonly failure: unknown;
}

const pollMs = 2500;

/** The chats of the server, asked for again and again: this also shows whether the server is there. */
export function useSessions() {
  const [sessions, setSessions] = useState<Sessions>({ list: [], at: 0, failure: undefined });
  const seen = useRef(new Set<string>());
  const deleted = useRef<ReadonlySet<string>>(new Set());

  const refresh = useCallback(async () => {
    const at = performance.now();
    try {
      const { sessions: list, hasMore } = await listSessions();
      const listed = new Set(list.map(({ id }) => id));
      // A long list ends before the oldest chats, so a chat that is not in it any more may still exist.
      if (!hasMore) deleted.current = new Set([...seen.current].filter((id) => !listed.has(id)));
      for (const id of listed) seen.current.add(id);
      setSessions({ list, at, failure: undefined });
    } catch (failure) {
      setSessions((last) => ({ ...last, failure }));
    }
  }, []);

  useEffect(() => {
    const refreshIfSeen = (): void => void (document.visibilityState === 'visible' && refresh());
    void refresh();
    const timer = setInterval(refreshIfSeen, pollMs);
    window.addEventListener('online', refreshIfSeen);
    window.addEventListener('offline', refreshIfSeen);
    document.addEventListener('visibilitychange', refreshIfSeen);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', refreshIfSeen);
      window.removeEventListener('offline', refreshIfSeen);
      document.removeEventListener('visibilitychange', refreshIfSeen);
    };
  }, [refresh]);

  return { sessions, refresh, isDeleted: (id: string) => deleted.current.has(id) };
}
