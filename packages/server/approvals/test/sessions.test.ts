import type { ApprovalStore, Decision } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { Approvals, MemoryApprovalStore } from '../src/index.ts';
import { Asking } from './asking.ts';

const allow: Decision = { behavior: 'allow' };
const deny: Decision = { behavior: 'deny', message: 'no' };

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

  const bypass = { type: 'setMode', mode: 'bypassPermissions', destination: 'session' };

  it.each([
    ['AskUserQuestion', { behavior: 'allow' }, 'answerQuestions()'],
    ['ExitPlanMode', { behavior: 'allow', updatedPermissions: [bypass] }, 'bypassPermissions'],
    ['ExitPlanMode', { behavior: 'allow', remember: 'session' }, 'no rule to remember'],
  ])('of %s take no answer that would not count: %j', async (tool, wrong, why) => {
    const asking = new Asking();
    asking.ask('my-chat', { tool, input: { questions } });
    const { id } = await asking.opened();
    await expect(asking.approvals.settle(id, wrong as never, 'ada')).rejects.toThrow(why); // untyped
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
  it.each(['', 'half \ud83d', 7])('needs a name: %j', (name) => {
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
    void approvals.for('s')({ ...pending, signal: new AbortController().signal } as never); // untyped
    const { id, createdAt } = await asking.opened();
    expect(id).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
    expect(createdAt).toBeGreaterThanOrEqual(before);
  });
});
