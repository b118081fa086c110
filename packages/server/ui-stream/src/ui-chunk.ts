import type { JsonObject, UiApprovalDescriptor, UiData, UiProviderMetadata, UiTurnMetadata } from './ui-data.ts';

/** The source of a text. */
export type UiCitation = {
  readonly source: UiCitationSource;
  readonly citedText?: string;
};

type UiCitationSource =
  | {
      readonly type: 'source';
      readonly sourceType: 'url';
      readonly id: string;
      readonly url: string;
      readonly title?: string;
    }
  | {
      readonly type: 'source';
      readonly sourceType: 'document';
      readonly id: string;
      readonly mediaType: string;
      readonly title: string;
    };

/** Why an answer ended. */
export type UiFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';

/** A chunk with data of the program, or of the agent. A part with the id of an earlier one takes its place. */
export type UiDataChunk = {
  [Name in keyof UiData]: {
    readonly type: `data-${Name}`;
    readonly id?: string;
    readonly data: UiData[Name];
    /** Set for data that is not part of the message, so that a later reader of the message does not receive it. */
    readonly transient?: true;
  };
}[keyof UiData];

/** The fields of a part of a tool beside its state. */
interface UiToolFields {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly dynamic: true;
  readonly providerExecuted: true;
  readonly toolMetadata?: JsonObject;
}

/** A piece of an answer on its way to a page: the chunks of version 7 of the AI SDK that the translator emits. */
export type UiChunk =
  | { readonly type: 'start'; readonly messageId: string; readonly messageMetadata?: UiTurnMetadata }
  | { readonly type: 'message-metadata'; readonly messageMetadata: UiTurnMetadata }
  | { readonly type: 'start-step' }
  | { readonly type: 'finish-step' }
  | { readonly type: 'reset-step' }
  | UiTextChunk
  | UiToolChunk
  | UiDataChunk
  | {
      readonly type: 'steering-message';
      readonly id: string;
      readonly parts: { type: 'text'; text: string }[];
    }
  | {
      readonly type: 'finish';
      readonly finishReason: UiFinishReason;
      readonly messageMetadata?: UiTurnMetadata;
    }
  | { readonly type: 'abort'; readonly reason?: string }
  | { readonly type: 'error'; readonly errorText: string };

/** A piece of a text or of the model's reasoning. */
export type UiTextChunk =
  | { readonly type: 'text-start' | 'reasoning-start'; readonly id: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'reasoning-end'; readonly id: string; readonly providerMetadata?: UiProviderMetadata }
  | { readonly type: 'text-end'; readonly id: string; readonly citations?: UiCitation[] };

/** A step in the life of a call of a tool. */
export type UiToolChunk =
  | ({ readonly type: 'tool-input-start' } & UiToolFields)
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | ({ readonly type: 'tool-input-available'; readonly input: unknown } & UiToolFields)
  | {
      readonly type: 'tool-approval-request';
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly approvalDescriptor?: UiApprovalDescriptor;
      readonly reason?: string;
      readonly isAutomatic?: true;
    }
  | {
      readonly type: 'tool-approval-response';
      readonly approvalId: string;
      readonly approved: boolean;
      readonly reason?: string;
    }
  | {
      readonly type: 'tool-output-available';
      readonly toolCallId: string;
      readonly output: unknown;
      readonly dynamic: true;
      readonly preliminary?: true;
      readonly providerMetadata?: UiProviderMetadata;
    }
  | {
      readonly type: 'tool-output-error';
      readonly toolCallId: string;
      readonly errorText: string;
      readonly dynamic: true;
      readonly providerMetadata?: UiProviderMetadata;
    }
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string };
