import { isPlainObject, isRecord, kindOf, shown } from '@hexagent/checks';
import {
  allowRulesIn,
  rememberDestinations,
  ruleText,
  type Decision,
  type PermissionAnswer,
  type PermissionRequest,
  type PermissionUpdate,
  type RememberScope,
  type StoredIn,
} from '@hexagent/ports';
import { whyRulesAskAgain, type SessionEnvironment } from './asked-again.ts';

/** A stored rule, as the agent takes it; the official types accept it too. */
export interface StoredRules {
  type: 'addRules';
  /** A tool each, or with content some of its calls. */
  rules: { toolName: string; ruleContent?: string }[];
  behavior: 'allow';
  /** The settings file, or the session alone. */
  destination: StoredIn;
}

/** @throws {TypeError} for what is not a scope. */
export function rememberScope(scope: unknown, place: string): RememberScope {
  if (typeof scope === 'string' && Object.hasOwn(rememberDestinations, scope)) return scope as RememberScope; // a key of the table
  throw new TypeError(`${place} must be session, local, project or user, not ${shown(scope)}.`);
}

/**
 * Of what the agent suggests, the rules that allow such calls, to be stored at a destination of your choice. Modes and directories are left
 * out. Empty where it suggests no rule. For a callback of `query()`, as its `updatedPermissions`; an approver answers
 * `allow({ remember })`.
 * @throws {TypeError} for suggestions that are not a list, and for an unknown scope.
 */
export function rememberedRules(
  suggestions: readonly PermissionUpdate[] | undefined,
  scope: RememberScope,
): StoredRules[] {
  if (suggestions !== undefined && !Array.isArray(suggestions))
    throw new TypeError(`rememberedRules() takes the suggestions of a request as a list, not ${kindOf(suggestions)}.`);
  const destination = rememberDestinations[rememberScope(scope, 'The scope of rememberedRules()')];
  return allowRulesIn(suggestions).map((rules) => ({
    type: 'addRules',
    rules: rules.map((rule) => ({ ...rule })),
    behavior: 'allow',
    destination,
  }));
}

/**
 * The rules that `allow({ remember })` would store, as text: for the label of a button. Empty where the agent suggests
 * none, and where it would ask about this very call again with them.
 * @throws {TypeError} for anything but a request.
 */
export function rulesToRemember(
  request: RememberedRequest,
  { commands }: Pick<SessionEnvironment, 'commands'>,
): readonly string[] {
  if (!isPlainObject(request))
    throw new TypeError(`rulesToRemember() takes the \`request\` of an ask, not ${kindOf(request)}.`);
  return whyNotRemembered(request, { commands }) === undefined
    ? allowRulesIn(request.permission_suggestions).flat().map(ruleText)
    : [];
}

/** A request. Of one without its call, it is unknown whether its rules cover the call. */
export type RememberedRequest = Pick<PermissionRequest, 'permission_suggestions'> & Partial<PermissionRequest>;

/** Why the agent would ask about the same call again with all the rules that it suggests. */
export function whyNotRemembered(request: RememberedRequest, environment: SessionEnvironment): string | undefined {
  const { tool_name, input, tool_use_id = '' } = request;
  const rules = allowRulesIn(request.permission_suggestions).flat();
  if (rules.length === 0 || tool_name === undefined || !isRecord(input)) return undefined;
  return whyRulesAskAgain(rules, { ...request, tool_name, input, tool_use_id }, environment);
}

/**
 * The decision in the agent's form, with what it is to remember: nothing where the agent would ask again all the same.
 * An answer that remembers nothing stays as it is.
 */
export function withRememberedRules(
  decision: Decision,
  request: PermissionRequest,
  { commands }: Pick<SessionEnvironment, 'commands'>,
): PermissionAnswer {
  if (decision.behavior !== 'allow' || decision.remember === undefined) return decision;
  const { remember, updatedPermissions = [], ...answer } = decision;
  const scope = rememberScope(remember, '`remember`');
  const stored =
    whyNotRemembered(request, { commands }) === undefined ? rememberedRules(request.permission_suggestions, scope) : [];
  return { ...answer, updatedPermissions: [...updatedPermissions, ...stored] };
}
