import type { AnyMessage } from '@hexagent/ports';
import type { UiApproval, UiApprovalAnswer } from './approval.ts';
import type { SubagentView } from './subagents.ts';
import type { UiChunk } from './ui-chunk.ts';

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
  /** What the session had cost before the turn, for an agent that only reports totals. */
  readonly costBefore?: number | undefined;
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
