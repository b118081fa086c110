import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  formatCost,
  hintOf,
  isResult,
  isSystem,
  textDeltaOf,
  textOf,
  toolResultsOf,
  toolUsesOf,
  type AgentMessage,
  type InitMessage,
  type ResultMessage,
} from '@hexagent/sdk';
import type { SDKMessage, SDKResultMessage, SDKSystemMessage } from '@hexagent/sdk/claude-agent-sdk';

const retry = {
  type: 'system',
  subtype: 'api_retry',
  uuid: 'aaaaaaaa-0000-4000-8000-000000000001',
  session_id: 's',
  attempt: 1,
  max_retries: 10,
  retry_delay_ms: 500,
  error: 'unknown',
} as const;

describe('Helpers for reading', () => {
  it('take the messages of both faces', () => {
    const helpers = { hintOf, isResult, textDeltaOf, textOf, toolResultsOf, toolUsesOf };
    for (const helper of Object.values(helpers)) {
      expectTypeOf(helper).toBeCallableWith({} as AgentMessage);
      expectTypeOf(helper).toBeCallableWith({} as SDKMessage);
    }
  });

  it('find the messages of a face', () => {
    const [native, dropIn]: [AgentMessage[], SDKMessage[]] = [[], []];
    expectTypeOf(native.filter(isResult)).toEqualTypeOf<ResultMessage[]>();
    expectTypeOf(dropIn.filter(isResult)).toEqualTypeOf<SDKResultMessage[]>();
    for (const message of native) if (isSystem(message, 'init')) expectTypeOf(message).toEqualTypeOf<InitMessage>();
    for (const message of dropIn)
      if (isSystem(message, 'init')) expectTypeOf(message).toEqualTypeOf<SDKSystemMessage>();
    // @ts-expect-error -- a slip of the pen
    expect(isSystem({ type: 'system', subtype: 'init' } as AgentMessage, 'inti')).toBe(false);
  });

  it.each([
    [0, '$0.0000'],
    [0.00412, '$0.0041'],
    [0.1, '$0.10'],
    [12.3456, '$12.35'],
  ])('write %d dollars as %s', (dollars, text) => {
    expect(formatCost(dollars)).toBe(text);
  });

  it.each([
    [undefined, 'undefined'], // of an outcome that was cancelled
    [Number.NaN, 'NaN'],
    ['0.5', '"0.5"'],
  ])('refuse to write %s as dollars', (dollars, named) => {
    expect(() => formatCost(dollars as number)).toThrow(
      new TypeError(`formatCost() takes dollars, as \`cost\` of an outcome, not ${named}.`),
    );
  });

  it.each([
    [401, 'authentication'],
    [429, 'rate_limit'],
    [503, 'service'],
    [529, 'overloaded'],
    [null, 'connection'],
  ] as const)('see behind a retry with status %s that it is about %s', (error_status, kind) => {
    expect(hintOf({ ...retry, error_status } as AgentMessage)).toMatchObject({ kind });
  });

  it('see no hint in what is not about the service', () => {
    expect(hintOf({ type: 'assistant' })).toBeUndefined();
  });
});
