import type { ChatStart } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { caller, fakeFleet, fakeStream, refusing, type FakeFleet } from './fake-fleet.ts';

const start = ({ chats }: FakeFleet): Promise<ChatStart> =>
  chats.sessions.start('chat', { id: 'one', content: 'go' }, { steer: false }, caller);

const answers = (answer: ChatStart) => (): ChatStart => answer;
const elsewhere = { kind: 'elsewhere' } as const;

describe('A message', () => {
  it('is sent to the worker that drives the chat, and has the stream of its turn', async () => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    await fleet.give(b);
    const given: unknown[] = [];
    b.on('start', (...args) => {
      given.push(...args);
      return { kind: 'accepted', stream: fakeStream().stream };
    });
    expect(await start(fleet)).toMatchObject({ kind: 'accepted', stream: { headers: { is: 'a stream' } } });
    expect(given).toEqual(['chat', { id: 'one', content: 'go' }, { steer: false }, caller]);
    expect(a.calls).toEqual([]);
  });

  it.each([
    { kind: 'busy' },
    { kind: 'unknown' },
    { kind: 'duplicate', stream: undefined },
    { kind: 'full', retryAfterMs: 5 },
  ] as const)('is $kind where the worker of the chat answers so', async (answer) => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    await fleet.give(a);
    a.on('start', answers(answer));
    expect(await start(fleet)).toEqual(answer);
    expect([a.calls, b.calls]).toEqual([['start'], []]);
  });

  it('is tried at each worker where the chat is new and no more sessions fit', async () => {
    await using fleet = fakeFleet();
    const workers = [await fleet.add('a'), await fleet.add('b'), await fleet.add('c')];
    for (const [at, worker] of workers.entries()) worker.on('start', answers({ kind: 'full', retryAfterMs: at }));
    expect(await start(fleet)).toMatchObject({ kind: 'full' });
    expect(workers.map(({ calls }) => calls)).toEqual([['start'], ['start'], ['start']]);
    workers[1]?.on('start', answers({ kind: 'accepted', stream: fakeStream().stream }));
    expect(await start(fleet)).toMatchObject({ kind: 'accepted' });
  });

  it('is stored by another worker while the one that drives the chat drains', async () => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    await fleet.give(a);
    a.on('start', refusing('HOST_CLOSED'));
    b.on('start', answers(elsewhere));
    expect(await start(fleet)).toEqual(elsewhere);
    expect([a.calls, b.calls]).toEqual([['start'], ['start']]);
  });

  it('waits for the next worker where it cannot be stored by another one', async () => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    const lease = await fleet.give(a);
    a.on('start', refusing('HOST_CLOSED'));
    b.on('start', refusing('SESSION_HELD'));
    const started = start(fleet);
    await fleet.pass(2000);
    b.on('start', answers({ kind: 'accepted', stream: fakeStream().stream }));
    await fleet.leases.release(lease);
    await fleet.pass(1000);
    expect(await started).toMatchObject({ kind: 'accepted' });
  });
});

describe('A message that a worker stored for another one', () => {
  it('is found there, with the stream of its turn', async () => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    const lease = await fleet.give(a);
    a.on('start', async () => {
      await fleet.leases.release(lease);
      await fleet.give(b);
      return elsewhere;
    });
    b.on('start', answers({ kind: 'duplicate', stream: fakeStream().stream }));
    expect(await start(fleet)).toMatchObject({ kind: 'duplicate', stream: { headers: { is: 'a stream' } } });
    expect([a.calls, b.calls]).toEqual([['start'], ['start']]);
  });

  it.each([
    ['refuses it', refusing('SESSION_CRASHING')],
    ['is not reached', refusing('WORKER_UNREACHABLE')],
    ['has finished it', answers({ kind: 'duplicate', stream: undefined })],
    ['has no room', answers({ kind: 'full' })],
  ])('is accepted also where that one %s', async (_, answer) => {
    await using fleet = fakeFleet();
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    const lease = await fleet.give(a);
    a.on('start', async () => {
      await fleet.leases.release(lease);
      await fleet.give(b);
      return elsewhere;
    });
    b.on('start', answer);
    const started = start(fleet);
    await fleet.pass(25);
    expect([await started, a.calls, b.calls]).toEqual([elsewhere, ['start'], ['start']]);
  });

  it('is not looked for longer than a moment', async () => {
    await using fleet = fakeFleet();
    const a = await fleet.add('a');
    a.on('start', answers(elsewhere));
    const started = start(fleet);
    await fleet.pass(25 + 50 + 100);
    expect([await started, a.calls.length]).toEqual([elsewhere, 5]);
  });

  it('is accepted where no worker is left to look for it', async () => {
    await using fleet = fakeFleet();
    const a = await fleet.add('a');
    a.on('start', async () => {
      await fleet.leases.leave(a.member);
      return elsewhere;
    });
    expect(await start(fleet)).toEqual(elsewhere);
  });
});

describe('A message whose answer was lost', () => {
  it('is not one that the page sent twice, where it has been run meanwhile', async () => {
    await using fleet = fakeFleet();
    const a = await fleet.add('a');
    await fleet.give(a);
    a.on('start', () => {
      a.on('start', answers({ kind: 'duplicate', stream: undefined }));
      refusing('WORKER_UNREACHABLE')();
    });
    const started = start(fleet);
    await fleet.pass(25);
    expect(await started).toEqual(elsewhere);
  });

  it('has the stream of its turn where that runs', async () => {
    await using fleet = fakeFleet();
    const a = await fleet.add('a');
    await fleet.give(a);
    a.on('start', () => {
      a.on('start', answers({ kind: 'duplicate', stream: fakeStream().stream }));
      refusing('WORKER_UNREACHABLE')();
    });
    const started = start(fleet);
    await fleet.pass(25);
    expect(await started).toMatchObject({ kind: 'duplicate', stream: { headers: { is: 'a stream' } } });
  });
});
