import type { ChatStream } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import {
  caller,
  fakeFleet,
  fakeStream,
  present,
  type FakeFleet,
  type FakeStream,
  type FakeWorker,
} from './fake-fleet.ts';

interface Streaming {
  readonly worker: FakeWorker;
  readonly source: FakeStream;
  readonly stream: ChatStream;
  readonly release: () => Promise<void>;
}

async function streaming(fleet: FakeFleet): Promise<Streaming> {
  const [worker, source] = [await fleet.add('a'), fakeStream()];
  const lease = await fleet.give(worker);
  worker.on('stream', () => source.stream);
  const stream = present(await fleet.chats.sessions.stream('chat', caller));
  return { worker, source, stream, release: () => fleet.leases.release(lease) };
}

const bytes = new TextEncoder().encode('text');

describe('The stream of a worker', () => {
  it('arrives as it is, to its end', async () => {
    await using fleet = fakeFleet();
    const { stream, source } = await streaming(fleet);
    const reader = stream.body.getReader();
    source.controller.enqueue(bytes);
    expect(stream.headers).toEqual({ is: 'a stream' });
    expect((await reader.read()).value).toBe(bytes);
    source.controller.close();
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    expect([fleet.clock.waiting, source.cancels]).toEqual([0, []]);
  });

  it('is not read ahead of the page', async () => {
    await using fleet = fakeFleet();
    const { source } = await streaming(fleet);
    source.controller.enqueue(bytes);
    await microtasks();
    expect(source.controller.desiredSize).toBe(0);
  });

  it('fails as it does at the worker', async () => {
    await using fleet = fakeFleet();
    const { stream, source } = await streaming(fleet);
    source.controller.error(new Error('reset'));
    await expect(stream.body.getReader().read()).rejects.toThrow('reset');
    expect(fleet.clock.waiting).toBe(0);
  });

  it('is cancelled at the worker by its reader', async () => {
    await using fleet = fakeFleet();
    const { stream, source } = await streaming(fleet);
    await stream.body.cancel('gone');
    expect([source.cancels, fleet.clock.waiting]).toEqual([['gone'], 0]);
  });

  it('continues while it is silent and the same worker drives the chat', async () => {
    await using fleet = fakeFleet();
    const { stream, source } = await streaming(fleet);
    const read = stream.body.getReader().read();
    await fleet.pass(10_000);
    source.controller.enqueue(bytes);
    expect((await read).value).toBe(bytes);
  });

  it.each([
    ['another worker drives the chat', true],
    ['no worker does', false],
  ])('fails once it is silent for three seconds and %s', async (_, hasOther) => {
    await using fleet = fakeFleet();
    const { stream, source, release } = await streaming(fleet);
    await release();
    if (hasOther) await fleet.give(await fleet.add('b'));
    const reader = stream.body.getReader();
    const ends: unknown[] = [];
    const failed = async (): Promise<unknown> => await reader.read().catch((error: unknown) => ends.push(error));
    for (let chunk = 0; chunk < 3; chunk += 1) {
      const read = failed();
      await fleet.pass(2000);
      source.controller.enqueue(bytes);
      await read;
    }
    void failed();
    await fleet.pass(2975);
    expect(ends).toEqual([]);
    await fleet.pass(3000);
    expect(ends).toMatchObject([{ code: 'WORKER_UNREACHABLE' }]);
    expect([source.cancels.length, fleet.clock.waiting]).toEqual([1, 0]);
  });

  it('does not fail where the page reads nothing, though its turn has ended and the chat is free', async () => {
    await using fleet = fakeFleet();
    const { stream, source, release } = await streaming(fleet);
    source.controller.enqueue(bytes);
    source.controller.close();
    await release();
    await fleet.pass(10_000);
    const reader = stream.body.getReader();
    expect((await reader.read()).value).toBe(bytes);
    expect((await reader.read()).done).toBe(true);
  });

  it('does not fail where something arrives while that is looked up', async () => {
    await using fleet = fakeFleet();
    const { stream, source } = await streaming(fleet);
    let answer = (): void => {};
    fleet.leases.where = () => new Promise((resolve) => (answer = () => resolve(undefined)));
    const reader = stream.body.getReader();
    const read = reader.read();
    await fleet.pass(3000);
    source.controller.enqueue(bytes);
    await read;
    const next = reader.read();
    answer();
    await microtasks();
    source.controller.enqueue(bytes);
    expect((await next).value).toBe(bytes);
  });

  it('continues where the leases cannot be read', async () => {
    await using fleet = fakeFleet();
    const { stream, source } = await streaming(fleet);
    fleet.leases.where = () => Promise.reject(new Error('no network'));
    const read = stream.body.getReader().read();
    await fleet.pass(10_000);
    source.controller.enqueue(bytes);
    expect((await read).value).toBe(bytes);
  });

  it('fails with `HOST_CLOSED` when the chats are closed, and is cancelled at the worker', async () => {
    await using fleet = fakeFleet();
    const { stream, source } = await streaming(fleet);
    fleet.chats.close();
    await expect(stream.body.getReader().read()).rejects.toMatchObject({ code: 'HOST_CLOSED' });
    expect([source.cancels.length, fleet.clock.waiting]).toEqual([1, 0]);
  });

  it('is cancelled where it arrives after its call was given up', async () => {
    await using fleet = fakeFleet();
    const [worker, source] = [await fleet.add('a'), fakeStream()];
    let answer = (): void => {};
    worker.on('stream', () => new Promise((resolve) => (answer = () => resolve(source.stream))));
    const refused = expect(fleet.chats.sessions.stream('chat', caller)).rejects.toMatchObject({
      code: 'WORKER_UNREACHABLE',
    });
    await fleet.pass(20_000);
    await refused;
    answer();
    await microtasks();
    expect([source.cancels.length, fleet.clock.waiting]).toEqual([1, 0]);
  });
});
