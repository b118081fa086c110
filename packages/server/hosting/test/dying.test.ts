import { SdkError } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import type { SessionHostOptions } from '../src/index.ts';
import { FakeAgent, fakeHost, follow } from './fake-agents.ts';

describe('An agent that dies', () => {
  it('is reported with why it could not start up', async () => {
    const refusal = new SdkError('INITIALIZE_FAILED', 'It does not support `onFailure`.');
    const open: SessionHostOptions['open'] = async (request) => {
      const agent = new FakeAgent(request);
      agent.ready = Promise.reject(refusal);
      agent.ready.catch(() => agent.die({ code: 0, signal: null }));
      return agent;
    };
    await using of = fakeHost({ open });
    const errors: unknown[] = [];
    await of.host.create('a');
    void follow(of, 'a', (event) => event.kind === 'crashed' && errors.push(event.error));
    await of.host.send('a', 'hi');
    await of.settle();
    expect(errors).toMatchObject([{ code: 'AGENT_EXITED', cause: refusal }]);
    expect(errors).toMatchObject([{ message: expect.stringContaining('It does not support `onFailure`.') }]);
  });

  it('is ended where more had arrived before its host read than is kept', async () => {
    const lost = new SdkError('MESSAGES_DISCARDED', 'More than 9 bytes of messages came before reading began.');
    const open: SessionHostOptions['open'] = async (request) => {
      const agent = new FakeAgent(request);
      agents.push(agent);
      // As a cursor does: the error is that of the first read.
      agent.events = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(lost) }) });
      return agent;
    };
    const agents: FakeAgent[] = [];
    await using of = fakeHost({ open });
    const events: unknown[] = [];
    await of.host.create('a');
    void follow(of, 'a', (event) => event.kind === 'crashed' && events.push(event.error));
    await of.host.send('a', 'hi');
    await of.settle();
    expect(agents[0]?.endings).toEqual(['close']);
    expect(events).toMatchObject([{ code: 'AGENT_EXITED', cause: lost }]);
  });

  it('is replaced after a delay that grows, and no more after too many deaths', async () => {
    await using of = fakeHost({ autoResume: 'continue', crashes: { firstDelayMs: 100, maxCrashes: 3 } });
    await of.send('a');
    for (const [index, delay] of [100, 200].entries()) {
      of.agents[index]?.die();
      await of.settle();
      await of.pass(delay - 1);
      expect(of.agents).toHaveLength(index + 1);
      await of.pass(1);
      expect(of.agents).toHaveLength(index + 2);
    }
    of.agents[2]?.die();
    await of.settle();
    await of.pass(100_000);
    expect(of.agents).toHaveLength(3);
    await expect(of.send('a', 'more')).rejects.toMatchObject({
      code: 'SESSION_CRASHING',
      cause: { code: 'AGENT_EXITED' },
    });
    await of.host.restart('a');
    await of.settle();
    expect(of.agents).toHaveLength(4);
    expect(of.agents[3]?.received).toMatchObject([{ content: 'go' }]);
  });

  it('is asked to continue only where a turn was cut off', async () => {
    await using of = fakeHost({ autoResume: 'continue', crashes: { firstDelayMs: 1 } });
    const first = await of.send('a');
    of.agents[0]?.answer();
    await first.done;
    of.agents[0]?.die();
    await of.settle();
    await of.pass(10);
    await of.send('a');
    of.agents[1]?.begin();
    await of.settle();
    of.agents[1]?.die();
    await of.settle();
    await of.pass(10);
    expect(of.agents.map(({ request: { options } }) => options.interruptedTurn)).toEqual([
      undefined,
      undefined,
      'continue',
    ]);
  });

  it('leaves a turn that had begun to `restart()` or `discard()` by default', async () => {
    await using of = fakeHost({ crashes: { firstDelayMs: 1 } });
    const { done, uuid } = await of.send('a');
    of.agents[0]?.begin();
    await of.settle();
    of.agents[0]?.die();
    await of.settle();
    await of.pass(1000);
    expect(of.agents).toHaveLength(1);
    expect(await of.host.get('a')).toMatchObject({ isHeld: true, state: 'crashed' });
    expect(await of.host.discard('a')).toEqual([uuid]);
    expect(await done).toEqual({ state: 'cancelled' });
  });

  it('is shown as crashing after too many deaths, also where no turn had begun, until what waits is discarded', async () => {
    await using of = fakeHost({ crashes: { firstDelayMs: 1, maxCrashes: 2 } });
    const first = await of.send('a');
    const second = await of.send('a', 'behind');
    for (const index of [0, 1]) {
      expect(await of.host.get('a')).toMatchObject({ isCrashing: false });
      of.agents[index]?.die();
      await of.settle();
      await of.pass(1000);
    }
    expect(of.agents).toHaveLength(2);
    expect(await of.host.get('a')).toMatchObject({ isCrashing: true, isHeld: false, pending: 2 });
    expect(await of.host.discard('a')).toEqual([first.uuid, second.uuid]);
    expect([await first.done, await second.done]).toEqual([{ state: 'cancelled' }, { state: 'cancelled' }]);
    expect(await of.host.get('a')).toMatchObject({ isCrashing: false, pending: 0 });
    expect(of.agents).toHaveLength(2);
    await of.send('a', 'after it');
    expect(of.agents[2]?.received).toMatchObject([{ content: 'after it' }]);
  });

  it('is stopped by an interrupt of the turn in which the next agent continues it', async () => {
    await using of = fakeHost({ autoResume: 'continue' });
    const { uuid } = await of.send('a');
    of.agents[0]?.begin();
    await of.settle();
    of.agents[0]?.die();
    await of.settle();
    await of.pass(1000);
    const [, next] = of.agents;
    next?.report({ kind: 'turn_started', turn: 'own', isUnsolicited: true, within: undefined });
    await of.settle();
    expect(await of.host.cancel('a', uuid)).toBe('interrupted');
    expect(next?.endings).toEqual(['interrupt']);
  });

  it('takes the turn that had begun with it where nothing is to be resumed', async () => {
    await using of = fakeHost({ autoResume: 'never', crashes: { firstDelayMs: 1 } });
    const { done } = await of.send('a');
    const next = await of.send('a', 'next');
    of.agents[0]?.begin();
    await of.settle();
    of.agents[0]?.die();
    await of.settle();
    expect(await done).toEqual({ state: 'cancelled' });
    await of.pass(10);
    expect(of.agents[1]?.received).toMatchObject([{ content: 'next' }]);
    of.agents[1]?.answer();
    expect(await next.done).toMatchObject({ state: 'completed' });
  });

  it('is sent again what it had not begun, also by default', async () => {
    await using of = fakeHost({ crashes: { firstDelayMs: 1 } });
    await of.send('a');
    of.agents[0]?.die();
    await of.settle();
    await of.pass(10);
    expect(of.agents[1]?.received).toEqual(of.agents[0]?.received);
  });
});
