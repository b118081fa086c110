import { cacheRemedies, type AgentMessage, type CacheFact, type FeatureControl, type Warning } from '@hexagent/ports';
import { HandClock } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { CacheWatch } from '../src/spending/cache-watch.ts';

let count = 0;
/** The answer to a request that read and wrote so many tokens of the cache. */
const answer = (read: number, written: number, more: object = {}): AgentMessage =>
  ({
    type: 'assistant',
    parent_tool_use_id: null,
    message: {
      id: `m${(count += 1)}`,
      model: 'opus',
      usage: {
        input_tokens: 10,
        output_tokens: 7,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: written,
      },
      ...more,
    },
  }) as object as AgentMessage;
const system = (subtype: string, more: object = {}): AgentMessage =>
  ({ type: 'system', subtype, ...more }) as object as AgentMessage;

function watched({ isResumed = false } = {}) {
  const clock = new HandClock(1e9);
  const [facts, warnings]: [CacheFact[], Warning[]] = [[], []];
  const watch = new CacheWatch({ clock, isResumed });
  watch.attach({
    append: (fact: CacheFact) => facts.push(fact),
    warn: (warning: Warning) => warnings.push(warning),
  } as object as FeatureControl);
  return { clock, facts, warnings, watch };
}

describe('CacheWatch', () => {
  it('notices nothing where the conversation is found in the cache, or the service has none', () => {
    const { facts, watch } = watched();
    for (const one of [answer(0, 5000), answer(5000, 300), answer(5300, 20)]) watch.note(one);
    expect(facts).toEqual([]);
    for (const isResumed of [false, true]) {
      const without = watched({ isResumed });
      for (const one of [answer(0, 0), answer(0, 0)]) without.watch.note(one);
      expect(without.facts).toEqual([]);
    }
  });

  it('notices nothing where half of what was cached is found', () => {
    const { facts, watch } = watched();
    for (const one of [answer(0, 5000), answer(2500, 2500)]) watch.note(one);
    expect(facts).toEqual([]);
  });

  it('does not take what the agent itself wrote for an answer of the service, such as the text of a local command', () => {
    const { facts, watch } = watched();
    const written = answer(0, 0, { model: '<synthetic>', usage: { input_tokens: 0, output_tokens: 0 } });
    for (const one of [answer(0, 5000), written, answer(5000, 300)]) watch.note(one);
    expect(facts).toEqual([]);
    for (const one of [written, answer(0, 5300)]) watch.note(one);
    expect(facts).toMatchObject([{ cause: 'unknown', tokens: 5300 }]);
  });

  it('does not take the report of an error of the service for an answer', () => {
    const { facts, watch } = watched();
    const error = { ...answer(0, 0), is_api_error_message: true } as AgentMessage;
    for (const one of [answer(0, 5000), error, answer(5000, 300)]) watch.note(one);
    expect(facts).toEqual([]);
  });

  const withTools = (...tools: readonly string[]): AgentMessage => system('init', { tools });
  it.each<[CacheFact['cause'], readonly AgentMessage[], AgentMessage]>([
    ['model', [], answer(100, 5300, { model: 'haiku' })],
    ['fallback', [system('model_fallback')], answer(100, 5300, { model: 'haiku' })],
    ['compaction', [system('compact_boundary')], answer(100, 900)],
    ['cleared', [{ type: 'conversation_reset' } as object as AgentMessage], answer(100, 900)],
    ['tools', [withTools('Read'), system('status'), withTools('Read', 'mcp__a__b')], answer(100, 6000)],
    ['unknown', [withTools('Read'), system('status'), withTools('Read')], answer(100, 5300)],
  ])('reports the likely cause, once, and warns where there is a remedy: %s', (cause, between, next) => {
    const { facts, warnings, watch } = watched();
    for (const one of [answer(0, 5000), ...between, next, next, answer(5400, 10)]) watch.note(one);
    expect(facts).toEqual([{ kind: 'cache_missed', cause, tokens: 4900 }]);
    expect(warnings).toHaveLength(cacheRemedies[cause] === undefined ? 0 : 1);
  });

  it.each([
    [5, {}],
    [5, { ephemeral_5m_input_tokens: 5000, ephemeral_1h_input_tokens: 0 }],
    [60, { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 5000 }],
  ])('takes a pause for the cause when it is longer than the life of what was written: %i minutes', (minutes, kept) => {
    const usage = { cache_creation_input_tokens: 5000, cache_creation: kept };
    const { clock, facts, warnings, watch } = watched();
    watch.note(answer(0, 0, { usage }));
    clock.advance(minutes * 60_000);
    watch.note(answer(0, 0, { usage }));
    clock.advance(minutes * 60_000 + 1);
    watch.note(answer(0, 5000));
    expect(facts).toMatchObject([{ cause: 'unknown' }, { cause: 'idle', tokens: 5000 }]);
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_CACHE_MISSED', source: 'prompt cache, idle' }]);
  });

  it('expects a resumed session to be in the cache', () => {
    const late = watched({ isResumed: true });
    late.watch.note(answer(0, 5000));
    expect(late.facts).toMatchObject([{ cause: 'resume', tokens: 5010 }]);
    const soon = watched({ isResumed: true });
    soon.watch.note(answer(5000, 40));
    expect(soon.facts).toEqual([]);
  });

  it('does not compare requests of subagents, nor blocks of one answer', () => {
    const { facts, watch } = watched();
    const first = answer(0, 5000);
    const ofSubagent = { ...answer(0, 800), parent_tool_use_id: 'call' } as AgentMessage;
    for (const one of [first, first, ofSubagent, answer(5000, 10)]) watch.note(one);
    expect(facts).toEqual([]);
  });
});
