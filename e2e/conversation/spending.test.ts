import type { Warning } from '@hexagent/ports';
import { createSdk, openSession, type Spending } from '@hexagent/sdk';
import { reply, toolUse, type Asked, type TurnLike, type Usage } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

const isOfSubagent = ({ body }: Asked): boolean => JSON.stringify(body.system).includes('cc_is_subagent=true');
const has = ({ body }: Asked, text: string): boolean => JSON.stringify(body.messages).includes(text);

const own: Usage = {
  input_tokens: 1000,
  output_tokens: 100,
  cache_read_input_tokens: 7,
  cache_creation_input_tokens: 3,
};
const ofA: Usage = { input_tokens: 2000, output_tokens: 200, cache_read_input_tokens: 30 };
const ofB: Usage = { input_tokens: 10_000, output_tokens: 1000, cache_creation_input_tokens: 55 };

const delegate = (prompt: string, more: object = {}) =>
  toolUse('Agent', {
    description: prompt,
    prompt,
    subagent_type: 'general-purpose',
    run_in_background: false,
    ...more,
  });

/** The conversation starts two subagents, and each of them calls a tool before it answers. */
function delegating(request: Asked): TurnLike {
  if (!isOfSubagent(request))
    return has(request, 'tool_result')
      ? reply('done', { usage: own })
      : reply([delegate('part A'), delegate('part B', { model: 'haiku' })], { usage: own });
  const usage = has(request, 'part B') ? ofB : ofA;
  return has(request, 'tool_result')
    ? reply('found', { usage })
    : reply([toolUse('Bash', { command: 'echo hi' })], { usage });
}

const times = (count: number, usage: Usage): Omit<Spending, 'cost'> => ({
  inputTokens: count * (usage.input_tokens ?? 0),
  outputTokens: count * (usage.output_tokens ?? 0),
  cacheReadTokens: count * (usage.cache_read_input_tokens ?? 0),
  cacheWriteTokens: count * (usage.cache_creation_input_tokens ?? 0),
});

withCli('#17 What a session spends', () => {
  it('is counted by model and by subagent, each request once', async () => {
    await using place = await stage(delegating);
    await using session = await openSession({ ...place.options, permissions: { allow: ['Bash', 'Agent'] } });
    const outcome = await session.send('delegate').result;
    if (outcome.kind !== 'completed') throw new Error(outcome.kind);
    const [a, b] = ['part A', 'part B'].map((part) =>
      outcome.subagents.find(({ cost }) => (part === 'part B') === (cost === outcome.models['claude-haiku-5-5']?.cost)),
    );
    expect(a).toMatchObject({ type: 'general-purpose', isExact: true, ...times(2, ofA) });
    expect(b).toMatchObject({ type: 'general-purpose', isExact: true, ...times(2, ofB) });
    expect(outcome.models['claude-haiku-5-5']).toMatchObject(times(2, ofB));
    expect(outcome.models['claude-opus-5-5']).toMatchObject({ inputTokens: 6000, outputTokens: 600 });
    expect(session.ledger).toMatchObject({ results: 1, cost: outcome.cost, models: outcome.models });
    await session.send('again').result;
    const usage = await session.usageAndLimits();
    expect(session.ledger.cost).toBeCloseTo(usage.session.total_cost_usd, 10);
  });

  it('is that since it was opened, where the agent reports totals from before a resume', async () => {
    await using place = await stage(() => reply('ok', { usage: own }));
    await using session = await openSession(place.options);
    await session.send('one').result;
    const { cost } = session.ledger;
    await session.finish();
    await using resumed = await openSession({ ...place.options, resume: session.sessionId });
    const outcome = await resumed.send('two').result;
    expect(outcome).toMatchObject({ cost, result: { total_cost_usd: 2 * cost } });
    expect(resumed.ledger).toMatchObject({ cost, costBefore: cost, results: 1, ...times(1, own) });
  });

  it('counts a request that was interrupted, which `usage` does not', async () => {
    await using place = await stage([reply([toolUse('Bash', { command: 'sleep 60' })], { usage: own })]);
    await using session = await openSession({ ...place.options, permissions: { allow: ['Bash'] } });
    const turn = session.send('wait');
    for await (const { type } of turn) if (type === 'assistant') break;
    await turn.interrupt();
    const outcome = await turn.result;
    if (outcome.kind !== 'interrupted') throw new Error(outcome.kind);
    expect(outcome.models['claude-opus-5-5']).toMatchObject(times(1, own));
  });

  it('counts a subagent that is cut off by an interrupt once, and not in the next turn', async () => {
    await using place = await stage((request: Asked): TurnLike => {
      if (isOfSubagent(request)) return reply([toolUse('Bash', { command: 'tail -f /dev/null' })], { usage: ofA });
      return reply(has(request, 'again') ? 'ok' : [delegate('part A')], { usage: own });
    });
    await using session = await openSession({ ...place.options, permissions: { allow: ['Bash', 'Agent'] } });
    const turn = session.send('delegate');
    for await (const message of turn)
      if (message.type === 'assistant' && message.parent_tool_use_id !== null) await turn.interrupt();
    expect(await turn.result).toMatchObject({ kind: 'interrupted', subagents: [times(1, ofA)] });
    expect(await session.send('again').result).toMatchObject({ kind: 'completed', subagents: [] });
    expect(session.ledger.subagents).toMatchObject({ 'general-purpose': times(1, ofA) });
  });
});

withCli('The prompt cache', () => {
  it('has a ratio for each turn, and what was not found in it is an event with its cause and a warning', async () => {
    const usages: Usage[] = [
      { cache_creation_input_tokens: 9900 },
      { cache_read_input_tokens: 9900 },
      { cache_creation_input_tokens: 9900 },
    ];
    await using place = await stage(usages.map((usage) => reply('ok', { usage })));
    const warnings: Warning[] = [];
    const sdk = createSdk({ onWarning: (warning) => warnings.push(warning) });
    await using session = await sdk.openSession(place.options);
    const events = session.events({ mayMiss: true });
    const ratios: unknown[] = [];
    for (const prompt of ['one', 'two', 'three']) {
      if (prompt === 'three') await session.setModel('claude-haiku-5-5');
      const outcome = await session.send(prompt).result;
      ratios.push('cacheHitRatio' in outcome && outcome.cacheHitRatio);
    }
    await session.close();
    const missed = [];
    for await (const event of events) if (event.kind === 'cache_missed') missed.push(event);
    expect(ratios).toEqual([0, 0.99, 0]);
    expect(missed).toMatchObject([{ cause: 'model', tokens: 9900, turn: expect.any(String) }]);
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_CACHE_MISSED', source: 'prompt cache, model' }]);
  });
});
