export type {
  JsonObject,
  JsonValue,
  UiApprovalDescriptor,
  UiData,
  UiFailure,
  UiProviderMetadata,
  UiSubagent,
  UiSubagentPart,
  UiSubagentText,
  UiSuggestionNote,
  UiTask,
  UiTurnMetadata,
} from './ui-data.ts';
export { answerIdOf, createUiTranslator } from './translation.ts';
export type {
  SubagentView,
  UiApproval,
  UiApprovalAnswer,
  UiEnd,
  UiTranslator,
  UiTranslatorOptions,
} from './ui-translator.ts';
export type { UiChunk, UiCitation, UiDataChunk, UiFinishReason, UiTextChunk, UiToolChunk } from './ui-chunk.ts';
export { createReplayBuffer } from './replay-buffer.ts';
export type { ReplayBuffer, ReplayOptions } from './replay-buffer.ts';
export { sseStream, uiStreamHeaders } from './sse.ts';
export type { SseOptions } from './sse.ts';
export { toUiMessages } from './to-ui-messages.ts';
export type { UiHistoryOptions } from './to-ui-messages.ts';
export type { UiApprovalState, UiDataPart, UiMessage, UiPart, UiToolPart } from './ui-message.ts';
