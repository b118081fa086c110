import { SdkError, type SessionStore, type TranscriptsOf } from '@hexagent/ports';

/** A store of transcripts for each lease, over one that knows no fences: for tests, in one process. */
export function fencedTranscripts(store: SessionStore): TranscriptsOf {
  const highest = new Map<string, number>();
  return ({ session, fence }) => {
    const isCurrent = (): boolean => {
      const seen = highest.get(session) ?? 0;
      if (fence === undefined) return true;
      highest.set(session, Math.max(seen, fence));
      return fence >= seen;
    };
    const refuseOlder = (): void => {
      if (isCurrent()) return;
      const newest = highest.get(session);
      throw new SdkError(
        'LEASE_LOST',
        `The session ${session} is driven under lease ${newest}; this was lease ${fence}.`,
      );
    };
    const fenced: SessionStore = {
      async append(key, entries) {
        refuseOlder();
        await store.append(key, entries);
      },
      async delete(key) {
        refuseOlder();
        await store.delete?.(key);
      },
      async load(key) {
        isCurrent();
        return await store.load(key);
      },
    };
    return new Proxy(store, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name);
        const value: unknown = own === undefined ? own : (Reflect.get(fenced, name) ?? own);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
}
