import type { UiChunk } from './ui-chunk.ts';
import type { UiMessage, UiPart } from './ui-message.ts';

/** A part of a tool whose fields are set one after the other, in the order that the translator keeps. */
type LooseTool = Record<string, unknown> & { approval?: Record<string, unknown> };

/** The message that the chunks of a turn which has ended become, as the reader of a page builds it. */
export function buildMessage(chunks: readonly UiChunk[]): UiMessage {
  const message: UiMessage = { id: '', role: 'assistant', parts: [] };
  const building = new Building(message);
  for (const chunk of chunks) building.take(chunk);
  return message;
}

class Building {
  readonly #message: UiMessage;
  readonly #prose = new Map<string, Extract<UiPart, { type: 'text' | 'reasoning' }>>();
  readonly #tools = new Map<string, LooseTool>();
  readonly #approvals = new Map<string, LooseTool>();

  constructor(message: UiMessage) {
    this.#message = message;
  }

  take(chunk: UiChunk): void {
    switch (chunk.type) {
      case 'start':
        this.#message.id = chunk.messageId;
        return this.#describe(chunk.messageMetadata);
      case 'message-metadata':
      case 'finish':
        return this.#describe(chunk.messageMetadata);
      case 'start-step':
        return this.#add({ type: 'step-start' });
      case 'steering-message':
        return this.#add({ type: 'steering-message', id: chunk.id, parts: chunk.parts });
      case 'text-start':
        return this.#begin(chunk.id, { type: 'text', text: '', state: 'streaming' });
      case 'reasoning-start':
        return this.#begin(chunk.id, { type: 'reasoning', id: chunk.id, text: '', state: 'streaming' });
      case 'text-delta':
      case 'reasoning-delta':
        return this.#extend(chunk.id, chunk.delta);
      case 'text-end':
      case 'reasoning-end':
        return this.#end(chunk);
      case 'finish-step':
      case 'reset-step':
      case 'abort':
      case 'error':
        // A step is only reset where a stream breaks off, and what was stored never streams.
        return;
      default:
        if ('data' in chunk) this.#addData(chunk);
        else this.#changeTool(chunk);
    }
  }

  #add(part: UiPart): void {
    this.#message.parts.push(part);
  }

  #describe(metadata: UiMessage['metadata']): void {
    if (metadata !== undefined) this.#message.metadata = { ...this.#message.metadata, ...metadata };
  }

  #begin(id: string, part: Extract<UiPart, { type: 'text' | 'reasoning' }>): void {
    this.#prose.set(id, part);
    this.#add(part);
  }

  #extend(id: string, text: string): void {
    const part = this.#prose.get(id);
    if (part !== undefined) part.text += text;
  }

  #end(chunk: Extract<UiChunk, { type: 'text-end' | 'reasoning-end' }>): void {
    const part = this.#prose.get(chunk.id);
    if (part === undefined) return;
    part.state = 'done';
    if (part.type === 'text' && chunk.type === 'text-end' && chunk.citations) part.citations = chunk.citations;
    if (part.type === 'reasoning' && chunk.type === 'reasoning-end' && chunk.providerMetadata)
      part.providerMetadata = chunk.providerMetadata;
  }

  #addData(chunk: Extract<UiChunk, { data: unknown }>): void {
    if (chunk.transient === true) return;
    const { type, id } = chunk;
    const earlier = this.#message.parts.find((part) => part.type === type && 'data' in part && part.id === id);
    if (id !== undefined && earlier !== undefined && 'data' in earlier) earlier.data = chunk.data;
    else this.#add({ ...chunk });
  }

  #changeTool(chunk: Extract<UiChunk, { type: `tool-${string}` }>): void {
    if (chunk.type === 'tool-input-start' || chunk.type === 'tool-input-available') return this.#setInput(chunk);
    if (chunk.type === 'tool-input-delta') return;
    const tool = 'toolCallId' in chunk ? this.#tools.get(chunk.toolCallId) : this.#approvals.get(chunk.approvalId);
    if (tool === undefined) return;
    switch (chunk.type) {
      case 'tool-approval-request': {
        const { approvalId: id, approvalDescriptor: descriptor, reason: requestReason, isAutomatic } = chunk;
        this.#approvals.set(id, tool);
        tool['state'] = 'approval-requested';
        tool.approval = {
          id,
          ...(descriptor && { descriptor }),
          ...(requestReason !== undefined && { requestReason }),
          ...(isAutomatic && { isAutomatic }),
        };
        return;
      }
      case 'tool-approval-response': {
        const { approved, reason } = chunk;
        tool['state'] = 'approval-responded';
        tool.approval = { ...tool.approval, approved, ...(reason !== undefined && { reason }) };
        return;
      }
      case 'tool-output-denied':
        tool['state'] = 'output-denied';
        return;
      case 'tool-output-error':
        tool['state'] = 'output-error';
        tool['errorText'] = chunk.errorText;
        if (chunk.providerMetadata) tool['resultProviderMetadata'] = chunk.providerMetadata;
        return;
      case 'tool-output-available':
        return setOutput(tool, chunk);
    }
  }

  #setInput(chunk: Extract<UiChunk, { type: 'tool-input-start' | 'tool-input-available' }>): void {
    const { toolCallId, toolName, providerExecuted, toolMetadata } = chunk;
    const earlier = this.#tools.get(toolCallId);
    const tool: LooseTool = earlier ?? { type: 'dynamic-tool', toolCallId, toolName, providerExecuted };
    tool['state'] = chunk.type === 'tool-input-start' ? 'input-streaming' : 'input-available';
    if (chunk.type === 'tool-input-available') tool['input'] = chunk.input;
    if (toolMetadata) tool['toolMetadata'] = toolMetadata;
    if (earlier !== undefined) return;
    this.#tools.set(toolCallId, tool);
    // Its fields are those of one of the states, in the order in which the translator emits them.
    this.#add(tool as object as UiPart);
  }
}

function setOutput(tool: LooseTool, chunk: Extract<UiChunk, { type: 'tool-output-available' }>): void {
  tool['state'] = 'output-available';
  tool['output'] = chunk.output;
  if (chunk.preliminary) tool['preliminary'] = true;
  else delete tool['preliminary'];
  if (chunk.providerMetadata) tool['resultProviderMetadata'] = chunk.providerMetadata;
}
