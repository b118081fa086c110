/**
 * Attributes of the semantic conventions for generative AI (open-telemetry/semantic-conventions-genai). A constant of a package of
 * theirs would bind programs to its version: from 1.44 on `@opentelemetry/semantic-conventions` has none of these.
 */
export const genAi = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  conversation: 'gen_ai.conversation.id',
  agentId: 'gen_ai.agent.id',
  agentName: 'gen_ai.agent.name',
  agentVersion: 'gen_ai.agent.version',
  requestModel: 'gen_ai.request.model',
  streamed: 'gen_ai.request.stream',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  finishReasons: 'gen_ai.response.finish_reasons',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  toolName: 'gen_ai.tool.name',
  toolCallId: 'gen_ai.tool.call.id',
  toolType: 'gen_ai.tool.type',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  tokenType: 'gen_ai.token.type',
} as const;

/** Of the conventions for errors. */
export const errorType = 'error.type';

/** What the conventions have no name for. */
export const own = {
  turn: 'hexagent.turn.id',
  outcome: 'hexagent.turn.outcome',
  unsolicited: 'hexagent.turn.unsolicited',
  queued: 'hexagent.turn.queued',
  within: 'hexagent.turn.within',
  cost: 'hexagent.cost.usd',
  cacheHitRatio: 'hexagent.cache.hit_ratio',
  approvalKind: 'hexagent.approval.kind',
  decision: 'hexagent.approval.decision',
  answeredBy: 'hexagent.approval.answered_by',
  wait: 'hexagent.approval.wait',
  attempt: 'hexagent.retry.attempt',
  delay: 'hexagent.retry.delay',
  status: 'hexagent.retry.status',
  source: 'hexagent.callback',
  tokenType: 'hexagent.token.type',
} as const;

/** Names of span events. */
export const events = {
  approval: 'hexagent.approval',
  retry: 'hexagent.retry',
  callbackFailed: 'hexagent.callback_failed',
} as const;
