import { describe, expectTypeOf, it } from 'vitest';
import type {
  AgentMessage,
  AssistantMessage,
  ContentBlock,
  InitMessage,
  ResultMessage,
  TextBlock,
} from '@hexagent/ports';

describe('The type of a message', () => {
  it('narrows by `type` and `subtype`, although unknown messages are members too', () => {
    const narrow = (message: AgentMessage): void => {
      if (message.type === 'assistant') expectTypeOf(message).toEqualTypeOf<AssistantMessage>();
      if (message.type === 'result') expectTypeOf(message).toEqualTypeOf<ResultMessage>();
      if (message.type === 'system' && message.subtype === 'init') expectTypeOf(message).toEqualTypeOf<InitMessage>();
      expectTypeOf(message.type).toExtend<string>();
    };
    expectTypeOf(narrow).toBeFunction();
  });

  it('narrows blocks in the same way', () => {
    const narrow = (block: ContentBlock): void => {
      if (block.type === 'text') expectTypeOf(block).toEqualTypeOf<TextBlock>();
    };
    expectTypeOf(narrow).toBeFunction();
  });

  it('is never `any`', () => {
    expectTypeOf<AgentMessage>().not.toBeAny();
    expectTypeOf<AssistantMessage['message']>().not.toBeAny();
  });
});
