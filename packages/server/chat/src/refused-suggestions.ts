import type { ApprovalRecord, CliPermissionMode, PermissionUpdate } from '@hexagent/ports';
import type { UiSuggestionNote } from '@hexagent/ui-stream';

/** What callers may choose with an answer. */
export interface AnswerLimits {
  readonly permissionModes: readonly CliPermissionMode[];
  /** The allowed suggestions: those that end with the session, or also those that are written to a settings file. */
  readonly suggestions: SuggestionScope;
}

/** What a program says of them. */
type GivenLimits = { readonly [Name in keyof AnswerLimits]?: AnswerLimits[Name] | undefined };

export type SuggestionScope = 'session' | 'all';

export function toAnswerLimits({ permissionModes = [], suggestions = 'session' }: GivenLimits): AnswerLimits {
  return { permissionModes, suggestions };
}

/** The suggestions of a request that callers may not choose. */
export function refusedSuggestions(
  { suggestions }: Pick<ApprovalRecord, 'suggestions'>,
  limits: AnswerLimits,
): readonly UiSuggestionNote[] {
  return suggestions.flatMap((update, index) => {
    const reason = refusalOf(update, limits);
    return reason === undefined ? [] : [{ index, reason }];
  });
}

/** Any other destination outlasts the session, also a destination that this version does not know. */
function refusalOf(update: PermissionUpdate, { permissionModes, suggestions }: AnswerLimits): string | undefined {
  if (update.type === 'setMode' && !permissionModes.includes(update.mode))
    return `This server does not let callers choose the mode ${update.mode}.`;
  if (suggestions === 'session' && update.destination !== 'session')
    return 'This server does not let callers choose what outlasts the session.';
  return undefined;
}
