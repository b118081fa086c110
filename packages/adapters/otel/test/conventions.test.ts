import assert from 'node:assert/strict';
import * as constants from '@opentelemetry/semantic-conventions/incubating';
import { gate, reply } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { errorType, genAi } from '../src/names.ts';
import { assertConventional, model } from './conventions.ts';
import { open, recorded, spanNamed } from './support.ts';

/** The names that the last version of their package for JavaScript has that still contains these conventions. */
const published = new Set<unknown>(Object.values(constants));

describe('The names of attributes', () => {
  it.each([...Object.values(genAi), errorType])('are those of the semantic conventions: %s', (name) => {
    // Newer than that version, and in the model: `gen_ai.request.stream` and others.
    expect(published.has(name) || name in model.types).toBe(true);
  });
});

const turns = [
  [reply.tool('Read', { file_path: 'a' }), reply.tool('Bash', {}, { isError: true }), 'Done.'],
  [reply.apiError(529, 'Overloaded.')],
];

describe.each([false, true])('The spans of turns, with content: %s,', (content) => {
  it.each([false, true])('are as the model of the conventions has them, in pieces: %s', async (partial) => {
    const seen = recorded();
    const { conversation } = await open({ turns }, seen, { partial, telemetry: { content } });
    for (const text of ['1', '2']) await conversation.send(text).result;
    await conversation.finish();
    expect(seen.spans.ended).toHaveLength(7);
    for (const span of seen.spans.ended) assertConventional(span, { isContentWanted: content });
    const texts = seen.spans.ended
      .flatMap(({ attributes }) => Object.keys(attributes))
      .filter((key) => /messages|arguments|result/.test(key));
    expect(new Set(texts).size).toBe(content ? 4 : 0);
  });
});

describe('The metrics', () => {
  it('are those of the conventions, and of this package', async () => {
    const seen = recorded();
    const { conversation } = await open({ turns }, seen, { partial: true });
    for (const text of ['1', '2']) await conversation.send(text).result;
    const live = async () => (await seen.metrics())['hexagent.agents.live']?.map(({ value }) => value);
    expect(await live()).toEqual([1]);
    await conversation.finish();
    expect(await live()).toEqual([0]);
    const metrics = await seen.metrics();
    for (const [name, points] of Object.entries(metrics)) {
      if (name.startsWith('hexagent.')) continue;
      const wanted = model.metrics[name];
      assert(wanted, `There is no metric ${name}`);
      for (const { attributes } of points)
        expect(Object.keys(attributes)).toEqual(expect.arrayContaining([...wanted.required]));
    }
    expect(Object.keys(metrics).toSorted()).toEqual(
      [...Object.keys(model.metrics), 'hexagent.agents.live', 'hexagent.cost', 'hexagent.tokens'].toSorted(),
    );
    const sums = metrics['gen_ai.client.token.usage']?.map(({ attributes, value }) => [
      Object(attributes)['gen_ai.token.type'],
      Object(value).sum,
    ]);
    expect(sums).toEqual([
      ['input', 20],
      ['output', 10],
    ]);
  });
});

describe('A subagent', () => {
  it('is an agent that was invoked by a call, and outlives the turn that started it', async () => {
    const seen = recorded();
    const done = gate();
    const { conversation } = await open(
      { turns: [[reply.subagent('look around', { until: done, report: 'Seen.' }), 'Started.']] },
      seen,
    );
    await conversation.send('hi').result;
    const names = (): readonly string[] => seen.spans.ended.map(({ name }) => name);
    expect(names()).toContain('invoke_agent claude-code');
    expect(names()).not.toContain('invoke_agent general-purpose');
    done.open();
    for await (const turn of conversation.turns) {
      await turn.result;
      break;
    }
    await conversation.finish();
    const subagent = spanNamed(seen.spans.ended, 'invoke_agent general-purpose');
    assertConventional(subagent);
    const call = seen.spans.ended.find(({ attributes }) => attributes['gen_ai.operation.name'] === 'execute_tool');
    expect(subagent.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
    expect(seen.spans.open.size).toBe(0);
  });
});
