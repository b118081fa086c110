import type { Decision } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { MemoryApprovalStore } from '../src/index.ts';
import { Asking, pausesMs, type AskedFields } from './asking.ts';

const allow: Decision = { behavior: 'allow' };
const deny: Decision = { behavior: 'deny', message: 'no' };

/** A program that ended while its agents were waiting, and the one that comes after it. */
class Programs {
  readonly store: MemoryApprovalStore = new MemoryApprovalStore();
  readonly first: Asking = new Asking(this.store);
  #started = 0;

  next(): Asking {
    this.#started += 1;
    let ids = 0;
    return new Asking(this.store, { createId: () => `later-${this.#started}-${(ids += 1)}` });
  }

  async answered(decision: Decision, asked?: AskedFields): Promise<void> {
    const count = this.first.events.filter(({ type }) => type === 'opened').length;
    const { answer } = this.first.ask('my-chat', asked);
    await this.first.approvals.settle((await this.first.opened(count + 1)).id, decision, 'ada');
    await answer;
  }
}

describe('What waited in a process that is gone', () => {
  it('is lost when a program recovers', async () => {
    const programs = new Programs();
    programs.first.ask('my-chat');
    await programs.first.opened();
    const later = programs.next();
    expect(await later.approvals.recover()).toMatchObject([{ id: 'id-1', state: 'lost' }]);
    expect(later.events).toMatchObject([{ type: 'settled', record: { id: 'id-1', state: 'lost' } }]);
    expect(await later.approvals.settle('id-1', allow, 'bob')).toMatchObject({
      outcome: 'already',
      record: { state: 'lost' },
    });
    expect(await later.approvals.recover()).toEqual([]);
  });

  it('is lost when the agent of its session asks again, without a call; other sessions are left alone', async () => {
    const programs = new Programs();
    programs.first.ask('my-chat');
    programs.first.ask('other');
    await programs.first.opened(2);
    const later = programs.next();
    later.ask('my-chat');
    await later.opened();
    expect((await later.approvals.list()).map(({ session, state }) => [session, state])).toEqual([
      ['my-chat', 'lost'],
      ['other', 'open'],
      ['my-chat', 'open'],
    ]);
  });

  it('is lost also where this process had the session before', async () => {
    const programs = new Programs();
    await programs.answered(allow);
    const other = programs.next();
    other.ask('my-chat', { input: { command: 'another' } });
    await other.opened();
    programs.first.ask('my-chat', { input: { command: 'a third' } });
    await programs.first.opened(2);
    expect((await programs.first.approvals.list()).map(({ state }) => state)).toEqual(['answered', 'lost', 'open']);
  });

  it('is not what waits in this one', async () => {
    const asking = new Asking();
    const { answer } = asking.ask('my-chat');
    const { id } = await asking.opened();
    expect(await asking.approvals.recover()).toEqual([]);
    asking.ask('my-chat', { input: { command: 'another' } });
    await asking.opened(2);
    await asking.approvals.settle(id, allow, 'ada');
    expect(await answer).toMatchObject(allow);
  });

  it('takes an answer until it is recovered, which is then offered', async () => {
    const programs = new Programs();
    programs.first.ask('my-chat');
    await programs.first.opened();
    const later = programs.next();
    expect(await later.approvals.settle('id-1', deny, 'bob')).toMatchObject({ outcome: 'settled' });
    later.ask('my-chat');
    expect(await later.opened()).toMatchObject({ offered: { id: 'id-1', answer: deny, actor: 'bob' } });
  });

  it('is searched again after a store that failed', async () => {
    const programs = new Programs();
    programs.first.ask('my-chat');
    await programs.first.opened();
    const later = programs.next();
    const list = programs.store.list.bind(programs.store);
    programs.store.list = () => Promise.reject(new Error('unreachable'));
    const { answer } = later.ask('my-chat');
    const rejected = expect(answer).rejects.toThrow('could not be stored');
    await later.pass(...pausesMs);
    await rejected;
    programs.store.list = list;
    later.ask('my-chat');
    await later.opened();
    expect(await later.approvals.get('id-1')).toMatchObject({ state: 'lost' });
  });
});

