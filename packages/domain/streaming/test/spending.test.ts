import type { AgentMessage, ResultMessage } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { divide } from '../src/spending/divide.ts';
import { SpendingFold } from '../src/spending/spending-fold.ts';
import { result } from './support.ts';

interface Counted {
  readonly input?: number;
  readonly output?: number;
  readonly read?: number;
  readonly written?: number;
}

/** One content block of an answer, with the usage that the agent sends before the answer ends. */
const block = (id: string, model: string, { input = 0, read = 0, written = 0 }: Counted, call: string | null = null) =>
  ({
    type: 'assistant',
    message: {
      id,
      model,
      usage: {
        input_tokens: input,
        output_tokens: 1,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: written,
      },
    },
    parent_tool_use_id: call,
    ...(call !== null && { subagent_type: 'general-purpose' }),
  }) as object as AgentMessage;

const model = ({ input = 0, output = 0, read = 0, written = 0 }: Counted, costUSD: number) => ({
  inputTokens: input,
  outputTokens: output,
  cacheReadInputTokens: read,
  cacheCreationInputTokens: written,
  costUSD,
});

const task = (subtype: string, fields: object): AgentMessage =>
  ({ type: 'system', subtype, ...fields }) as object as AgentMessage;

const ended = (fields: object): ResultMessage => result(fields) as ResultMessage;
/** The end of a turn in which these models were used; `own` is what the conversation itself used. */
const endedWith = (models: object, own: object = {}): ResultMessage =>
  ended({ model_usage_since_last_result: models, usage: own });
const spent = (inputTokens: number, outputTokens: number, cost: number): object => ({
  inputTokens,
  outputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cost,
});

function foldOf(...messages: readonly AgentMessage[]): SpendingFold {
  const fold = new SpendingFold();
  for (const message of messages) fold.note(message);
  return fold;
}

