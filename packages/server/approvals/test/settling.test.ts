import type { Decision } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { MemoryApprovalStore } from '../src/index.ts';
import { Asking } from './asking.ts';

const allow: Decision = { behavior: 'allow' };
const deny: Decision = { behavior: 'deny', message: 'no' };

describe('A request of an agent', () => {
  it('is a record that a person can be shown, and nothing of it is left out', async () => {
    const asking = new Asking();
    const suggestions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] as const;
    asking.ask('my-chat', {
      suggestions,
      fields: { agent_id: 'agent-1', title: 'T', description: 'D', blocked_path: '/p', tool_use_id: 'toolu_9' },
    });
    const record = await asking.opened();
    expect(record).toEqual({
      id: 'id-1',
      session: 'my-chat',
      kind: 'permission',
      toolUseId: 'toolu_9',
      agentId: 'agent-1',
      tool: 'Bash',
      input: { command: 'touch made' },
      suggestions,
      title: 'T',
      description: 'D',
      blockedPath: '/p',
      createdAt: 1_000_500,
      state: 'open',
    });
    expect(await asking.approvals.get('id-1')).toEqual(record);
    expect(await asking.approvals.list({ session: 'my-chat', state: 'open' })).toEqual([record]);
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  });

  it('is answered from anywhere, and the agent gets the input that was shown', async () => {
    const asking = new Asking();
    const { answer } = asking.ask('my-chat');
    const { id } = await asking.opened();
    expect(await asking.approvals.settle(id, allow, 'ada')).toMatchObject({
      outcome: 'settled',
      record: { state: 'answered', actor: 'ada', answer: allow, settledAt: 1_000_500 },
    });
    expect(await answer).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'touch made' },
      decisionClassification: 'user_temporary',
    });
  });

  it('runs with another input only where the answer has one', async () => {
    const asking = new Asking();
    const { answer } = asking.ask('my-chat');
    const { id } = await asking.opened();
    await asking.approvals.settle(id, { behavior: 'allow', updatedInput: { command: 'ls' } }, 'ada');
    expect(await answer).toMatchObject({ updatedInput: { command: 'ls' } });
  });

  it('sends no input where there is none, which the agent would take for no answer', async () => {
    const asking = new Asking();
    const { answer } = asking.ask('my-chat', { tool: 'EnterPlanMode', input: {} });
    await asking.approvals.settle((await asking.opened()).id, allow, 'ada');
    expect(await answer).not.toHaveProperty('updatedInput');
  });

  it('is denied with the words of the answer', async () => {
    const asking = new Asking();
    const { answer } = asking.ask('my-chat');
    await asking.approvals.settle((await asking.opened()).id, { ...deny, interrupt: true }, 'ada');
    expect(await answer).toEqual({ ...deny, interrupt: true, decisionClassification: 'user_reject' });
  });

  it('is answered by one of several at once, and the others see who and what', async () => {
    const asking = new Asking();
    const { answer } = asking.ask('my-chat');
    const { id } = await asking.opened();
    const outcomes = await Promise.all([
      asking.approvals.settle(id, deny, 'ada'),
      asking.approvals.settle(id, allow, 'bob'),
    ]);
    expect(outcomes).toMatchObject([
      { outcome: 'settled', record: { actor: 'ada', answer: deny } },
      { outcome: 'already', record: { actor: 'ada', answer: deny } },
    ]);
    expect(await answer).toMatchObject(deny);
    expect(asking.events.map(({ type }) => type)).toEqual(['opened', 'settled']);
  });

  it('is unknown where it was never asked', async () => {
    expect(await new Asking().approvals.settle('none', allow, 'ada')).toEqual({ outcome: 'unknown' });
  });

  it('is cancelled when the agent does not wait any more; an answer then comes too late', async () => {
    const asking = new Asking();
    const { end } = asking.ask('my-chat');
    const { id } = await asking.opened();
    end('withdrawn');
    expect(await asking.settled()).toMatchObject({ state: 'cancelled', reason: 'The agent does not wait any more.' });
    expect(await asking.approvals.settle(id, allow, 'ada')).toMatchObject({
      outcome: 'already',
      record: { state: 'cancelled' },
    });
  });

  it('is cancelled when the agent had stopped waiting before it was stored', async () => {
    const asking = new Asking();
    asking.ask('my-chat').end('withdrawn');
    expect(await asking.settled()).toMatchObject({ state: 'cancelled' });
  });

  it('reports that it was answered elsewhere in the program', async () => {
    const asking = new Asking();
    const { end } = asking.ask('my-chat');
    await asking.opened();
    end('already_answered');
    expect(await asking.settled()).toMatchObject({ reason: 'It was answered elsewhere in the program.' });
  });

  it('still waits after an answer that the agent could not use', async () => {
    const asking = new Asking();
    const { answer } = asking.ask('my-chat');
    const { id } = await asking.opened();
    await expect(asking.approvals.settle(id, 'ok' as never, 'ada')).rejects.toThrow(TypeError); // untyped
    expect(await asking.approvals.get(id)).toMatchObject({ state: 'open' });
    await asking.approvals.settle(id, deny, 'ada');
    expect(await answer).toMatchObject(deny);
  });

  it.each(['', ' ', undefined, 5])('takes no answer without an actor: %j', async (actor) => {
    const asking = new Asking();
    asking.ask('my-chat');
    const { id } = await asking.opened();
    await expect(asking.approvals.settle(id, allow, actor as never)).rejects.toThrow('names who answers'); // untyped
    expect(await asking.approvals.get(id)).toMatchObject({ state: 'open' });
  });

  it('still waits when its answer cannot be stored, and takes the next', async () => {
    const store = new MemoryApprovalStore();
    const asking = new Asking(store);
    const { answer } = asking.ask('my-chat');
    const { id } = await asking.opened();
    const settle = store.settle.bind(store);
    store.settle = () => Promise.reject(new Error('disk full'));
    await expect(asking.approvals.settle(id, allow, 'ada')).rejects.toThrow('disk full');
    store.settle = settle;
    await asking.approvals.settle(id, deny, 'ada');
    expect(await answer).toMatchObject(deny);
  });

  it('receives the stored answer where the store failed to report it', async () => {
    const store = new MemoryApprovalStore();
    const asking = new Asking(store);
    const { answer } = asking.ask('my-chat');
    const { id } = await asking.opened();
    const settle = store.settle.bind(store);
    store.settle = async (...args) => {
      await settle(...args);
      throw new Error('the connection broke');
    };
    await expect(asking.approvals.settle(id, deny, 'ada')).rejects.toThrow('the connection broke');
    expect(await asking.approvals.settle(id, allow, 'bob')).toMatchObject({
      outcome: 'already',
      record: { actor: 'ada' },
    });
    expect(await answer).toMatchObject(deny);
    expect(await asking.settled()).toMatchObject({ actor: 'ada' });
  });

  it('warns when its end cannot be stored', async () => {
    const store = new MemoryApprovalStore();
    const asking = new Asking(store);
    const { end } = asking.ask('my-chat');
    await asking.opened();
    store.settle = () => Promise.reject(new Error('disk full'));
    end('withdrawn');
    await expect.poll(() => asking.warned).toMatchObject([{ message: expect.stringContaining('disk full') }]);
  });
});
