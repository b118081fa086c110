import type { Answer, ProseEnd, ProseKind } from './answer.ts';
import type { JsonObject } from './ui-data.ts';
import { plainText, recordOf, recordsOf, textOr, type Fields } from './loose.ts';
import type { ToolCalls } from './tool-calls.ts';
import type { UiCitation } from './ui-chunk.ts';

/** A block of the message that streams. */
interface StreamedBlock {
  readonly type: string;
  /** The id of its part. The call of a tool has the id that the model gave it. */
  readonly id: string;
  /** How much of its text was emitted. */
  length: number;
  /** The pieces of the input of a call. */
  readonly json: string[];
  signature: string;
  /** Its complete message has arrived. */
  isConfirmed: boolean;
}

interface StreamedMessage {
  readonly id: string;
  readonly blocks: Map<number, StreamedBlock>;
}

const toolTypes: ReadonlySet<unknown> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);
const proseTypes: ReadonlyMap<string, ProseKind> = new Map([
  ['text', 'text'],
  ['thinking', 'reasoning'],
]);

/** The messages of the model, which come as streams of events, as complete blocks, or as both in either order. */
export class ModelMessages {
  readonly #answer: Answer;
  readonly #tools: ToolCalls;
  #streamed: StreamedMessage | undefined;
  /** How many complete blocks of a message came that did not stream. */
  readonly #wholeBlocks = new Map<string, number>();

  constructor(answer: Answer, tools: ToolCalls) {
    this.#answer = answer;
    this.#tools = tools;
  }

  /** An event of the stream. `abandoned` comes with the last one of a message that broke off. */
  event(event: Fields, abandoned: unknown): void {
    switch (event['type']) {
      case 'content_block_delta':
        return this.#append(event);
      case 'message_start':
        return this.#begin(recordOf(event['message']));
      case 'content_block_start':
        return this.#open(event);
      case 'content_block_stop':
        return this.#close(event['index']);
      case 'message_stop':
        return this.#abandon(recordOf(abandoned)['from_block_index']);
    }
  }

  /** Complete blocks of a message. */
  complete(message: Fields): void {
    const id = textOr(message['id'], '');
    for (const block of recordsOf(message['content'])) {
      const streamed = this.#streamed?.id === id ? this.#streamedAs(block) : undefined;
      if (streamed !== undefined) this.#confirm(streamed, block);
      else this.#emitWhole(block, id);
    }
  }