describe('SpendingFold', () => {
  it('#17 counts a request once, although each block of its answer repeats the usage', () => {
    const fold = foldOf(
      block('m1', 'opus', { input: 10 }),
      block('m1', 'opus', { input: 10 }),
      block('m2', 'haiku', { input: 7 }, 'call'),
      block('m2', 'haiku', { input: 7 }, 'call'),
    );
    const models = { opus: model({ input: 10, output: 5 }, 0.2), haiku: model({ input: 7, output: 3 }, 0.1) };
    const turn = fold.end(
      ended({ total_cost_usd: 0.3, modelUsage: models, usage: { input_tokens: 10, output_tokens: 5 } }),
    );
    expect(turn.models).toEqual({ opus: spent(10, 5, 0.2), haiku: spent(7, 3, 0.1) });
    expect(turn.subagents).toEqual([{ call: 'call', type: 'general-purpose', isExact: true, ...spent(7, 3, 0.1) }]);
    expect(fold.ledger).toMatchObject({ inputTokens: 17, outputTokens: 8, results: 1, costBefore: 0 });
  });

  it('#17 takes what is new from running totals, which an agent without other counts reports', () => {
    const fold = foldOf();
    fold.end(ended({ total_cost_usd: 0.5, modelUsage: { opus: model({ input: 10, output: 5 }, 0.5) } }));
    const second = fold.end(
      ended({
        total_cost_usd: 0.75,
        modelUsage: { opus: model({ input: 30, output: 6 }, 0.7), haiku: model({ input: 1 }, 0.05) },
      }),
    );
    expect(second.cost).toBeCloseTo(0.25);
    expect(second.models).toEqual({ opus: spent(20, 1, expect.closeTo(0.2)), haiku: spent(1, 0, 0.05) });
    expect(fold.ledger).toMatchObject({ cost: 0.75, inputTokens: 31, results: 2 });
  });

  it('counts nothing of running totals that have not changed', () => {
    const fold = foldOf();
    const totals = ended({ total_cost_usd: 0.5, modelUsage: { opus: model({ input: 10 }, 0.5) } });
    fold.end(totals);
    expect(fold.end(totals)).toEqual({ cost: 0, models: { opus: spent(0, 0, 0) }, subagents: [] });
    expect(fold.ledger).toMatchObject({ cost: 0.5, inputTokens: 10 });
  });

  it('counts totals that begin anew, as after `/clear`', () => {
    const fold = foldOf();
    fold.end(ended({ total_cost_usd: 0.5, modelUsage: { opus: model({ input: 10 }, 0.5) } }));
    fold.end(ended({ total_cost_usd: 0.25, modelUsage: { opus: model({ input: 4 }, 0.25) } }));
    expect(fold.ledger).toMatchObject({ cost: 0.75, inputTokens: 14 });
  });

  it('leaves out what a resumed session had cost before', () => {
    const fold = foldOf();
    fold.end(
      ended({
        total_cost_usd: 2,
        modelUsage: { opus: model({ input: 100 }, 2) },
        model_usage_since_last_result: { opus: model({ input: 25 }, 0.5) },
      }),
    );
    expect(fold.ledger).toMatchObject({ cost: 0.5, costBefore: 1.5, inputTokens: 25 });
  });

  it('gives a subagent that works beside several turns its part in each', () => {
    const fold = foldOf(block('m1', 'opus', { input: 10 }), block('s1', 'opus', { input: 4 }, 'call'));
    const started = { type: 'system', subtype: 'task_started', task_type: 'local_agent', tool_use_id: 'call' };
    fold.note(started as object as AgentMessage);
    const usage = { input_tokens: 10, output_tokens: 2 };
    const since = (input: number, output: number) => ({
      usage,
      model_usage_since_last_result: { opus: model({ input, output }, 1) },
    });
    expect(fold.end(ended(since(14, 3))).subagents).toMatchObject([{ inputTokens: 4, outputTokens: 1 }]);
    fold.note(block('m2', 'opus', { input: 10 }));
    const over = { type: 'system', subtype: 'task_notification', tool_use_id: 'call', usage: { total_tokens: 9 } };
    fold.note(over as object as AgentMessage);
    expect(fold.end(ended(since(19, 4))).subagents).toMatchObject([{ inputTokens: 9, outputTokens: 2 }]);
    fold.note(block('m3', 'opus', { input: 10 }));
    expect(fold.end(ended(since(10, 2))).subagents).toEqual([]);
    expect(fold.ledger.subagents).toMatchObject({ 'general-purpose': { inputTokens: 13, outputTokens: 3 } });
  });

  it('calls what two subagents on one model spent together inexact, and what a cut turn leaves unreported', () => {
    const two = foldOf(block('a', 'opus', { input: 4 }, 'one'), block('b', 'opus', { input: 8 }, 'two'));
    const of = { model_usage_since_last_result: { opus: model({ input: 24, output: 6 }, 3) }, usage: {} };
    expect(two.end(ended(of)).subagents).toMatchObject([
      { call: 'one', inputTokens: 8, outputTokens: 2, isExact: false },
      { call: 'two', inputTokens: 16, outputTokens: 4, isExact: false },
    ]);
    const cut = foldOf(block('a', 'opus', { input: 4 }, 'one'));
    expect(cut.end(ended({ ...of, is_error: true })).subagents).toMatchObject([{ inputTokens: 24, isExact: false }]);
  });

  it('gives each of several subagents what was spent on the models that it used since the last result', () => {
    const fold = foldOf(
      block('a', 'opus', { input: 4 }, 'one'),
      block('b', 'haiku', { input: 8 }, 'two'),
      block('c', 'sonnet', { input: 2 }, 'two'),
    );
    const models = {
      opus: model({ input: 4, output: 1 }, 4),
      haiku: model({ input: 8, output: 2 }, 2),
      sonnet: model({ input: 2, output: 3 }, 1),
    };
    expect(fold.end(endedWith(models)).subagents).toMatchObject([
      { call: 'one', isExact: true, ...spent(4, 1, 4) },
      { call: 'two', isExact: true, ...spent(10, 5, 3) },
    ]);
    fold.note(block('d', 'haiku', { input: 6 }, 'one'));
    fold.note(block('e', 'opus', { input: 9 }, 'two'));
    const next = { opus: model({ input: 9 }, 9), haiku: model({ input: 6 }, 6) };
    expect(fold.end(endedWith(next)).subagents).toMatchObject([
      { call: 'one', isExact: true, ...spent(6, 0, 6) },
      { call: 'two', isExact: true, ...spent(9, 0, 9) },
    ]);
  });

  const started = (call: string): AgentMessage =>
    task('task_started', { task_type: 'local_agent', tool_use_id: call, subagent_type: 'explorer' });

  it.each<[string, AgentMessage, readonly object[]]>([
    ['a subagent, before its first message', started('call'), [{ call: 'call', type: 'explorer' }]],
    ['a shell', task('task_started', { task_type: 'local_bash', tool_use_id: 'call' }), []],
    ['a subagent that no tool call began', task('task_started', { task_type: 'local_agent' }), []],
    ['the end of an unknown task', task('task_notification', { task_type: 'local_agent', tool_use_id: 'call' }), []],
    ['a message without an id', { ...block('m', 'opus', {}, 'call'), message: {} } as object as AgentMessage, []],
  ])('lists subagents, and no other tasks: %s', (_, message, subagents) => {
    expect(foldOf(message).end(endedWith({})).subagents).toMatchObject(subagents);
  });

  it('divides what no message shows by the last requests of the subagents', () => {
    const calls = ['one', 'two', 'three'];
    const over = (call: string, usage?: object): AgentMessage =>
      task('task_notification', { tool_use_id: call, usage });
    const ends = [over('one', { total_tokens: 30 }), over('two', { total_tokens: 10 }), over('three')];
    const turn = foldOf(...calls.map(started), ...ends).end(endedWith({ opus: model({ input: 40 }, 4) }));
    expect(turn.subagents).toMatchObject([30, 10, 0].map((input) => spent(input, 0, input / 10)));
  });

  it.each<[string, object, readonly object[]]>([
    [
      'the models that no other subagent used, which the conversation may have used too',
      { opus: model({ input: 14 }, 14), haiku: model({ input: 7 }, 7) },
      [
        { call: 'seen', isExact: true, ...spent(7, 0, 7) },
        { call: 'unseen', isExact: true, ...spent(4, 0, 4) },
      ],
    ],
    [
      'a part of each model, where other subagents used all of them',
      { haiku: model({ input: 21 }, 21) },
      [
        { call: 'seen', isExact: false, ...spent(14, 0, 14) },
        { call: 'unseen', isExact: false, ...spent(7, 0, 7) },
      ],
    ],
  ])('gives a subagent without a message %s', (_, models, subagents) => {
    const usage = { total_tokens: 7 };
    const fold = foldOf(
      block('m', 'opus', { input: 10 }),
      block('a', 'haiku', { input: 7 }, 'seen'),
      started('unseen'),
      task('task_notification', { tool_use_id: 'unseen', usage }),
    );
    expect(fold.end(endedWith(models, { input_tokens: 10 })).subagents).toMatchObject(subagents);
  });

  it('leaves to a subagent what the conversation did not use of its model, where a fallback took over in the turn', () => {
    const fold = foldOf(
      block('m1', 'opus', { input: 10 }),
      block('m2', 'haiku', { input: 12 }),
      block('a', 'haiku', { input: 18 }, 'call'),
    );
    const models = { opus: model({ input: 10 }, 1), haiku: model({ input: 30 }, 3) };
    const turn = fold.end(endedWith(models, { input_tokens: 22 }));
    expect(turn.subagents).toMatchObject([spent(18, 0, expect.closeTo(1.8))]);
  });

  it('gives a subagent nothing of a cost without tokens', () => {
    const turn = foldOf(block('a', 'opus', {}, 'call')).end(endedWith({ opus: model({}, 2) }));
    expect(turn).toMatchObject({ cost: 2, subagents: [spent(0, 0, 0)] });
  });

  it('counts by the model that answered, where a fallback took over in the turn', () => {
    const fold = foldOf(block('m1', 'opus', { input: 10 }), block('m2', 'haiku', { input: 12 }));
    const models = { opus: model({ input: 10, output: 1 }, 0.5), haiku: model({ input: 12, output: 2 }, 0.1) };
    const turn = fold.end(ended({ model_usage_since_last_result: models, usage: { input_tokens: 22 } }));
    expect(turn).toMatchObject({ models: { opus: { cost: 0.5 }, haiku: { cost: 0.1 } }, subagents: [] });
    expect(turn.cost).toBeCloseTo(0.6);
  });

  it.each([
    [{ modelUsage: null, usage: null, total_cost_usd: 'much' }],
    [{ modelUsage: { opus: null }, usage: 'none', model_usage_since_last_result: [] }],
    [{ modelUsage: { opus: { inputTokens: -1, costUSD: Number.NaN } }, model_usage_since_last_result: { opus: 7 } }],
  ])('counts nothing of a malformed result, and does not throw: %j', (fields) => {
    const fold = foldOf({ type: 'assistant', message: null } as object as AgentMessage);
    fold.note(block('m', 'opus', { input: 3 }, 'call'));
    expect(fold.end(ended(fields)).cost).toBe(0);
    expect(fold.ledger).toMatchObject({ cost: 0, inputTokens: 0, outputTokens: 0 });
  });

  it.each([-1, Number.NaN, Infinity, '5', true, null, undefined])('counts an amount of %s for nothing', (amount) => {
    const fold = foldOf();
    fold.end(endedWith({ opus: { inputTokens: amount, costUSD: amount } }));
    expect(fold.ledger).toMatchObject({ ...spent(0, 0, 0), models: { opus: spent(0, 0, 0) } });
  });
});

