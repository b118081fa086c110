import type { DynamicToolUIPart, UIMessage, UIMessageChunk } from 'ai';
import type { UiChunk, UiData, UiDataChunk, UiMessage, UiPart, UiToolPart, UiTurnMetadata } from '@hexagent/ui-stream';
import { describe, expectTypeOf, it } from 'vitest';

type Chunk = UIMessageChunk<UiTurnMetadata, UiData>;
type Message = UIMessage<UiTurnMetadata, UiData>;
type OfType<Union, Type> = Extract<Union, { type: Type }>;

/** The chunks of `ai` that the translator does not emit; a new one shows here. */
type NotEmitted = 'custom' | 'file' | 'reasoning-file' | 'source-document' | 'source-url' | 'tool-input-error';

describe('The types of ui-stream', () => {
  it('are what a page of the AI SDK takes, chunk by chunk', () => {
    expectTypeOf<UiChunk>().toExtend<Chunk>();
    expectTypeOf<UiChunk>().toExtend<UIMessageChunk>();
    expectTypeOf<UiDataChunk>().toExtend<OfType<Chunk, `data-${string}`>>();
  });

  it('name every chunk that there is, or it is listed here', () => {
    type Named<Union extends { type: string }> = Exclude<Union['type'], `data-${string}`>;
    expectTypeOf<Named<UIMessageChunk>>().toEqualTypeOf<Named<UiChunk> | NotEmitted>();
  });

  it('are messages of the AI SDK, part by part', () => {
    expectTypeOf<UiMessage>().toExtend<Message>();
    expectTypeOf<UiMessage>().toExtend<UIMessage>();
    expectTypeOf<UiPart>().toExtend<Message['parts'][number]>();
    expectTypeOf<UiToolPart>().toExtend<DynamicToolUIPart>();
    expectTypeOf<UiToolPart['state']>().toEqualTypeOf<DynamicToolUIPart['state']>();
  });
});
