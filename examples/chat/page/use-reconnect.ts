import { useEffect, useRef } from 'react';

const delaysMs = [500, 1000, 2000, 4000, 8000];

/** While the connection is lost: tries again at once when the browser is back online, and after growing delays otherwise. */
export function useReconnect(offline: boolean, catchUp: () => Promise<void>): void {
  const attempts = useRef(0);
  useEffect(() => {
    if (!offline) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    const again = (): void => {
      const delay = delaysMs[Math.min(attempts.current, delaysMs.length - 1)];
      attempts.current += 1;
      timer = setTimeout(attempt, delay);
    };
    const attempt = (): void => {
      clearTimeout(timer);
      // Where it succeeds, the state is no longer `offline`, and what is planned here is cleared.
      const next = (): void => void (left || again());
      catchUp().then(next, next);
    };
    attempts.current = 0;
    again();
    window.addEventListener('online', attempt);
    return () => {
      left = true;
      clearTimeout(timer);
      window.removeEventListener('online', attempt);
    };
  }, [offline, catchUp]);
}
