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
    const fenced: Pick<SessionStore, 'append' | 'load'> = {
      async append(key, entries) {
        if (!isCurrent())
          throw new SdkError(
            'LEASE_LOST',
            `The session ${session} is driven under lease ${highest.get(session)}; this was lease ${fence}.`,
          );
        await store.append(key, entries);
      },
      async load(key) {
        isCurrent();
        return await store.load(key);
      },
    };
    return new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(fenced, name) ?? Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
}
