import type { SessionHost, SessionInfo } from '@hexagent/hosting';
import { listSessionRecords } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { ownSessions } from '../src/own-sessions.ts';

const names = (count: number, prefix = ''): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}chat-${String(at).padStart(4, '0')}`);

/** A host of sessions that were used at the same time. What is before the dot of an id is its tenant. */
function hostOf(...ids: readonly string[]): {
  readonly host: Pick<SessionHost, 'list'>;
  readonly listed: () => number;
} {
  const infos = ids.map(
    (id) => ({ id, updatedAt: 1, tenant: id.includes('.') ? id.split('.')[0] : undefined }) as SessionInfo, // what is read of it
  );
  let listed = 0;
  const host: Pick<SessionHost, 'list'> = {
    async list(query) {
      const page = listSessionRecords(infos, query) as readonly SessionInfo[]; // some of these
      listed += page.length;
      return page;
    },
  };
  return { host, listed: () => listed };
}

describe('The sessions of a caller that were used last', () => {
  it.each([20, 120])('are found by reading no others: %i of 2000', async (count) => {
    const { host, listed } = hostOf(...names(2000, 'north.'), ...names(10));
    const found = await ownSessions(host, { name: 'ada', tenant: 'north' }, count);
    expect(found.map(({ id }) => id)).toEqual(names(2000, 'north.').slice(0, count));
    expect(listed()).toBe(count);
  });

  it('are those without a tenant for a caller without one, although others are between them', async () => {
    const { host } = hostOf(...names(50, 'a.'), ...names(30), ...names(50, 'd.'));
    const found = async (count: number): Promise<readonly string[]> =>
      (await ownSessions(host, { name: 'ada' }, count)).map(({ id }) => id);
    expect(await found(20)).toEqual(names(30).slice(0, 20));
    expect(await found(30)).toEqual(names(30));
    expect(await found(100)).toEqual(names(30));
  });
});
