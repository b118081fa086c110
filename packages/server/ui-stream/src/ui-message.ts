import type { JsonObject, UiApprovalDescriptor, UiData, UiProviderMetadata, UiTurnMetadata } from './ui-data.ts';
import type { UiCitation } from './ui-chunk.ts';

/** A message as a page has it: one of version 7 of the AI SDK, with the parts that this package makes. */
export interface UiMessage {
  id: string;
  role: 'system' | 'user' | 'assistant';
  metadata?: UiTurnMetadata;
  parts: UiPart[];
}

/** A part of a message. */
export type UiPart =
  | { type: 'text'; text: string; state?: 'streaming' | 'done'; citations?: UiCitation[] }
  | {
      type: 'reasoning';
      id?: string;
      text: string;
      state?: 'streaming' | 'done';
      providerMetadata?: UiProviderMetadata;
    }
  | { type: 'file'; mediaType: string; url: string; filename?: string }
  | { type: 'step-start' }
  | { type: 'steering-message'; id: string; parts: { type: 'text'; text: string }[] }
  | UiToolPart
  | UiDataPart;

/** A part with data. */
export type UiDataPart = {
  [Name in keyof UiData]: { type: `data-${Name}`; id?: string; data: UiData[Name] };
}[keyof UiData];

/** The call of a tool, in one of its states. */
export type UiToolPart = {
  type: 'dynamic-tool';
  toolName: string;
  toolCallId: string;
  toolMetadata?: JsonObject;
  providerExecuted?: boolean;
} & (
  | { state: 'input-streaming'; input?: unknown }
  | { state: 'input-available'; input: unknown }
  | { state: 'approval-requested'; input: unknown; approval: UiApprovalState<undefined> }
  | { state: 'approval-responded'; input: unknown; approval: UiApprovalState<boolean> }
  | {
      state: 'output-available';
      input: unknown;
      output: unknown;
      preliminary?: boolean;
      resultProviderMetadata?: UiProviderMetadata;
      approval?: UiApprovalState<true>;
    }
  | {
      state: 'output-error';
      input: unknown;
      errorText: string;
      /** `hexagent.interrupted` is `true` where the agent was ended before the call had a result. */
      resultProviderMetadata?: UiProviderMetadata;
      approval?: UiApprovalState<true>;
    }
  | { state: 'output-denied'; input: unknown; approval: UiApprovalState<false> }
);

/** The state of an approval. */
export type UiApprovalState<Approved extends boolean | undefined> = {
  id: string;
  descriptor?: UiApprovalDescriptor;
  requestReason?: string;
  isAutomatic?: boolean;
} & (Approved extends boolean ? { approved: Approved; reason?: string } : { approved?: never; reason?: never });
