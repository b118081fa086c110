import { randomUUID } from 'node:crypto';
import type { SessionSignal } from '@hexagent/ports';
import { describe, expect, inject, it } from 'vitest';
import { placeIn } from './places.ts';

/** What a program or a caller may name, and a database must neither run nor confuse. */
const names: readonly string[] = [
  `'; drop schema public cascade; --`,
  `"); delete from sessions; select ('`,
  `\\'; select pg_sleep(60); --`,
  `$1 $$ $body$ %s {} {"a"} ,NULL, \\N`,
  `E'\\x27' U&'\\0027' /* -- */`,
  'a NUL \0 within',
  '\0',
  'half \ud83d of a pair',
  'half \ude00 of a pair',
  '\ufffd',
  '\u0007\u001b[31m\n\r\u2028',
  '../../etc/passwd',
  'é e\u0301 😀 ß ẞ İ',
];

describe.each(inject('servers'))('Any text, on the server of $kind', (server) => {
  it('is kept as it was, in the place of every name and value, and confused with no other', async () => {
    await using place = placeIn(server);
    // The first worker is still one of the workers at the end.
    const { outbox, directory, approvals, leases, transcriptsOf } = place.open({ leaseMs: 60_000 });
    for (const [number, name] of names.entries()) {
      const member = await leases.join({ owner: name, address: name });
      const answer = await leases.acquire(name, member);
      const { fence } = answer.kind === 'acquired' ? answer.lease : { fence: 0 };
      expect(await leases.where(name)).toEqual({ owner: name, address: name });
      const input = { content: name, fields: { [name]: [name] } };
      expect(await outbox.enqueue({ session: name, uuid: name, input })).toEqual({ kind: 'accepted', number: 1 });
      await outbox.mark({ session: name, uuid: name }, 'started', fence);
      expect(await outbox.pending(name)).toEqual([{ session: name, uuid: name, input, state: 'started', number: 1 }]);
      const facts = { [name]: name };
      const times = { createdAt: number, updatedAt: number };
      const session = { id: name, sessionId: name, tenant: name, begun: 'no', ...times, facts } as const;
      await directory.put(session, fence);
      expect(await directory.list({ tenant: name })).toEqual([session]);
      const asked = { id: name, session: name, kind: 'permission', toolUseId: name, tool: name } as const;
      const record = { ...asked, input: { [name]: name }, suggestions: [], createdAt: 1, state: 'open' } as const;
      await approvals.add(record);
      expect(await approvals.list({ session: name, tool: name, state: 'open' })).toEqual([record]);
      const transcripts = transcriptsOf({ session: name, fence });
      const key = { projectKey: name, sessionId: name, subpath: name };
      const entries = [{ type: name, uuid: name, [name]: name }, { type: 'a title' }];
      await transcripts.append(key, entries);
      await transcripts.append({ projectKey: name, sessionId: name }, entries);
      expect(await transcripts.load(key)).toEqual(entries);
      expect(await transcripts.listSubkeys?.(key)).toEqual([name]);
      expect(await transcripts.listSessions?.(name)).toEqual([expect.objectContaining({ sessionId: name })]);
    }
    expect((await directory.list()).map(({ id }) => id)).toEqual(names.toReversed());
    expect(await leases.workers()).toHaveLength(names.length);
  });

  it('names a session to other processes', async () => {
    await using place = placeIn(server);
    const [here, there] = [place.open(), place.open()];
    const received: SessionSignal[] = [];
    here.signals.subscribe((signal) => received.push(signal));
    await expect
      .poll(() => {
        for (const session of names) there.signals.send({ session, kind: 'moved' });
        return names.filter((name) => !received.some(({ session }) => session === name));
      })
      .toEqual([]);
    expect(received.filter(({ session }) => !names.includes(session))).toEqual([]);
  });

  it('that is too long for a name is refused, and all else is stored', async () => {
    await using place = placeIn(server);
    const { outbox } = place.open();
    const session = Array.from({ length: 200 }, randomUUID).join();
    const message = { session, uuid: randomUUID(), input: { content: 'hello' } };
    await expect(outbox.enqueue(message)).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(await outbox.enqueue({ ...message, session: 'a' })).toEqual({ kind: 'accepted', number: 1 });
  });

  it('of twenty megabytes is a message, and one of a thousand characters that need escapes, too', async () => {
    await using place = placeIn(server);
    const { outbox } = place.open();
    const contents = ['é'.repeat(10_000_000), '\0'.repeat(1000)];
    for (const content of contents) await outbox.enqueue({ session: 'a', uuid: randomUUID(), input: { content } });
    const pending = await outbox.pending('a');
    expect(pending.map(({ input }, at) => input.content === contents[at])).toEqual([true, true]);
  });
});