  #begin(message: Fields): void {
    const id = textOr(message['id'], '');
    this.#streamed = { id, blocks: new Map() };
    this.#answer.beginStep(id);
  }

  #open(event: Fields): void {
    const streamed = this.#streamed;
    const { index } = event;
    if (streamed === undefined || typeof index !== 'number') return;
    const content = recordOf(event['content_block']);
    const type = textOr(content['type'], '');
    const isTool = toolTypes.has(type);
    const id = isTool ? textOr(content['id'], '') : `${streamed.id}:${index}`;
    const block = { type, id, length: 0, json: [], signature: '', isConfirmed: false };
    streamed.blocks.set(index, block);
    const kind = proseTypes.get(type);
    if (isTool) this.#tools.start(id, textOr(content['name'], 'unknown'));
    if (kind === undefined) return;
    this.#answer.openProse(kind, id);
    this.#appendProse(block, content[type]);
  }

  #append({ index, delta }: Fields): void {
    const block = typeof index === 'number' ? this.#streamed?.blocks.get(index) : undefined;
    if (block === undefined) return;
    const { text, thinking, partial_json, signature } = recordOf(delta);
    if (text !== undefined) this.#appendProse(block, text);
    else if (thinking !== undefined) this.#appendProse(block, thinking);
    else if (typeof partial_json === 'string') {
      block.json.push(partial_json);
      this.#tools.append(block.id, partial_json);
    } else if (typeof signature === 'string') block.signature += signature;
  }

  #appendProse(block: StreamedBlock, text: unknown): void {
    if (typeof text !== 'string' || block.isConfirmed) return;
    block.length += text.length;
    this.#answer.appendProse(block.id, text);
  }

  /** The complete message of a block comes first, as a rule, and then this changes nothing. */
  #close(index: unknown): void {
    const block = typeof index === 'number' ? this.#streamed?.blocks.get(index) : undefined;
    if (block === undefined || block.isConfirmed) return;
    if (toolTypes.has(block.type)) {
      const input = parsed(block.json.join(''));
      if (input !== undefined) this.#tools.complete(block.id, this.#tools.nameOf(block.id), input);
    } else this.#answer.closeProse(block.id, { signature: signed(block.signature) });
  }

  /** The stream broke off: what was not complete is not part of the conversation. */
  #abandon(from: unknown): void {
    if (typeof from !== 'number' || this.#streamed === undefined) return;
    const ids = new Set<string>();
    for (const [index, { id, type }] of this.#streamed.blocks)
      if (index >= from) {
        ids.add(id);
        if (toolTypes.has(type)) this.#tools.forget(id);
      }
    this.#answer.abandon(ids);
  }

  /** The block of the stream that a complete one is: a call by its id, another by its type and place. */
  #streamedAs({ type, id }: Fields): StreamedBlock | undefined {
    for (const block of this.#streamed?.blocks.values() ?? [])
      if (!block.isConfirmed && block.type === type && (!toolTypes.has(type) || block.id === id)) return block;
    return undefined;
  }

  #confirm(streamed: StreamedBlock, block: Fields): void {
    streamed.isConfirmed = true;
    if (toolTypes.has(streamed.type))
      return this.#tools.complete(streamed.id, textOr(block['name'], 'unknown'), block['input']);
    const text = block[streamed.type];
    if (typeof text === 'string') this.#answer.appendProse(streamed.id, text.slice(streamed.length));
    this.#answer.closeProse(streamed.id, endOf(block));
    if (!proseTypes.has(streamed.type)) this.#emitOther(block, streamed.id);
  }

  #emitWhole(block: Fields, messageId: string): void {
    this.#answer.beginStep(messageId);
    const index = this.#wholeBlocks.get(messageId) ?? this.#streamedBlocksOf(messageId);
    this.#wholeBlocks.set(messageId, index + 1);
    const type = textOr(block['type'], '');
    const id = `${messageId}:${index}`;
    const kind = proseTypes.get(type);
    if (toolTypes.has(type))
      return this.#tools.complete(textOr(block['id'], id), textOr(block['name'], 'unknown'), block['input']);
    if (kind === undefined) return this.#emitOther(block, id);
    this.#answer.openProse(kind, id);
    this.#answer.appendProse(id, textOr(block[type], ''));
    this.#answer.closeProse(id, endOf(block));
  }

  #streamedBlocksOf(messageId: string): number {
    return this.#streamed?.id === messageId ? this.#streamed.blocks.size : 0;
  }

  /** A result of a tool that ran at the service ends its call; other blocks have no part. */
  #emitOther(block: Fields, id: string): void {
    const { type, tool_use_id: call } = block;
    if (typeof call === 'string' && this.#tools.has(call)) return this.#tools.finish(call, serviceOutcome(block));
    if (type === 'redacted_thinking') {
      this.#answer.openProse('reasoning', id);
      this.#answer.closeProse(id, { signature: { redactedData: textOr(block['data'], '') } });
    } else this.#answer.emit({ type: 'data-block', id, data: { block } });
  }
}

function serviceOutcome({ content, is_error: isError }: Fields) {
  const { type, error_code: code } = recordOf(content);
  if (isError === true) return { kind: 'error', text: plainText(content) || 'The tool failed.' } as const;
  if (typeof type === 'string' && type.endsWith('_error'))
    return { kind: 'error', text: textOr(code, 'The tool failed.') } as const;
  return { kind: 'output', output: content } as const;
}

function endOf({ citations, signature }: Fields): ProseEnd {
  return {
    citations: citationsOf(citations),
    signature: typeof signature === 'string' ? signed(signature) : undefined,
  };
}

function signed(signature: string): JsonObject | undefined {
  return signature === '' ? undefined : { signature };
}

function parsed(json: string): unknown {
  if (json === '') return {};
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // the complete message has the input as the agent read it
  }
}

/** The sources of a text, as a page reads them; `undefined` without a citation. */
function citationsOf(citations: unknown): UiCitation[] | undefined {
  const found = recordsOf(citations).map(citationOf);
  return found.length === 0 ? undefined : found;
}

function citationOf(citation: Fields, index: number): UiCitation {
  const { url, title, document_title: documentTitle, cited_text: citedText, source } = citation;
  const cited = typeof citedText === 'string' && citedText !== '' ? { citedText } : {};
  const name = textOr(title, textOr(documentTitle, undefined));
  const address = textOr(url, textOr(source, undefined));
  if (address !== undefined)
    return {
      source: {
        type: 'source',
        sourceType: 'url',
        id: address,
        url: address,
        ...(name !== undefined && { title: name }),
      },
      ...cited,
    };
  const place = citation['document_index'];
  const id = `document-${typeof place === 'number' ? place : index}`;
  return {
    source: { type: 'source', sourceType: 'document', id, mediaType: 'text/plain', title: name ?? id },
    ...cited,
  };
}
