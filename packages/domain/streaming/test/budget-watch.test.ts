import type { AgentMessage, Budget, BudgetUse, FeatureControl, TurnFailure, Warning } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import { HandClock, microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { BudgetWatch } from '../src/spending/budget-watch.ts';
import { converse, wholeTurn } from './support.ts';

const totals = (usd: number, tokens = 0): object => ({
  total_cost_usd: usd,
  model_usage: { opus: { inputTokens: tokens, cacheReadInputTokens: 1e9 } },
});
const result = (usd: number, tokens = 0): AgentMessage =>
  ({
    type: 'result',
    total_cost_usd: usd,
    modelUsage: { opus: { inputTokens: tokens, cacheReadInputTokens: 1e9 } },
  }) as object as AgentMessage;
const toolResult = { type: 'user', parent_tool_use_id: null } as object as AgentMessage;
const init = { type: 'system', subtype: 'init' } as object as AgentMessage;
const round = (id: string, call: string | null = null): AgentMessage =>
  ({ type: 'assistant', message: { id }, parent_tool_use_id: call }) as object as AgentMessage;

/** A watch over an agent with these totals, of which each request takes the next. */
function watched(budget: Budget, answers: readonly (object | Promise<object> | undefined)[] = []) {
  const [near, failures, warnings]: [BudgetUse[], TurnFailure[], Warning[]] = [[], [], []];
  const left = [...answers];
  const requests: unknown[] = [];
  const watch = new BudgetWatch({ onNear: (use: BudgetUse) => void near.push(use), ...budget });
  watch.attach({
    request: async (...request: readonly unknown[]) => {
      requests.push(request);
      const session = left.shift();
      if (session === undefined) throw new Error('unsupported');
      return { session: await session };
    },
    failTurn: (failure: TurnFailure) => failures.push(failure),
    warn: (warning: Warning) => warnings.push(warning),
  } as object as FeatureControl);
  const receive = async (...messages: readonly AgentMessage[]): Promise<void> => {
    for (const message of messages) void watch.receive(message);
    await microtasks();
  };
  return { watch, near, failures, warnings, requests, receive };
}

describe('BudgetWatch', () => {
  it('calls `onNear` in the middle of a turn, once, at its share of the limit', async () => {
    const { near, receive } = watched({ usd: 2 }, [totals(0), totals(1), totals(1.5), totals(1.75), totals(2)]);
    await receive(toolResult);
    await receive(toolResult);
    expect(near).toEqual([]);
    await receive(toolResult);
    await receive(toolResult, result(2));
    expect(near).toEqual([{ limit: 'usd', used: 1.75, of: 2 }]);
  });

  it('does not count what a resumed session had spent before, and counts on when the totals begin anew', async () => {
    const { near, receive } = watched({ usd: 2, nearAt: 0.5 }, [totals(10)]);
    await receive(result(10.75));
    await receive(result(0.125));
    expect(near).toEqual([]);
    await receive(result(0.25));
    expect(near).toEqual([{ limit: 'usd', used: 1, of: 2 }]);
    const { watch, receive: receiveTokens } = watched({ tokens: 1000 });
    await receiveTokens(result(0, 900), result(0, 200));
    expect(watch.refuse()).toMatchObject({ budget: { used: 1100 } });
  });

  it('counts input, output and what was written to the cache, of all models', async () => {
    const { watch, receive } = watched({ tokens: 1 });
    const opus = { inputTokens: 1, outputTokens: 20, cacheCreationInputTokens: 300, cacheReadInputTokens: 1e9 };
    await receive({ ...result(0), modelUsage: { opus, haiku: { inputTokens: 4000 } } } as object as AgentMessage);
    expect(watch.refuse()).toMatchObject({ budget: { used: 4321 } });
  });

  it.each<[string, Budget, number]>([
    ['not for rounds', { turns: 1, onNear: () => {} }, 0],
    ['not where no callback is called', { turns: 1, usd: 1, onNear: undefined }, 0],
    ['for dollars', { usd: 1, onNear: () => {} }, 2],
    ['for tokens', { tokens: 1e6, onNear: undefined }, 2],
  ])('asks for the totals at the start and once for several tools: %s', async (_, budget, count) => {
    const { watch, failures, warnings, requests, receive } = watched(budget, [totals(0), totals(0)]);
    await receive(round('a'), toolResult, toolResult, toolResult);
    const request = ['get_usage', { skip_behaviors: true }, { timeoutMs: 10_000 }];
    expect(requests).toEqual(Array.from({ length: count }, () => request));
    await receive(result(5, 5));
    expect([failures, warnings, watch.refuse()]).toEqual([[], [], undefined]);
  });

  it('counts nothing of a malformed message, and does not throw', async () => {
    const { near, failures, receive } = watched({ usd: 1, tokens: 1, turns: 1 });
    const malformed = [
      { type: 'assistant', message: null, parent_tool_use_id: null },
      { type: 'result', total_cost_usd: 'much', modelUsage: { opus: null, haiku: { inputTokens: -5 } } },
      { type: 'result', modelUsage: null },
    ];
    await receive(...(malformed as object[] as AgentMessage[]));
    expect([near, failures]).toEqual([[], []]);
    await receive(result(1, 1));
    expect([near.length, failures.length]).toEqual([2, 1]);
  });

  it('stops the turn that uses the last tokens, and each one after it; reading the cache does not count', async () => {
    const { near, failures, receive } = watched({ tokens: 1000 }, [totals(0, 0), totals(0, 850), totals(0, 1100)]);
    await receive(init, toolResult);
    expect([near.length, failures.length]).toEqual([1, 0]);
    await receive(toolResult);
    const failure = { kind: 'failed', cause: 'budget', budget: { limit: 'tokens', used: 1100, of: 1000 } };
    expect(failures).toMatchObject([failure]);
    await receive({ type: 'system', subtype: 'status' } as object as AgentMessage, init);
    expect(failures).toMatchObject([failure, failure]);
  });

  it('refuses each message once the tokens are used up, as soon as the result that shows it has arrived', async () => {
    const answer = new Deferred<object>();
    const { watch, receive } = watched({ tokens: 1000 }, [totals(0, 0), answer.promise]);
    await receive(toolResult);
    expect(watch.refuse()).toBeUndefined();
    void watch.receive(result(0, 1100));
    expect(watch.refuse()).toMatchObject({ cause: 'budget', budget: { used: 1100 } });
    answer.resolve(totals(0, 20)); // older than the result
    await microtasks();
    expect(watch.refuse()).toMatchObject({ budget: { used: 1100 } });
  });

  it('counts no result before it has read what a resumed session had spent', async () => {
    const { watch, receive } = watched({ tokens: 1000 }, [totals(0, 900)]);
    const noted = watch.receive(result(0, 1100));
    expect(watch.refuse()).toBeUndefined();
    await noted;
    expect(watch.refuse()).toBeUndefined();
    await receive(result(0, 1900));
    expect(watch.refuse()).toMatchObject({ budget: { used: 1000 } });
  });

  it('counts by results where an agent cannot be asked', async () => {
    const { failures, receive } = watched({ tokens: 1000 });
    await receive(toolResult, result(0, 600));
    await receive(toolResult, result(0, 1000));
    expect(failures).toMatchObject([{ budget: { used: 1000 } }]);
  });

  it('holds neither a result nor `finish()` up for longer than the agent may take to report its totals', async () => {
    const clock = new HandClock();
    const features = [new BudgetWatch({ tokens: 1000 })];
    const { conversation, agent } = await converse({ features }, { clock });
    await agent.next('get_usage'); // and never answers
    const { result, id } = conversation.send('hi');
    for (const frame of wholeTurn(id, 'hello')) agent.write(frame);
    void conversation.finish();
    await microtasks();
    expect(agent.inputEnded).toBe(false);
    clock.advance(10_000);
    expect(await result).toMatchObject({ kind: 'completed' });
    await microtasks();
    expect(agent.inputEnded).toBe(true);
    agent.exit({ code: 0 });
  });

  it('counts the rounds of each turn, each answer once, and none of a subagent', async () => {
    const { near, receive } = watched({ turns: 4, nearAt: 0.75 });
    const use = { limit: 'turns', used: 3, of: 4 };
    await receive(round('a'), round('a'), round('sub', 'call'), round('b'));
    expect(near).toEqual([]);
    await receive(round('c'), round('d'), result(0));
    expect(near).toEqual([use]);
    await receive(round('e'), round('f'), round('g'), result(0));
    expect(near).toEqual([use, use]);
  });

  it('warns of an `onNear` that fails', async () => {
    const { warnings, receive } = watched({
      turns: 1,
      onNear: () => {
        throw new Error('mine');
      },
    });
    await receive(round('a'));
    expect(warnings).toMatchObject([{ source: 'budget.onNear', message: '`budget.onNear` failed: mine' }]);
  });
});
