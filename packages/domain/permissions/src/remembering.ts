import {
  allowRulesIn,
  isRecord,
  kindOf,
  rememberDestinations,
  ruleText,
  shown,
  type Decision,
  type PermissionAnswer,
  type PermissionRequest,
  type PermissionUpdate,
  type RememberScope,
  type StoredIn,
} from '@hexagent/ports';

/** A stored rule, as the agent takes it; the official types accept it too. */
export interface StoredRules {
  type: 'addRules';
  /** A tool each, or with content some of its calls. */
  rules: { toolName: string; ruleContent?: string }[];
  behavior: 'allow';
  /** The settings file, or the session alone. */
  destination: StoredIn;
}

/** @throws {TypeError} for what is no scope. */
export function rememberScope(scope: unknown, place: string): RememberScope {
  if (typeof scope === 'string' && Object.hasOwn(rememberDestinations, scope)) return scope as RememberScope; // a key of the table
  throw new TypeError(`${place} must be session, local, project or user, not ${shown(scope)}.`);
}

/**
 * Of what the agent suggests, the rules that allow such calls, to be stored at a destination of your choice. Modes and directories are left
 * out. Empty where it suggests no rule. For a callback of `query()`, as its `updatedPermissions`; an approver answers
 * `allow({ remember })`.
 * @throws {TypeError} for what is no scope.
 */
export function rememberedRules(
  suggestions: readonly PermissionUpdate[] | undefined,
  scope: RememberScope,
): StoredRules[] {
  const destination = rememberDestinations[rememberScope(scope, 'The scope of rememberedRules()')];
  return allowRulesIn(suggestions).map((rules) => ({
    type: 'addRules',
    rules: rules.map((rule) => ({ ...rule })),
    behavior: 'allow',
    destination,
  }));
}

/**
 * The rules that `allow({ remember })` would store, as text: for the label of a button.
 * @throws {TypeError} for anything but a request.
 */
export function rulesToRemember(request: Pick<PermissionRequest, 'permission_suggestions'>): readonly string[] {
  if (!isRecord(request))
    throw new TypeError(`rulesToRemember() takes the request of an approver, not ${kindOf(request)}.`);
  return allowRulesIn(request.permission_suggestions).flat().map(ruleText);
}

/** The decision in the agent's form, with what it is to remember. An answer that remembers nothing stays as it is. */
export function withRememberedRules(decision: Decision, request: PermissionRequest): PermissionAnswer {
  if (decision.behavior !== 'allow' || decision.remember === undefined) return decision;
  const { remember, updatedPermissions = [], ...answer } = decision;
  const scope = rememberScope(remember, '`remember`');
  return {
    ...answer,
    updatedPermissions: [...updatedPermissions, ...rememberedRules(request.permission_suggestions, scope)],
  };
}
