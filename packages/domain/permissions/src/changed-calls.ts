import { currentToolName } from '@hexagent/checks';
import type { PermissionPolicy } from './permission-policy.ts';
import type { ToolCall } from './tool-call.ts';
import { contentKindOf, coveredBy } from './tool-families.ts';

/*
 * The agent runs an input that an approver has changed without comparing it with its deny rules; one that a hook has changed, it
 * does compare. So the rules are applied here, and where only the agent can apply one, the change is refused.
 */

type Input = ToolCall['input'];

/** Why a changed call is denied by the deny rules that the agent has, of which the policy has judged some; `undefined` where none can cover it. */
export function whyChangeIsDenied(
  call: ToolCall,
  original: Input,
  { all, policy }: { readonly all: readonly string[]; readonly policy: PermissionPolicy },
): string | undefined {
  const { tool, input } = call;
  const judged = policy.rules.deny;
  const denying = all.find((rule) => !judged.includes(rule) && policy.mayCover(rule, call));
  if (denying !== undefined) return `${tool} is denied by the rule "${denying}".`;
  const path = all.find(isPathRule);
  if (path === undefined || !mayReachFiles(tool) || !reachesOthers(input, original)) return undefined;
  return `The input of ${tool} was changed, and only the agent can tell whether the rule "${path}" covers the files that it concerns now. It holds what a hook for PreToolUse makes of an input to its rules: change it there.`;
}

export function isPathRule(text: string): boolean {
  return /^\w+\(/.test(text) && contentKindOf(currentToolName(text.replace(/\(.*$/s, ''))) === 'path';
}

/** Whether rules with content may cover some calls of the tool and not others. */
export function hasRulesWithContent(tool: string): boolean {
  return coveredBy(tool, true).some((name) => contentKindOf(name) !== undefined);
}

/** Commands reach files, and so do the tools that rules with a path cover. */
export function mayReachFiles(tool: string): boolean {
  return coveredBy(tool, true).some((name) => ['command', 'path'].includes(contentKindOf(name) ?? ''));
}

/** The members of inputs by which files are named. */
const naming = ['command', 'file_path', 'notebook_path', 'path', 'pattern', 'glob'];

const reachesOthers = (input: Input, original: Input): boolean =>
  naming.some((name) => JSON.stringify(input[name]) !== JSON.stringify(original[name]));
