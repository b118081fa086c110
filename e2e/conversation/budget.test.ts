import { setTimeout } from 'node:timers/promises';
import { allow, openSession, type BudgetUse, type SessionOptions, type TurnOutcome } from '@hexagent/sdk';
import { lastUserText, reply, text, gate, toolUse, type Asked, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

/** 0.42 US dollars, and 101,000 tokens. */
const usage = { input_tokens: 100_000, output_tokens: 1000 };

/** Calls a tool for ever where it is asked to repeat itself. */
const looping = (request: Asked): TurnLike =>
  JSON.stringify(request.body.messages).includes('REPEAT')
    ? reply([toolUse('Bash', { command: 'echo again' })], { usage })
    : reply('done', { usage });

const allowed: SessionOptions = { permissions: { allow: ['Bash'] } };
const failureOf = (outcome: TurnOutcome): object =>
  outcome.kind === 'failed' ? { cause: outcome.cause, budget: outcome.budget } : { kind: outcome.kind };

withCli('#17 A budget', () => {
  it('of dollars is that of the session since it was opened: near, the end, and no request after it', async () => {
    await using place = await stage(looping);
    const near: BudgetUse[] = [];
    const budget = { usd: 1, onNear: (use: BudgetUse) => void near.push(use) };
    await using session = await openSession({ ...place.options, budget });
    const turns = [];
    for (const prompt of ['one', 'two']) turns.push(failureOf(await session.send(prompt).result));
    expect(near).toEqual([{ limit: 'usd', used: expect.closeTo(0.84, 10), of: 1 }]);
    for (const prompt of ['three', 'four']) turns.push(failureOf(await session.send(prompt).result));
    const spent = { cause: 'budget', budget: { limit: 'usd', used: expect.closeTo(1.26, 10), of: 1 } };
    expect(turns).toEqual([{ kind: 'completed' }, { kind: 'completed' }, spent, spent]);
    expect(place.loopback.requests).toHaveLength(3);
    await session.close();
    await using resumed = await openSession({ ...place.options, budget: { usd: 1 }, resume: session.sessionId });
    expect(await resumed.send('five').result).toMatchObject({ kind: 'completed' });
  });

  it('of dollars is near in the middle of a turn, while the program can still stop it', async () => {
    await using place = await stage(looping);
    const reached = Promise.withResolvers<BudgetUse>();
    const budget = { usd: 4, nearAt: 0.2, onNear: reached.resolve };
    await using session = await openSession({ ...place.options, ...allowed, budget });
    const turn = session.send('REPEAT');
    const { used } = await reached.promise;
    expect(used).toBeGreaterThan(0.8);
    await turn.interrupt();
    expect(await turn.result).toMatchObject({ kind: 'interrupted' });
  });

  it('of tokens is held by the SDK, in the middle of a turn and after it', async () => {
    await using place = await stage(looping);
    await using session = await openSession({ ...place.options, ...allowed, budget: { tokens: 250_000 } });
    const outcome = await session.send('REPEAT').result;
    expect(outcome).toMatchObject({ kind: 'failed', cause: 'budget', budget: { limit: 'tokens', of: 250_000 } });
    const used = place.loopback.requests.length;
    const later = { kind: 'failed', cause: 'budget', budget: { limit: 'tokens' }, cost: 0, result: undefined };
    expect(await session.send('REPEAT').result).toMatchObject(later);
    expect(place.loopback.requests).toHaveLength(used);
    await session.finish();
  });

  it('of turns is that of each turn', async () => {
    await using place = await stage(looping);
    await using session = await openSession({ ...place.options, ...allowed, budget: { turns: 2 } });
    const reached = { cause: 'budget', budget: { limit: 'turns', used: 2, of: 2 } };
    expect(failureOf(await session.send('REPEAT').result)).toEqual(reached);
    expect(failureOf(await session.send('REPEAT').result)).toEqual(reached);
  });
});

withCli('#39 An answer that stalls in the middle', () => {
  it('ends its turn after `stallAfterMs`, and the session continues', async () => {
    await using place = await stage((request) =>
      lastUserText(request) === 'stall' ? text(['partial ', gate()]) : 'fine',
    );
    await using session = await openSession({ ...place.options, stallAfterMs: 1000 });
    const outcome = await session.send('stall').result;
    if (outcome.kind !== 'failed') throw new Error(outcome.kind);
    expect(outcome).toMatchObject({ cause: 'stall', text: 'partial ' });
    expect(outcome.stalledMs).toBeGreaterThanOrEqual(1000);
    expect(await session.send('go on').result).toMatchObject({ kind: 'completed', text: 'fine' });
  });

  it('is not one where a tool or a person is waited for', async () => {
    await using place = await stage([
      reply([text('I look'), toolUse('Bash', { command: 'sleep 2' }), toolUse('Bash', { command: 'touch x' })]),
      'done',
    ]);
    const onAsk: NonNullable<SessionOptions['onAsk']> = async ({ signal }) => {
      await setTimeout(2000, undefined, { signal });
      return allow();
    };
    const options = { ...place.options, permissions: { allow: ['Bash(sleep *)'] }, onAsk, stallAfterMs: 1000 };
    await using session = await openSession(options);
    expect(await session.send('look').result).toMatchObject({ kind: 'completed', text: 'done' });
  });
});
