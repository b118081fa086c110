import { describe, expect, it } from 'vitest';
import type { AskAnswer, Decision } from '@hexagent/ports';
import { allow, deny, type AsksOptions } from '../src/index.ts';
import { elicitation, Waiting } from './waiting.ts';

const later = (): null => null;
const never = (): Promise<never> => new Promise(() => {});
const leaving: Pick<AsksOptions, 'onAsk' | 'dialogKinds'> = { onAsk: later, dialogKinds: ['x'] };

describe('What an MCP server asks, and a dialog', () => {
  it.each<[string, (waiting: Waiting) => Promise<unknown>, object, AskAnswer]>([
    ['elicitation', (waiting) => waiting.elicit('r1'), elicitation, { action: 'accept', content: { name: 'Ada' } }],
    ['dialog', (waiting) => waiting.show('r1'), { dialog_kind: 'x' }, { behavior: 'completed', result: 5 }],
  ])('waits beside calls when it is left open, and is answered by its id: %s', async (kind, ask, request, answer) => {
    const waiting = new Waiting(leaving);
    const asked = ask(waiting);
    void waiting.ask('r2');
    await Promise.resolve();
    expect(JSON.parse(JSON.stringify(waiting.asks.list()))).toMatchObject([
      { id: 'r1', kind, request, createdAt: 1000 },
      { id: 'r2', kind: 'call' },
    ]);
    expect(waiting.asks.answer('r1', answer)).toBe('accepted');
    expect(await asked).toEqual(answer);
    expect(waiting.asks.answer('r1', answer)).toBe('already_answered');
    expect(waiting.ids).toEqual(['r2']);
  });

  it('is what the handler answers', async () => {
    const answer = { action: 'accept', content: { name: 'Ada' } } as const;
    expect(await new Waiting({ onAsk: () => answer }).elicit('r1')).toEqual(answer);
  });

  it.each([allow(), { behavior: 'completed', result: 5 }, 'Ada', { action: 'accept', content: new Map() }])(
    'is not accepted by an answer to something else: %o',
    async (answer) => {
      await expect(new Waiting({ onAsk: () => answer as never }).elicit('r1')).rejects.toThrow(TypeError);
    },
  );

  it('is declined, or cancelled, by deny()', async () => {
    const waiting = new Waiting({ onAsk: () => deny('no'), dialogKinds: ['x'] });
    expect([await waiting.elicit('r1'), await waiting.show('r2')]).toEqual([
      { action: 'decline' },
      { behavior: 'cancelled' },
    ]);
  });

  it('fails as its handler does', async () => {
    const onAsk = (): Promise<never> => Promise.reject(new Error('broken'));
    await expect(new Waiting({ onAsk }).elicit('r1')).rejects.toThrow('broken');
  });

  it('is cancelled when no answer comes in time', async () => {
    const waiting = new Waiting({ ...leaving, expiresAfterMs: 500 });
    const [asked, shown] = [waiting.elicit('r1'), waiting.show('r2')];
    waiting.clock.advance(500);
    expect([await asked, await shown]).toEqual([{ action: 'cancel' }, { behavior: 'cancelled' }]);
  });

  it('gives its handler a signal that aborts when it is answered elsewhere', async () => {
    let signal: AbortSignal | undefined;
    const waiting = new Waiting({ onAsk: (ask) => ((signal = ask.signal), never()) });
    void waiting.elicit('r1');
    waiting.asks.answer('r1', { action: 'decline' });
    expect(signal).toMatchObject({ aborted: true, reason: { cause: 'already_answered' } });
  });

  it.each<[string, unknown, string]>([
    ['r1', allow(), 'A request of an MCP server is answered by { action'],
    ['r1', { action: 'yes' }, 'A request of an MCP server is answered by'],
    [
      'r1',
      { action: 'accept', content: 'Ada' },
      '`content` of an answer must be an object with the fields, not a string',
    ],
    ['r1', { action: 'accept', content: { a: new Map() } }, '`content.a` is a Map'],
    ['r2', { action: 'accept' }, 'A dialog is answered by { behavior: "completed", result }'],
    ['r2', null, 'A dialog is answered by'],
    ['r3', { action: 'accept' }, 'A call is answered by what allow() or deny() returns'],
    ['r4', allow(), 'A question is answered by what answerQuestions()'],
    ['r5', allow({ remember: 'session' }), '`remember` is for calls of tools'],
    ['r5', allow({ updates: [{ type: 'setMode', mode: 'plan', destination: 'session' }] }), 'into the mode plan'],
  ])('still waits after an answer to another kind of request: %s %o', async (id, answer, why) => {
    const waiting = new Waiting(leaving);
    void waiting.elicit('r1');
    void waiting.show('r2');
    void waiting.ask('r3');
    void waiting.ask('r4', 'AskUserQuestion');
    void waiting.ask('r5', 'ExitPlanMode');
    const before = waiting.ids;
    expect(() => waiting.asks.answer(id, answer as never)).toThrow(why); // untyped
    expect(waiting.ids).toEqual(before);
  });
});

describe('The events of a conversation', () => {
  it('have what is left open from when it was asked until it is settled', async () => {
    const waiting = new Waiting({ onAsk: never, expiresAfterMs: 500 });
    const asked = ['r1', 'r2', 'r3'].map((id) => waiting.ask(id));
    expect(waiting.facts).toMatchObject(['r1', 'r2', 'r3'].map((id) => ({ kind: 'ask_opened', ask: { id } })));
    waiting.facts.splice(0);
    waiting.asks.answer('r2', deny('no'));
    waiting.withdraw('r1');
    waiting.clock.advance(500);
    await Promise.all(asked);
    expect(waiting.facts).toEqual([
      { kind: 'ask_settled', id: 'r2', how: 'answered' },
      { kind: 'ask_settled', id: 'r1', how: 'withdrawn' },
      { kind: 'ask_settled', id: 'r3', how: 'expired' },
    ]);
  });

  it('have what was withdrawn before it was listed', async () => {
    const withdrawing: Waiting = new Waiting({ onAsk: () => (withdrawing.withdraw('r1'), null) });
    expect(await withdrawing.ask('r1')).toBeNull();
    expect(withdrawing.facts.map(({ kind }) => kind)).toEqual(['ask_opened', 'ask_settled']);
  });

  it.each<[string, () => Decision]>([
    ['answered', () => allow()],
    [
      'failed',
      () => {
        throw new Error('broken');
      },
    ],
  ])('have nothing of what is %s at once', async (_, approver) => {
    const waiting = new Waiting({ onAsk: approver });
    const changes: unknown[] = [];
    waiting.asks.onChange(() => changes.push(1));
    await waiting.ask('r1').catch(() => {});
    expect([waiting.facts, changes]).toEqual([[], []]);
  });
});
