import type { SessionStoreEntry } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { InMemorySessionStore, StoredSessionService, StoreTranscripts } from '../src/index.ts';

const projectKey = '-work';
const sessionId = '11111111-2222-4333-8444-555555555555';

let made = 0;
const ids = {
  request: (): string => '',
  uuid: (): string => `99999999-2222-4333-8444-${String((made += 1)).padStart(12, '0')}`,
};

describe('A session in a store', () => {
  it('is forked although it has more entries than a call can have arguments', async () => {
    const store = new InMemorySessionStore();
    const entries = Array.from({ length: 200_000 }, (_, place): SessionStoreEntry => {
      const parentUuid = place === 0 ? null : `u${place - 1}`;
      return { type: 'user', uuid: `u${place}`, parentUuid, message: { content: 'x' } };
    });
    await store.append({ projectKey, sessionId }, entries);
    const now = (): number => 0;
    const transcripts = new StoreTranscripts({ store, projectKeyOf: async () => projectKey, ids, now });
    const { sessionId: copy } = await new StoredSessionService({ transcripts, ids, now }).fork(sessionId);
    expect(store.getEntries({ projectKey, sessionId: copy })).toHaveLength(entries.length + 1); // and its title
  });
});
