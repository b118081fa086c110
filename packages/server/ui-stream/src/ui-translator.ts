import type { AnyMessage, PermissionUpdate } from '@hexagent/ports';
import type { UiChunk } from './ui-chunk.ts';
import type { UiSuggestionNote } from './ui-data.ts';

/** How the messages of subagents are shown. */
export type SubagentView = 'flat' | 'nested' | 'drop';

/** How to translate a turn. */
export interface UiTranslatorOptions {
  /**
   * The id of the answer. Keep it the same when the turn is read again, so that a page does not show it twice;
   * `answerIdOf` makes it from the uuid of the message that began the turn, as `toUiMessages` does.
   */
  readonly messageId: string;
  /**
   * How the messages of subagents are shown: `flat`, their calls are parts like any other, and their texts data parts
   * (the default); `nested`, all of one subagent is one data part; `drop`, nothing. A call that a person is to decide
   * about has a part of its own whatever is chosen.
   */
  readonly subagents?: SubagentView | undefined;
  /** The text of a message that was sent while the turn runs, by its uuid: it is shown where the agent took it up. */
  readonly steering?: ((uuid: string) => string | undefined) | undefined;
}

/** A call that waits for a person. */
export interface UiApproval {
  /** The id by which it is answered. */
  readonly id: string;
  /** The call of the tool that waits. */
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly kind: 'permission' | 'question' | 'plan';
  readonly suggestions?: readonly PermissionUpdate[] | undefined;
  /** The suggestions that are not accepted from a page, with the reasons. */
  readonly refusedSuggestions?: readonly UiSuggestionNote[] | undefined;
  /** The suggestions after which the agent asks about this very call again, with the reasons. */
  readonly asksAgain?: readonly UiSuggestionNote[] | undefined;
  /** The modes in which a page may let the agent continue after a plan. */
  readonly permissionModes?: readonly string[] | undefined;
  /** Set when a subagent asks. */
  readonly agentId?: string | undefined;
  readonly title?: string | undefined;
  readonly blockedPath?: string | undefined;
  /** Why the call needs an approval. */
  readonly reason?: string | undefined;
}

/** How an approval was answered. */
export interface UiApprovalAnswer {
  readonly id: string;
  readonly approved: boolean;
  readonly reason?: string | undefined;
  /** It was not answered: the agent withdrew it, or it expired. It counts as not approved. */
  readonly cancelled?: boolean | undefined;
}

/** Why a turn ends without a result. */
export type UiEnd =
  /** The server was stopped. What has no result keeps its state: the turn continues when the session is taken up. */
  | { readonly kind: 'suspended' }
  | { readonly kind: 'aborted'; readonly reason?: string | undefined }
  | { readonly kind: 'error'; readonly errorText: string; readonly remedy?: string | undefined };

/** Translates the messages of one turn, one at a time, into the chunks that a page reads. */
export interface UiTranslator {
  /** Takes the next message. After the result of the turn, messages become nothing. */
  push(message: AnyMessage): readonly UiChunk[];
  /**
   * Takes a call that waits for a person. What it returns is empty while the message with the call was not pushed:
   * the request is emitted right behind the call.
   */
  approvalRequested(approval: UiApproval): readonly UiChunk[];
  /** Takes the outcome of an approval. Empty for a call that has its result already, and for an unknown approval. */
  approvalSettled(answer: UiApprovalAnswer): readonly UiChunk[];
  /** Ends a turn that has no result: closes what is open. Empty when the turn has ended already. */
  end(how?: UiEnd): readonly UiChunk[];
  /** Whether the last chunk was emitted. */
  readonly ended: boolean;
}
