import type { AnswerBlock, InputBlock, ModelMessage, StreamDelta, StreamEvent, Usage } from '@hexagent/ports';
import type { Mutable, Official } from './mutable.ts';

/*
 * The Messages API as far as it travels through the agent. It stands in where a program has no API client whose types
 * could be taken, so that none is needed to read a message; see `client.ts`. Unlike the vocabulary it is made of, it has
 * no members of unknown types, as the client has none.
 */

/** A complete or partial answer of the model. */
export type ApiMessage = Official<ModelMessage, { content: ApiContentBlock[]; usage: ApiUsage }>;

/** A piece of an answer. Narrow it by `type`. */
export type ApiContentBlock = Mutable<AnswerBlock>;

/** Tokens of one answer. */
export type ApiUsage = Official<Required<Usage>>;

type EventOf<Type extends StreamEvent['type']> = Extract<StreamEvent, { readonly type: Type }>;
type Unknown = { readonly type: `unknown ${string}` };

/** One event of the model's stream. */
export type ApiStreamEvent =
  | Official<EventOf<'message_start'>, { message: ApiMessage }>
  | Official<EventOf<'content_block_start'>, { content_block: ApiContentBlock }>
  | Official<EventOf<'content_block_delta'>, { delta: Mutable<Exclude<StreamDelta, Unknown>> }>
  | Mutable<EventOf<'content_block_stop' | 'message_delta' | 'message_stop'>>;

/** What is sent to the model: the `message` of a user's message. */
export type ApiMessageParam = {
  role: 'user' | 'assistant' | 'system';
  content: string | ApiContentBlockParam[];
};

export type ApiContentBlockParam = Mutable<InputBlock>;