describe('A call that the agent requests again', () => {
  it('shows the earlier answer, and waits all the same', async () => {
    const programs = new Programs();
    await programs.answered(allow);
    const later = programs.next();
    const { answer } = later.ask('my-chat');
    const record = await later.opened();
    expect(record.offered).toEqual({ id: 'id-1', answer: allow, actor: 'ada', at: 1_000_500 });
    expect(await later.approvals.list({ state: 'open' })).toHaveLength(1);
    await later.approvals.settle(record.id, deny, 'bob');
    expect(await answer).toMatchObject(deny);
  });

  it('shows that it was lost, when it was not answered', async () => {
    const programs = new Programs();
    programs.first.ask('my-chat');
    await programs.first.opened();
    const later = programs.next();
    later.ask('my-chat');
    expect((await later.opened()).offered).toEqual({ id: 'id-1', at: 1_000_500 });
  });

  it('is the same whatever the order of the members of its input is', async () => {
    const programs = new Programs();
    await programs.answered(allow, { input: { a: 1, b: { c: [1, { d: null, e: 2 }] } } });
    const later = programs.next();
    later.ask('my-chat', { input: { b: { c: [1, { e: 2, d: null }] }, a: 1 } });
    expect((await later.opened()).offered).toMatchObject({ id: 'id-1' });
  });

  it.each<[string, string, AskedFields]>([
    ['of another session', 'other', {}],
    ['of another tool', 'my-chat', { tool: 'Other' }],
    ['with another input', 'my-chat', { input: { command: 'touch other' } }],
    ['with more input', 'my-chat', { input: { command: 'touch made', timeout: 1 } }],
    ['with a list in place of its items', 'my-chat', { input: { command: ['touch made'] } }],
  ])('shows nothing of a call %s', async (_, session, asked) => {
    const programs = new Programs();
    await programs.answered(allow);
    const later = programs.next();
    later.ask(session, asked);
    expect(await later.opened()).not.toHaveProperty('offered');
  });

  it('shows the newest answer, and rather an answer than a loss', async () => {
    const programs = new Programs();
    await programs.answered(allow);
    await programs.answered(deny);
    const second = programs.next();
    second.ask('my-chat');
    await second.opened();
    const third = programs.next();
    third.ask('my-chat');
    expect((await third.opened()).offered).toMatchObject({ id: 'id-2', answer: deny });
    expect(await third.approvals.get('later-1-1')).toMatchObject({ state: 'lost' });
  });

  it('shows nothing of one that the agent withdrew', async () => {
    const asking = new Asking();
    asking.ask('my-chat').end('withdrawn');
    await asking.settled();
    asking.ask('my-chat');
    expect(await asking.opened(2)).not.toHaveProperty('offered');
  });
});

describe('What waited for an agent that is ended', () => {
  it('stays open where its session was suspended, can be answered, and is offered when the agent asks again', async () => {
    const programs = new Programs();
    const { answer, end } = programs.first.ask('my-chat');
    const { id } = await programs.first.opened();
    end('suspended');
    await answer;
    expect(await programs.store.list()).toMatchObject([{ id, state: 'open' }]);
    expect(programs.first.events.map(({ type }) => type)).toEqual(['opened']);
    const later = programs.next();
    expect(await later.approvals.settle(id, allow, 'ada')).toMatchObject({ outcome: 'settled' });
    later.ask('my-chat');
    expect((await later.opened()).offered).toMatchObject({ id, answer: allow, actor: 'ada' });
  });

  it('is lost where its session was suspended, once a program recovers, and is then offered', async () => {
    const programs = new Programs();
    const { end } = programs.first.ask('my-chat');
    const { id } = await programs.first.opened();
    end('suspended');
    const later = programs.next();
    expect(await later.approvals.recover()).toMatchObject([{ id, state: 'lost' }]);
    later.ask('my-chat');
    expect((await later.opened()).offered).toMatchObject({ id });
  });

  it('does not expire while its session is suspended', async () => {
    const asking = new Asking(new MemoryApprovalStore(), { expiresAfterMs: { permission: 1000 } });
    const { end } = asking.ask('my-chat');
    await asking.opened();
    end('suspended');
    asking.clock.advance(1000);
    expect(await asking.approvals.list()).toMatchObject([{ state: 'open' }]);
    expect(asking.clock.waiting).toBe(0);
  });

  it('is lost at once where the agent has exited, and is offered when the next one asks again', async () => {
    const asking = new Asking();
    const { end } = asking.ask('my-chat');
    const { id } = await asking.opened();
    end('agent_exited');
    expect(await asking.settled()).toMatchObject({ id, state: 'lost' });
    asking.ask('my-chat');
    expect((await asking.opened(2)).offered).toMatchObject({ id });
  });
});
