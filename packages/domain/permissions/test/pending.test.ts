import { describe, expect, it, vi } from 'vitest';
import { AgentExitedError, SdkError, type Decision, type Ask } from '@hexagent/ports';
import { allow, deny } from '../src/index.ts';
import { Waiting } from './waiting.ts';

const later = (): null => null;
const bash = { tool_name: 'Bash', input: { command: 'touch a' }, tool_use_id: 'toolu_1' };

describe('A pending request', () => {
  it('is a value that names what is asked, with its place in time', async () => {
    const suggestion = { type: 'setMode', mode: 'acceptEdits', destination: 'session' } as const;
    const waiting = new Waiting({ onAsk: later, expiresAfterMs: 500 });
    void waiting.ask('r1', 'Bash', { permission_suggestions: [suggestion], agent_id: 'a1' });
    const request = { ...bash, permission_suggestions: [suggestion], agent_id: 'a1' };
    expect(JSON.parse(JSON.stringify(waiting.asks.list()))).toEqual([
      {
        id: 'r1',
        kind: 'call',
        tool: 'Bash',
        input: { command: 'touch a' },
        suggestions: [suggestion],
        asksAgain: [{ index: 0, reason: expect.stringContaining('may ask about this call again') }],
        createdAt: 1000,
        expiresAt: 1500,
        request,
      },
    ]);
    expect(waiting.asks.get('r1')?.request).toEqual(request);
    expect(waiting.asks.get('r2')).toBeUndefined();
  });

  it.each([
    ['AskUserQuestion', 'question'],
    ['ExitPlanMode', 'plan'],
    ['mcp__s__AskUserQuestion', 'call'],
  ])('has a kind: %s is a %s', (tool, kind) => {
    const waiting = new Waiting({ onAsk: later });
    void waiting.ask('r1', tool);
    expect(waiting.asks.list()).toMatchObject([{ tool, kind }]);
  });

  it('is answered by its id, in any order, and leaves the list', async () => {
    const waiting = new Waiting({ onAsk: later });
    const [first, second] = [waiting.ask('r1'), waiting.ask('r2')];
    expect(waiting.ids).toEqual(['r1', 'r2']);
    expect(waiting.asks.answer('r2', allow())).toBe('accepted');
    expect(waiting.ids).toEqual(['r1']);
    expect(waiting.asks.answer('r1', deny('no'))).toBe('accepted');
    expect([await first, await second]).toEqual([{ behavior: 'deny', message: 'no' }, { behavior: 'allow' }]);
    expect(waiting.ids).toEqual([]);
  });

  it('with the id of a withdrawn one is listed and answered, although the first approver answers too', async () => {
    const first = Promise.withResolvers<Decision>();
    const answers = [first.promise, null];
    const waiting = new Waiting({ onAsk: () => answers.shift() ?? null });
    void waiting.ask('r1');
    waiting.withdraw('r1');
    const again = waiting.ask('r1');
    first.resolve(deny('late'));
    await first.promise;
    expect(waiting.ids).toEqual(['r1']);
    expect(waiting.asks.answer('r1', allow())).toBe('accepted');
    expect(await again).toEqual({ behavior: 'allow' });
  });

  it('is settled once: a second answer receives that, and changes nothing', async () => {
    const waiting = new Waiting({ onAsk: later });
    const answer = waiting.ask('r1');
    expect(waiting.asks.answer('r1', deny('no'))).toBe('accepted');
    expect(waiting.asks.answer('r1', allow())).toBe('already_answered');
    expect(waiting.asks.answer('other', allow())).toBe('unknown');
    expect(await answer).toEqual({ behavior: 'deny', message: 'no' });
  });

  it('may be answered by id before its approver answers, whose answer is then dropped', async () => {
    const thinking = Promise.withResolvers<Decision>();
    let seen: Ask | undefined;
    const waiting = new Waiting({ onAsk: (pending) => ((seen = pending), thinking.promise) });
    const answer = waiting.ask('r1');
    const { signal } = seen!;
    expect(signal.aborted).toBe(false);
    expect(waiting.asks.answer('r1', deny('from the web'))).toBe('accepted');
    expect(signal).toMatchObject({
      aborted: true,
      reason: { name: 'AbortError', message: 'The request was answered.', cause: 'already_answered' },
    });
    thinking.resolve(allow());
    expect(await answer).toEqual({ behavior: 'deny', message: 'from the web' });
  });

  it('that its approver answered is not answered again', async () => {
    const waiting = new Waiting({ onAsk: () => allow() });
    expect(await waiting.ask('r1')).toEqual({ behavior: 'allow' });
    expect(waiting.asks.answer('r1', deny('no'))).toBe('already_answered');
  });

  it.each([
    ['while its signal is not read', false],
    ['while its signal is read', true],
  ])('leaves the list when the agent withdraws it, %s', async (_, readsSignal) => {
    let signal: AbortSignal | undefined;
    const approver = (pending: Ask): null => {
      if (readsSignal) signal = pending.signal;
      return null;
    };
    const waiting = new Waiting({ onAsk: approver });
    const answer = waiting.ask('r1');
    await Promise.resolve(); // it has answered null
    waiting.withdraw('r1');
    expect(await answer).toBeNull();
    expect(waiting.ids).toEqual([]);
    expect(waiting.asks.answer('r1', allow())).toBe('withdrawn');
    expect(signal?.aborted).toBe(readsSignal ? true : undefined);
  });

  it.each([
    [new SdkError('SESSION_SUSPENDED', 'Later.'), 'suspended'],
    [new SdkError('LEASE_LOST', 'Elsewhere.'), 'suspended'],
    [
      new AgentExitedError('It has gone.', { exit: { code: 1, signal: null, stderr: '', closed: false } }),
      'agent_exited',
    ],
    [new SdkError('CHANNEL_CLOSED', 'The end.'), 'withdrawn'],
  ])('ends as its agent did: %s', (reason, cause) => {
    let signal: AbortSignal | undefined;
    const waiting = new Waiting({ onAsk: (pending) => ((signal = pending.signal), new Promise(() => {})) });
    void waiting.ask('r1');
    waiting.withdraw('r1', reason);
    expect(signal).toMatchObject({ aborted: true, reason: { cause } });
    expect(waiting.asks.answer('r1', allow())).toBe(cause);
  });

  it('that has expired stays so when its approver answers at last', async () => {
    const thinking = Promise.withResolvers<Decision>();
    const waiting = new Waiting({ onAsk: () => thinking.promise, expiresAfterMs: 1000 });
    const answer = waiting.ask('r1');
    waiting.clock.advance(1000);
    thinking.resolve(allow());
    expect(await answer).toMatchObject({ behavior: 'deny' });
    await thinking.promise;
    expect(waiting.asks.answer('r1', allow())).toBe('expired');
  });

  it('that is answered by id within its approver is answered, and follows the agent no longer', async () => {
    const waiting: Waiting = new Waiting({
      onAsk: ({ id }) => (waiting.asks.answer(id, deny('no')), null),
    });
    const context = waiting.contextOf('r1');
    const listened = vi.spyOn(context.signal, 'addEventListener');
    expect(await waiting.asks.ask({ ...bash }, context)).toEqual({ behavior: 'deny', message: 'no' });
    expect(listened).not.toHaveBeenCalled();
  });

  it('shows an aborted signal to a reader that is too late', () => {
    const waiting = new Waiting({ onAsk: later });
    void waiting.ask('r1');
    const [pending] = waiting.asks.list();
    waiting.asks.answer('r1', allow());
    expect(pending?.signal.aborted).toBe(true);
  });

  it('waits without limit unless a limit is asked for', async () => {
    const waiting = new Waiting({ onAsk: later });
    void waiting.ask('r1');
    waiting.clock.advance(365 * 24 * 3_600_000);
    expect(waiting.ids).toEqual(['r1']);
    expect(waiting.clock.waiting).toBe(0);
  });

  it.each([
    ['Bash', 'Nobody answered within 5 minutes, so this was not run. Do without it, or say what it was needed for.'],
    ['AskUserQuestion', 'Nobody answered within 5 minutes. Decide yourself, and say what you assumed.'],
    [
      'ExitPlanMode',
      'Nobody answered within 5 minutes, so the plan is not approved. Give the plan as your answer, and change nothing.',
    ],
  ])('expires where that is asked for, with words for the model: %s', async (tool, message) => {
    const waiting = new Waiting({ onAsk: later, expiresAfterMs: 300_000 });
    const answer = waiting.ask('r1', tool);
    const signal = waiting.asks.get('r1')?.signal;
    waiting.clock.advance(299_999);
    expect(waiting.ids).toEqual(['r1']);
    waiting.clock.advance(1);
    expect(await answer).toEqual({ behavior: 'deny', message });
    expect(signal?.aborted).toBe(true);
    expect(waiting.asks.answer('r1', allow())).toBe('expired');
  });

  it.each<[string, (waiting: Waiting) => void]>([
    ['answered', ({ asks }) => void asks.answer('r1', allow())],
    ['withdrawn', (waiting) => waiting.withdraw('r1')],
  ])('keeps no timer once it is %s', async (_, settle) => {
    const waiting = new Waiting({ onAsk: later, expiresAfterMs: 300_000 });
    void waiting.ask('r1');
    settle(waiting);
    expect(waiting.clock.waiting).toBe(0);
  });

  it.each([undefined, null, 'allow', [], {}, { behavior: 'ask' }, { behavior: 'deny' }, { type: 'allow' }])(
    'still waits after an answer that is none: %o',
    async (answer) => {
      const waiting = new Waiting({ onAsk: later });
      const answered = waiting.ask('r1');
      expect(() => waiting.asks.answer('r1', answer as never)).toThrow(
        /^A call is answered by what allow\(\) or deny\(\) returns, not by /,
      );
      expect(waiting.ids).toEqual(['r1']);
      waiting.asks.answer('r1', deny('no'));
      expect(await answered).toMatchObject({ behavior: 'deny' });
    },
  );

  it.each<[unknown, string]>([
    [
      { behavior: 'allow', updatedInput: 5 },
      "`updatedInput` of an answer must be the tool's whole input as an object, not a number.",
    ],
    [{ behavior: 'allow', updatedInput: null }, 'as an object, not null.'],
    [{ behavior: 'allow', updatedInput: ['ls'] }, 'as an object, not a list.'],
    [{ behavior: 'allow', updatedInput: {} }, '`updatedInput` of an answer is empty'],
    [{ behavior: 'allow', updatedInput: { command: undefined } }, '`updatedInput` of an answer is empty'],
    [{ behavior: 'allow', updatedInput: { command: new Map() } }, '`updatedInput.command` is a Map'],
    [{ behavior: 'allow', toolName: 'Bash' }, '"toolName" is no member of an answer'],
    [{ behavior: 'allow', updatedPermissions: 'all' }, '`updatedPermissions` of an answer must be a list'],
    [{ behavior: 'allow', remember: 'always' }, '`remember` must be session, local, project or user, not "always"'],
    [
      { behavior: 'deny', message: 'no', interrupt: 'yes' },
      '`interrupt` of an answer must be true or false, not a string.',
    ],
  ])('still waits after an answer that the agent could not use, which is refused by name: %o', async (answer, why) => {
    const waiting = new Waiting({ onAsk: later });
    const answered = waiting.ask('r1');
    expect(() => waiting.asks.answer('r1', answer as never)).toThrow(TypeError); // untyped
    expect(() => waiting.asks.answer('r1', answer as never)).toThrow(why); // untyped
    expect(waiting.ids).toEqual(['r1']);
    expect(waiting.asks.answer('r1', allow({ input: { command: 'ls' } }))).toBe('accepted');
    expect(await answered).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' } });
  });

  it('without an input may be answered by an empty one', () => {
    const waiting = new Waiting({ onAsk: later });
    void waiting.ask('r1', 'ExitPlanMode', { input: {} });
    expect(waiting.asks.answer('r1', { behavior: 'allow', updatedInput: {} })).toBe('accepted');
  });

  it('is remembered as settled for a thousand others at least, and for two thousand at most', () => {
    const waiting = new Waiting({ onAsk: later });
    for (let number = 0; number <= 2000; number += 1) {
      void waiting.ask(`r${number}`);
      waiting.asks.answer(`r${number}`, allow());
    }
    expect(waiting.asks.answer('r0', allow())).toBe('unknown');
    expect(waiting.asks.answer('r1000', allow())).toBe('already_answered');
  });
});
