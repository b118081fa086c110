import type { ApprovalRecord, CliPermissionMode } from '@hexagent/ports';
import type { UiRefusedSuggestion } from '@hexagent/ui-stream';

/** The suggestions of a request that callers may not choose: those that set a mode which they could not ask for. */
export function refusedSuggestions(
  { suggestions }: Pick<ApprovalRecord, 'suggestions'>,
  permissionModes: readonly CliPermissionMode[],
): readonly UiRefusedSuggestion[] {
  return suggestions.flatMap((update, index) => {
    if (update.type !== 'setMode' || permissionModes.includes(update.mode)) return [];
    return [{ index, reason: `This server does not let callers choose the mode ${update.mode}.` }];
  });
}