describe('divide', () => {
  const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const whole = { inputTokens: 100, outputTokens: 11, cacheReadTokens: 7, cacheWriteTokens: 1, cost: 1 };
  it.each([
    ['one', [{ seen: none, lastRequest: 0 }]],
    ['equal ones', [none, none, none].map((seen) => ({ seen, lastRequest: 0 }))],
    ['unequal ones', [3, 50, 7].map((inputTokens) => ({ seen: { ...none, inputTokens }, lastRequest: 9 }))],
    ['more than there is', [300, 50].map((inputTokens) => ({ seen: { ...none, inputTokens }, lastRequest: 0 }))],
  ])('gives parts that add up to the whole: %s', (_, shares) => {
    const parts = divide(whole, shares);
    for (const kind of ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cost'] as const)
      expect(parts.reduce((sum, part) => sum + part[kind], 0)).toBeCloseTo(whole[kind]);
  });

  /** What was seen of each share, and the size of its last request. */
  type Sizes = readonly (readonly [seen: number, lastRequest: number])[];
  it.each<readonly [string, number, Sizes, readonly number[]]>([
    [
      'by the last request of each, where nothing was seen',
      40,
      [
        [0, 30],
        [0, 10],
      ],
      [30, 10],
    ],
    [
      'what was seen to each, and the rest by their sizes',
      100,
      [
        [3, 9],
        [50, 9],
        [7, 9],
      ],
      [9, 77, 14],
    ],
    [
      'in the proportion of what was seen, where that is more than there is',
      100,
      [
        [300, 0],
        [50, 0],
      ],
      [86, 14],
    ],
    [
      'equally, where nothing is known of them',
      10,
      [
        [0, 0],
        [0, 0],
      ],
      [5, 5],
    ],
  ])('gives %s', (_, inputTokens, sizes, expected) => {
    const shares = sizes.map(([seen, lastRequest]) => ({ seen: { ...none, inputTokens: seen }, lastRequest }));
    const parts = divide({ ...none, inputTokens, cost: inputTokens / 10 }, shares);
    expect(parts.map((part) => part.inputTokens)).toEqual(expected);
    for (const part of parts) expect(part.cost).toBeCloseTo(part.inputTokens / 10);
  });

  it('divides a cost by what each kind of tokens costs', () => {
    const seen = [{ inputTokens: 50 }, { outputTokens: 10 }, { cacheReadTokens: 500 }, { cacheWriteTokens: 40 }].map(
      (kind) => ({ ...none, ...kind }),
    );
    const all = { inputTokens: 50, outputTokens: 10, cacheReadTokens: 500, cacheWriteTokens: 40 };
    const parts = divide(
      { ...all, cost: 8 },
      seen.map((one) => ({ seen: one, lastRequest: 0 })),
    );
    expect(parts.map(({ cost }) => cost)).toEqual([2, 2, 2, 2].map((cost) => expect.closeTo(cost)));
  });

  it('gives each the same part of a cost without tokens', () => {
    const shares = [
      { seen: none, lastRequest: 0 },
      { seen: none, lastRequest: 5 },
    ];
    expect(divide({ ...none, cost: 4 }, shares).map(({ cost }) => cost)).toEqual([2, 2]);
  });
});
