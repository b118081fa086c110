import { useCallback, useEffect, useState } from 'react';

/** The chat that is shown. */
export interface Shown {
  readonly id: string;
  /** The server does not know it: it begins with the first message. */
  readonly isNew: boolean;
}

function shownInAddress(): Shown {
  const id = window.location.hash.slice(1);
  return id === '' ? { id: crypto.randomUUID(), isNew: true } : { id, isNew: false };
}

/** The chat is in the address, so that a reload and a second page show the same; a new one is once it has begun. */
export function useAddress() {
  const [shown, setShown] = useState(shownInAddress);
  useEffect(() => {
    const follow = (): void => setShown(shownInAddress());
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const open = useCallback((id: string) => {
    window.history.pushState(null, '', `#${id}`);
    setShown({ id, isNew: false });
  }, []);
  const openNew = useCallback(() => {
    if (window.location.hash === '') return;
    window.history.pushState(null, '', window.location.pathname);
    setShown(shownInAddress());
  }, []);
  const begin = useCallback((id: string) => window.history.replaceState(null, '', `#${id}`), []);
  return { shown, open, openNew, begin };
}
