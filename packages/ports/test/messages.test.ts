import { describe, expectTypeOf, it } from 'vitest';
import type {
  AgentMessage,
  AssistantMessage,
  ContentBlock,
  ErrorResult,
  InitMessage,
  MessageOf,
  ResultMessage,
  SuccessResult,
  SystemMessageOf,
  TerminalReason,
  TextBlock,
  Uuid,
} from '@hexagent/ports';

const message = {} as AgentMessage; // nothing of it is read

describe('The type of a message', () => {
  it('narrows by `type` and `subtype`, although unknown messages are members too', () => {
    if (message.type === 'assistant') expectTypeOf(message).toEqualTypeOf<AssistantMessage>();
    if (message.type === 'result') expectTypeOf(message).toEqualTypeOf<ResultMessage>();
    if (message.type === 'system' && message.subtype === 'init') expectTypeOf(message).toEqualTypeOf<InitMessage>();
    expectTypeOf(message.type).toExtend<string>();
  });

  it('has the fields of messages that come rarely', () => {
    if (message.type === 'tool_progress') expectTypeOf(message.elapsed_time_seconds).toEqualTypeOf<number>();
    if (message.type === 'rate_limit_event') {
      expectTypeOf(message.rate_limit_info.status).toEqualTypeOf<'allowed' | 'allowed_warning' | 'rejected'>();
    }
    if (message.type === 'conversation_reset') expectTypeOf(message.new_conversation_id).toEqualTypeOf<Uuid>();
    if (message.type === 'command_lifecycle') expectTypeOf(message.command_uuid).toEqualTypeOf<string>();
    if (message.type === 'system' && message.subtype === 'compact_boundary')
      expectTypeOf(message.compact_metadata.pre_tokens).toEqualTypeOf<number>();
    if (message.type === 'system' && message.subtype === 'task_updated')
      expectTypeOf(message.patch.error).toEqualTypeOf<string | undefined>();
  });

  it('narrows a result by `subtype`', () => {
    if (message.type !== 'result') return;
    expectTypeOf(message.terminal_reason).toEqualTypeOf<TerminalReason | undefined>();
    if (message.subtype === 'success') expectTypeOf(message.result).toEqualTypeOf<string>();
    else expectTypeOf(message.errors).toEqualTypeOf<readonly string[]>();
  });

  it('is found by its `type` or its `subtype`', () => {
    expectTypeOf<MessageOf<'result'>>().toEqualTypeOf<SuccessResult | ErrorResult>();
    expectTypeOf<SystemMessageOf<'init'>>().toEqualTypeOf<InitMessage>();
    expectTypeOf<SystemMessageOf<'status'>['status']>().toEqualTypeOf<'compacting' | 'requesting' | null>();
  });

  it('refuses a comparison with what no message has', () => {
    // @ts-expect-error -- a slip of the pen
    if (message.type === 'asistant') return;
    // @ts-expect-error -- a slip of the pen
    if (message.type === 'system' && message.subtype === 'compact_boundry') return;
  });

  it('cannot be changed: the message may be read by others too', () => {
    // @ts-expect-error -- it is what the agent sent
    if (message.type === 'assistant') message.session_id = '';
    // @ts-expect-error -- and so are its lists
    if (message.type === 'system' && message.subtype === 'init') message.tools.push('Bash');
  });

  it('narrows blocks in the same way', () => {
    const block = {} as ContentBlock;
    if (block.type === 'text') expectTypeOf(block).toEqualTypeOf<TextBlock>();
    if (block.type === 'web_search_tool_result') expectTypeOf(block.tool_use_id).toEqualTypeOf<string>();
  });

  it('is never `any`', () => {
    expectTypeOf<AgentMessage>().not.toBeAny();
    expectTypeOf<AssistantMessage['message']>().not.toBeAny();
  });
});
