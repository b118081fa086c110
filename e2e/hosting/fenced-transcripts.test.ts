import { MemoryDirectory, MemoryLeases, MemoryOutbox, type SessionHostOptions } from '@hexagent/hosting';
import type { TranscriptsOf } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { openSession, storedSessions } from '@hexagent/sdk';
import { InMemorySessionStore } from '@hexagent/sdk/claude-agent-sdk';
import { fencedTranscripts, HandClock } from '@hexagent/testing';
import { gate, reply, text, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { agentsOf, follow, hostOf } from './hosts.ts';

/** Stores of each lease over one store, and under which fence each line of a transcript was stored, or refused. */
function recorded(): {
  readonly storeOf: TranscriptsOf;
  readonly calls: (readonly [fence: number, isStored: boolean])[];
} {
  const fenced = fencedTranscripts(new InMemorySessionStore());
  const calls: (readonly [number, boolean])[] = [];
  const storeOf: TranscriptsOf = (lease) => {
    const store = fenced(lease);
    return {
      load: (key) => store.load(key),
      listSubkeys: async (key) => (await store.listSubkeys?.(key)) ?? [],
      async append(key, entries) {
        const { fence = 0 } = lease;
        await store.append(key, entries).then(
          () => calls.push([fence, true]),
          (error: unknown) => {
            calls.push([fence, false]);
            throw error;
          },
        );
      },
    };
  };
  return { storeOf, calls };
}

const hangs = toolUse('Bash', { command: 'tail -f /dev/null' });

const openIn =
  (place: Stage, storeOf: TranscriptsOf): SessionHostOptions['open'] =>
  ({ session, fence, options }) =>
    openSession({
      ...place.options,
      ...options,
      permissions: { allow: ['Bash'] },
      store: storeOf({ session, fence }),
    });

withCli('A hosted session whose lease was taken by another process while its own was frozen', () => {
  it('has no line of its old agent, which is ended, and runs its message once', async () => {
    const held = gate();
    let isTaken = false;
    await using place = await stage((_: ModelRequest): TurnLike =>
      // A turn that would never end: only the refused line ends its agent.
      isTaken ? 'all of it' : reply([text(['the beginning', held, 'the end']), hangs]),
    );
    const { storeOf, calls } = recorded();
    const time = new HandClock();
    const leases = new MemoryLeases({ clock: time, renewWithinMs: 1000 });
    const stores = { outbox: new MemoryOutbox(), directory: new MemoryDirectory(), leases };
    const open = openIn(place, storeOf);
    // The timers of a frozen process do not fire.
    await using frozen = hostOf(place, { ...stores, open, clock: new HandClock() });
    await frozen.create('chat');
    const { done, uuid } = await frozen.send('chat', 'one');
    const lost = expect(done).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await place.loopback.received(1);
    await expect.poll(() => calls.length, { timeout: 10_000 }).toBeGreaterThan(0);
    const older = calls[0]?.[0];

    time.advance(1000);
    isTaken = true;
    await using next = hostOf(place, {
      ...stores,
      open,
      clock: systemClock,
      autoResume: 'continue',
      takeoverGraceMs: 0,
    });
    const followed = follow(next, 'chat');
    expect(await next.recover()).toEqual(['chat']);
    await followed.until((event) => event.kind === 'outbox' && event.state === 'completed');
    held.open();
    await lost;
    await expect.poll(() => agentsOf(place).length).toBe(1);

    // One refused line was enough: none is tried after it.
    const ofOlder = calls.filter(([fence]) => fence === older).map(([, isStored]) => isStored);
    expect([ofOlder.indexOf(false), ofOlder.length]).toEqual([ofOlder.length - 1, ofOlder.length]);
    expect(calls.slice(calls.findIndex(([fence]) => fence !== older))).not.toContainEqual([older, true]);
    expect(calls.at(-1)).not.toEqual([older, true]);
    expect(await stores.outbox.stateOf({ session: 'chat', uuid })).toBe('completed');
    expect(place.loopback.requests).toHaveLength(2);
    const { sessionId = '' } = (await next.get('chat')) ?? {};
    const texts: string[] = [];
    const sessions = storedSessions({ store: storeOf({ session: 'chat' }) });
    for await (const message of sessions.messages(sessionId, { dir: place.home.cwd }))
      texts.push(JSON.stringify(message));
    expect(texts.filter((each) => each.includes('"one"'))).toHaveLength(1);
    expect(texts.join()).toContain('all of it');
    expect(texts.join()).not.toContain('the end');
  });
});
