import type { ApprovalStore, Decision } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { Approvals, MemoryApprovalStore } from '../src/index.ts';
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

  it.each([
    ['an answer that is none', 'ok'],
    ['an empty input', { behavior: 'allow', updatedInput: {} }],
    ['an input that JSON does not carry', { behavior: 'allow', updatedInput: { at: new Date() } }],
    ['a denial without a message', { behavior: 'deny' }],
    ['an unknown scope', { behavior: 'allow', remember: 'forever' }],
  ])('still waits after %s', async (_, wrong) => {
    const asking = new Asking();
    const { answer } = asking.ask('my-chat');
    const { id } = await asking.opened();
    await expect(asking.approvals.settle(id, wrong as never, 'ada')).rejects.toThrow(TypeError); // untyped
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

  it('is denied when it cannot be stored: it could not be answered', async () => {
    const store = new MemoryApprovalStore();
    store.add = () => Promise.reject(new Error('disk full'));
    await expect(new Asking(store).ask('my-chat').answer).rejects.toThrow('disk full');
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

describe('A limit', () => {
  it('is nowhere unless it is asked for', async () => {
    const asking = new Asking();
    asking.ask('my-chat');
    expect(await asking.opened()).not.toHaveProperty('expiresAt');
    expect(asking.clock.waiting).toBe(0);
  });

  it('of a kind denies requests of that kind, in words for the model', async () => {
    const asking = new Asking(undefined, { expiresAfterMs: { permission: 60_000 } });
    const { answer } = asking.ask('my-chat');
    expect(await asking.opened()).toMatchObject({ expiresAt: 1_060_500 });
    asking.clock.advance(60_000);
    expect(await answer).toMatchObject({ message: expect.stringContaining('Nobody answered within 1 minute') });
    expect(await asking.settled()).toMatchObject({ state: 'expired', settledAt: 1_060_500 });
    asking.ask('my-chat', { tool: 'ExitPlanMode', input: { plan: 'p' } });
    expect(await asking.opened(2)).not.toHaveProperty('expiresAt');
    expect(asking.clock.waiting).toBe(0);
  });

  it('denies the request also where that cannot be stored', async () => {
    const store = new MemoryApprovalStore();
    const asking = new Asking(store, { expiresAfterMs: { permission: 60_000 } });
    const { answer } = asking.ask('my-chat');
    await asking.opened();
    store.settle = () => Promise.reject(new Error('disk full'));
    asking.clock.advance(60_000);
    expect(await answer).toMatchObject({ message: expect.stringContaining('Nobody answered within 1 minute') });
    expect(asking.warned).toMatchObject([{ message: expect.stringContaining('disk full') }]);
  });

  it('is removed once it was answered', async () => {
    const asking = new Asking(undefined, { expiresAfterMs: { permission: 60_000 } });
    const { answer } = asking.ask('my-chat');
    await asking.approvals.settle((await asking.opened()).id, allow, 'ada');
    expect(await answer).toMatchObject(allow);
    expect(asking.clock.waiting).toBe(0);
  });

  it('of the session is shown too, and its end is an expiry', async () => {
    const asking = new Asking(undefined, { expiresAfterMs: { permission: 60_000 } });
    const { end } = asking.ask('my-chat', { expiresAfterMs: 1000 });
    expect(await asking.opened()).toMatchObject({ expiresAt: 1_001_500 });
    end('expired');
    expect(await asking.settled()).toMatchObject({ state: 'expired' });
    expect(asking.clock.waiting).toBe(0);
  });

  it('must be a delay', () => {
    expect(() => new Asking(undefined, { expiresAfterMs: { plan: -1 } })).toThrow('expiresAfterMs.plan');
  });
});

describe('Questions and plans', () => {
  const questions = [{ question: 'Which?', header: 'W', multiSelect: false, options: [] }];

  it('are records of their kinds', async () => {
    const asking = new Asking();
    const question = asking.ask('my-chat', { tool: 'AskUserQuestion', input: { questions } });
    const asked = await asking.opened();
    expect(asked.kind).toBe('question');
    const updatedInput = { questions, answers: { 'Which?': 'this' } };
    await asking.approvals.settle(asked.id, { behavior: 'allow', updatedInput }, 'ada');
    expect(await question.answer).toEqual({ behavior: 'allow', updatedInput });
    const plan = asking.ask('my-chat', { tool: 'ExitPlanMode', input: { plan: 'p' } });
    const shown = await asking.opened(2);
    expect(shown.kind).toBe('plan');
    await asking.approvals.settle(shown.id, allow, 'ada');
    expect(await plan.answer).toEqual({ behavior: 'allow', updatedInput: { plan: 'p' } });
  });

  it.each([
    ['AskUserQuestion', { behavior: 'allow' }, 'answerQuestions()'],
    ['AskUserQuestion', { behavior: 'allow', updatedInput: { answers: {} } }, 'answerQuestions()'],
    [
      'ExitPlanMode',
      {
        behavior: 'allow',
        updatedPermissions: [{ type: 'setMode', mode: 'bypassPermissions', destination: 'session' }],
      },
      'bypassPermissions',
    ],
    ['ExitPlanMode', { behavior: 'allow', remember: 'session' }, 'no rule to remember'],
  ])('of %s take no answer that would not count: %j', async (tool, wrong, why) => {
    const asking = new Asking();
    asking.ask('my-chat', { tool, input: { questions } });
    const { id } = await asking.opened();
    await expect(asking.approvals.settle(id, wrong as never, 'ada')).rejects.toThrow(why); // untyped
    expect(await asking.approvals.get(id)).toMatchObject({ state: 'open' });
  });
});

describe('Listeners', () => {
  it('receive what happens from then on, until they are taken off; one that fails affects no other', async () => {
    const asking = new Asking();
    const seen: string[] = [];
    asking.approvals.subscribe(() => {
      throw new Error('broken');
    });
    asking.approvals.subscribe(() => Promise.reject(new Error('also broken')));
    const listener = ({ type }: { readonly type: string }): unknown => seen.push(type);
    const stop = asking.approvals.subscribe(listener);
    asking.approvals.subscribe(listener);
    asking.ask('my-chat');
    const { id } = await asking.opened();
    stop();
    stop();
    await asking.approvals.settle(id, allow, 'ada');
    expect(seen).toEqual(['opened', 'opened', 'settled']);
    await expect.poll(() => asking.warned.length).toBe(4);
    expect(asking.warned[0]).toMatchObject({ code: 'HEXAGENT_CALLBACK_FAILED', cause: new Error('broken') });
  });

  it('may answer at once', async () => {
    const asking = new Asking();
    asking.approvals.subscribe(({ type, record }) =>
      type === 'opened' ? asking.approvals.settle(record.id, deny, 'a rule') : undefined,
    );
    expect(await asking.ask('my-chat').answer).toMatchObject(deny);
    expect(asking.clock.waiting).toBe(0);
  });
});

describe('A session', () => {
  it.each(['', undefined, 7])('needs a name: %j', (name) => {
    expect(() => new Asking().approvals.for(name as never)).toThrow('the name of the session'); // untyped
  });

  it('keeps its requests apart from those of others', async () => {
    const asking = new Asking();
    asking.ask('one');
    asking.ask('two');
    await asking.opened(2);
    expect(await asking.approvals.list({ session: 'two' })).toMatchObject([{ session: 'two', state: 'open' }]);
    expect(await asking.approvals.list()).toHaveLength(2);
  });
});

describe('Without options', () => {
  it('records have random ids and the time of the system', async () => {
    const store: ApprovalStore = new MemoryApprovalStore();
    const { clock } = new Asking();
    const asking = new Asking(store);
    const approvals = new Approvals({ store, clock });
    approvals.subscribe((event) => void asking.events.push(event));
    const pending = { kind: 'call', tool: 'Bash', input: {}, suggestions: [], request: {} };
    const before = Date.now();
    void approvals.for('s').approver({} as never, { ...pending, signal: new AbortController().signal } as never); // untyped
    const { id, createdAt } = await asking.opened();
    expect(id).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
    expect(createdAt).toBeGreaterThanOrEqual(before);
  });
});
