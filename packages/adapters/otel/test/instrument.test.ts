import type { Conversations, ObservedEvent } from '@hexagent/ports';
import { describe, expect, it, vi } from 'vitest';
import { instrument, withTelemetry, type InstrumentedParts } from '../src/index.ts';
import { open, recorded } from './support.ts';

const instrumentation = Symbol.for('@hexagent/sdk/instrumentation');
const installed = () =>
  Reflect.get(globalThis, instrumentation) as ((parts: InstrumentedParts) => InstrumentedParts) | undefined; // what `instrument()` puts there

describe('withTelemetry()', () => {
  it.each([
    ['contents', { contents: true }],
    ['content', { content: 'yes' }],
    ['agentName', { agentName: '' }],
    ['tracerProvider', { tracerProvider: {} }],
  ])('names an option that is wrong: %s', (name, options) => {
    // A program in JavaScript.
    expect(() => withTelemetry({}, options as object)).toThrow(new RegExp(`\`?${name}\`?`));
    expect(() => instrument(options as object)).toThrow(TypeError);
    expect(installed()).toBeUndefined();
  });

  it('keeps the other parts, and the observer and the wrapper of the program', async () => {
    const [seen, opened]: [ObservedEvent[], unknown[]] = [[], []];
    const { options, spans } = recorded();
    const observer = { observe: (event: ObservedEvent) => void seen.push(event) };
    const conversations = (inner: Conversations): Conversations => ({
      open: (given) => {
        opened.push(given);
        return inner.open(given);
      },
    });
    const parts = withTelemetry({ observer, conversations, clock: 'mine' }, options);
    expect(parts.clock).toBe('mine');
    await expect(
      parts
        .conversations?.({ open: () => Promise.reject(new Error('made up')) })
        .open({ launch: { args: [], env: {}, initialize: {} } }),
    ).rejects.toThrow('made up');
    expect(opened).toHaveLength(1);
    expect(spans.ended).toHaveLength(1);
    parts.observer?.observe({ kind: 'turn_started', id: 't', conversation: 'c' });
    expect(seen).toHaveLength(1);
  });

  it('lets the process be warned of failures, as without it', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const warning = { code: 'HEXAGENT_CALLBACK_FAILED', source: 'a hook of this test', message: 'It failed.' } as const;
    withTelemetry().onWarning?.(warning);
    expect(warned).toHaveBeenCalledOnce();
    warned.mockRestore();
    const observer = { observe: () => {} };
    expect(withTelemetry({ observer }).onWarning).toBeUndefined();
    const onWarning = (): void => {};
    expect(withTelemetry({ onWarning }).onWarning).toBe(onWarning);
  });

  it('reports a failure of the observer of the program, and traces all the same', async () => {
    const seen = recorded();
    const observer = {
      observe: (): void => {
        throw new Error('made up');
      },
    };
    const { conversation } = await open({ turns: ['hi'] }, seen, { observer });
    await conversation.send('hi').result;
    await conversation.close();
    expect(seen.spans.ended).toHaveLength(2);
  });
});

describe('instrument()', () => {
  it('gives telemetry to parts once, and to none after its end', () => {
    const end = instrument(recorded().options);
    const change = installed();
    const traced = change?.({}) ?? {};
    expect(traced.conversations).toBeDefined();
    expect(change?.(traced)).toBe(traced);
    expect(change?.(withTelemetry())).toMatchObject({ observer: expect.anything() });
    end();
    expect(installed()).toBeUndefined();
  });

  it('leaves a later one in place', () => {
    const [first, second] = [instrument(), instrument()];
    first();
    expect(installed()).toBeDefined();
    second();
    expect(installed()).toBeUndefined();
  });
});
