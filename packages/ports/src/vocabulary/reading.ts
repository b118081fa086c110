import type { ContentBlock, ToolResultBlock, ToolUseBlock } from './content.ts';
import type { AgentMessage, AssistantMessage, UserMessage } from './messages.ts';

/*
 * What helps to read messages. Everything takes the messages of both faces and of every agent, so nothing is relied on
 * but the `type`: a message that is not in the form its type promises has no text, and is no reason to throw.
 */

/** A message of either face, of any type. */
export interface AnyMessage {
  /** What kind of message it is. */
  readonly type: string;
}

/** The text of a whole answer of the model; empty for every other message. */
export function textOf(message: AnyMessage): string {
  return answerBlocksOf(message)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
}

/** The piece of text in a partial message; empty for everything else. Ask for `partialMessages` to get any. */
export function textDeltaOf(message: AnyMessage): string {
  if (!isOfType(message, 'stream_event') || message.event?.type !== 'content_block_delta') return '';
  const { delta }: Loose<typeof message.event> = message.event;
  return delta?.type === 'text_delta' ? delta.text : '';
}

/** The tool calls in an answer of the model. */
export function toolUsesOf(message: AnyMessage): readonly ToolUseBlock[] {
  return answerBlocksOf(message).filter((block) => block.type === 'tool_use');
}

/** The results of tools in a message. */
export function toolResultsOf(message: AnyMessage): readonly ToolResultBlock[] {
  if (!isOfType(message, 'user')) return [];
  return listOf(message.message?.content).filter((block) => block.type === 'tool_result');
}

/** Whether it is the end of a turn. */
export function isResult<Message extends AnyMessage>(
  message: Message,
): message is Extract<Message, { readonly type: 'result' }> {
  return message.type === 'result';
}

/** Whether it is the system message of this subtype. */
export function isSystem<Message extends AnyMessage, Subtype extends SubtypeOf<Message>>(
  message: Message,
  subtype: Subtype,
): message is Extract<Message, { readonly type: 'system'; readonly subtype: Subtype }> {
  return message.type === 'system' && (message as { readonly subtype?: unknown }).subtype === subtype; // it may have none
}

/** The subtypes of the system messages among some messages. */
type SubtypeOf<Message> = Extract<Message, { readonly type: 'system'; readonly subtype: string }>['subtype'];

/** The fields of a message as far as they are there. */
type Loose<Message> = { readonly [Key in keyof Message]?: Message[Key] };

function isOfType<Type extends 'assistant' | 'stream_event' | 'user'>(
  message: AnyMessage,
  type: Type,
): message is Loose<Extract<AgentMessage, { readonly type: Type }>> & AnyMessage {
  return message.type === type;
}

function answerBlocksOf(message: AnyMessage): readonly ContentBlock[] {
  return isOfType(message, 'assistant') ? listOf(message.message?.content) : [];
}

function listOf(content: (AssistantMessage | UserMessage)['message']['content'] | undefined): readonly ContentBlock[] {
  return Array.isArray(content)
    ? content.filter((block: unknown): block is ContentBlock => typeof block === 'object' && block !== null)
    : [];
}
