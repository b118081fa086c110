import { kindOf, plainOptions, shown } from '@hexagent/checks';
import {
  ruleText,
  type ApprovalRecord,
  type Decision,
  type PermissionDestination,
  type PermissionUpdate,
} from '@hexagent/ports';

/** A suggestion of the agent's, as a person can be shown it. */
export interface SuggestionDescription {
  /** Its place in the `suggestions` of the record, by which it is chosen. */
  readonly index: number;
  /** What it changes; `other` for a type that this version does not support. */
  readonly kind: 'rule' | 'mode' | 'directory' | 'other';
  /** The rules, the mode or the directories, each as the CLI writes it. */
  readonly values: readonly string[];
  /** The kind of change, such as `addRules`, and where it is stored. */
  readonly type: string;
  readonly destination: string;
  /** For rules: whether they allow, deny or ask for the calls that they cover. */
  readonly behavior?: string | undefined;
  /** Whether it outlives the session: it is written to a settings file. */
  readonly isPersistent: boolean;
  /** Why the agent would ask about this very call again, where it would: then it is not "always". */
  readonly asksAgain?: string | undefined;
  /** Whether a form may have it ticked: only a rule that allows such calls without asking again, until the session ends. */
  readonly isPreselected: boolean;
}

/** Any other destination counts as persistent, so that a person is warned about a new one too. */
const forgotten: ReadonlySet<unknown> = new Set<PermissionDestination>(['session', 'cliArg']);

export function isPersistent({ destination }: PermissionUpdate): boolean {
  return !forgotten.has(destination);
}

/** What the agent suggests with a request, each by itself. */
export function describeSuggestions({
  suggestions,
  asksAgain: notes = [],
}: Pick<ApprovalRecord, 'suggestions' | 'asksAgain'>): readonly SuggestionDescription[] {
  return suggestions.map((update, index) => {
    const kind = kindOfUpdate(update);
    const behavior = 'behavior' in update ? update.behavior : undefined;
    const asksAgain = notes.find((note) => note.index === index)?.reason;
    return {
      index,
      kind,
      values: valuesOf(update),
      type: update.type,
      destination: update.destination,
      ...(behavior === undefined ? {} : { behavior }),
      ...(asksAgain === undefined ? {} : { asksAgain }),
      isPersistent: isPersistent(update),
      isPreselected:
        update.type === 'addRules' && behavior === 'allow' && !isPersistent(update) && asksAgain === undefined,
    };
  });
}

export interface AllowWithOptions {
  /** Runs the tool with this input instead. It must be complete. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Allows a call, with the suggestions that a person chose, by their index.
 * @throws {TypeError} for an index that no suggestion has, or that comes twice, and for an input that is not plain values.
 */
export function allowWith(
  { suggestions }: Pick<ApprovalRecord, 'suggestions'>,
  chosen: readonly number[],
  options: AllowWithOptions = {},
): Decision {
  const { input } = plainOptions('allowWith', options, ['input']);
  if (!Array.isArray(chosen))
    throw new TypeError(`The chosen suggestions must be a list of indices, not ${kindOf(chosen)}.`);
  const seen = new Set<unknown>();
  const updates = (chosen as readonly unknown[]).map((index) => {
    const update = typeof index === 'number' ? suggestions[index] : undefined;
    if (update === undefined)
      throw new TypeError(`There is no suggestion ${shown(index)}: the request has ${suggestions.length}, from 0 on.`);
    if (seen.has(index)) throw new TypeError(`The suggestion ${shown(index)} is chosen twice.`);
    seen.add(index);
    return update;
  });
  return {
    behavior: 'allow',
    ...(input === undefined ? {} : { updatedInput: input }),
    ...(updates.length === 0 ? {} : { updatedPermissions: updates }),
  };
}

function kindOfUpdate({ type }: PermissionUpdate): SuggestionDescription['kind'] {
  if (type === 'addRules' || type === 'replaceRules' || type === 'removeRules') return 'rule';
  if (type === 'setMode') return 'mode';
  return type === 'addDirectories' || type === 'removeDirectories' ? 'directory' : 'other';
}

/** Checks each field, since another version of the agent may send other types. */
function valuesOf(update: PermissionUpdate): readonly string[] {
  if ('rules' in update && Array.isArray(update.rules)) return update.rules.map(ruleText);
  if ('mode' in update) return [update.mode];
  if ('directories' in update && Array.isArray(update.directories)) return update.directories.map(String);
  return [];
}
