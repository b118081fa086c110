import type { PermissionUpdate } from '@hexagent/ports';
import type { UiRefusedSuggestion, UiSuggestionNote } from './ui-data.ts';

/** A call that waits for a person. */
export interface UiApproval {
  /** By which it is answered. */
  readonly id: string;
  /** The call of the tool that waits. */
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly kind: 'permission' | 'question' | 'plan';
  readonly suggestions?: readonly PermissionUpdate[] | undefined;
  /** Of the suggestions, those that are not accepted from a page, with why. */
  readonly refusedSuggestions?: readonly UiRefusedSuggestion[] | undefined;
  /** Of the suggestions, those after which the agent asks about this very call again, with why. */
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
