import type { UIMessageChunk } from 'ai';

export const textChunks = (id: string, ...pieces: readonly string[]): readonly UIMessageChunk[] => [
  { type: 'text-start', id },
  ...pieces.map((delta) => ({ type: 'text-delta' as const, id, delta })),
  { type: 'text-end', id },
];

export const reasoningChunks = (id: string, text: string): readonly UIMessageChunk[] => [
  { type: 'reasoning-start', id },
  { type: 'reasoning-delta', id, delta: text },
  { type: 'reasoning-end', id },
];

const dynamic = { dynamic: true, providerExecuted: true } as const;

export const toolChunks = (
  toolCallId: string,
  toolName: string,
  input: unknown,
  parent?: string,
): readonly UIMessageChunk[] => [
  {
    type: 'tool-input-start',
    toolCallId,
    toolName,
    ...dynamic,
    ...(parent && { toolMetadata: { parentToolCallId: parent } }),
  },
  {
    type: 'tool-input-available',
    toolCallId,
    toolName,
    input,
    ...dynamic,
    ...(parent && { toolMetadata: { parentToolCallId: parent } }),
  },
];

export const outputChunk = (toolCallId: string, output: unknown): UIMessageChunk => ({
  type: 'tool-output-available',
  toolCallId,
  output,
  ...dynamic,
});

/** What a page is shown of a call that waits. */
export interface AskedChunk {
  readonly kind: 'permission' | 'question' | 'plan';
  readonly suggestions: readonly object[];
  readonly [field: string]: unknown;
}

export const asks = (approvalId: string, toolCallId: string, approvalDescriptor: AskedChunk): UIMessageChunk => ({
  type: 'tool-approval-request',
  approvalId,
  toolCallId,
  approvalDescriptor,
});

export const figures = {
  type: 'finish',
  finishReason: 'stop',
  messageMetadata: {
    model: 'claude-sonnet-5',
    cost: 0.0042,
    durationMs: 3200,
    usage: { input_tokens: 2310, output_tokens: 154 },
  },
} as const satisfies UIMessageChunk;
