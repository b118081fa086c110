import { isRecord, kindOf } from '@hexagent/ports';
import type { LaunchOptions } from '@hexagent/ports';

/**
 * Rules as data, in the CLI's own spelling: `Bash`, `Bash(rm *)`, `mcp__server` for all tools of a server,
 * `mcp__server__tool` for one.
 */
export interface PermissionRules {
  /** Calls that run without asking. */
  readonly allow?: readonly string[] | undefined;
  /** Calls that never run. */
  readonly deny?: readonly string[] | undefined;
  /** Calls about which the approver is asked, although another rule allows them. */
  readonly ask?: readonly string[] | undefined;
}

export type RuleList = 'allow' | 'deny' | 'ask';

export const ruleLists: readonly RuleList[] = ['allow', 'deny', 'ask'];

/** A rule, read. */
export interface Rule {
  readonly text: string;
  readonly tool: string;
  readonly content: string | undefined;
}

const form = /^([^\s(),]+)(?:\((.+)\))?$/s;

/**
 * The options with which the CLI must be launched for these rules to hold. They contain every deny rule, because the CLI
 * asks only about calls that its own rules leave open, and enforces these for every call. They contain the allow rules
 * with content, because the CLI can judge content, such as a whole shell command. Allow rules without content are left
 * out, since a deny rule and the approver outrank them only in this service.
 * @throws {TypeError} for a malformed rule, naming its list and place.
 */
export function launchRules(rules: PermissionRules): Required<Pick<LaunchOptions, 'allowedTools' | 'disallowedTools'>> {
  const allowed = parseRules(rules, 'allow').filter(({ content }) => content !== undefined);
  return {
    allowedTools: allowed.map(({ text }) => text),
    disallowedTools: parseRules(rules, 'deny').map(({ text }) => text),
  };
}

/** @throws {TypeError} for a malformed rule, naming its list and place. */
export function parseRules(rules: PermissionRules, list: RuleList): readonly Rule[] {
  // Without this check, a list or a Map of rules would deny nothing.
  if (!isRecord(rules) || Symbol.iterator in rules)
    throw new TypeError('Permission rules must be an object with the lists allow, deny and ask.');
  const texts: unknown = rules[list];
  if (texts === undefined) return [];
  if (!Array.isArray(texts)) throw new TypeError(`permissions.${list} must be a list of rules.`);
  return Array.from(texts, (text: unknown, index) => parseRule(text, `permissions.${list}[${index}]`));
}

function parseRule(text: unknown, place: string): Rule {
  const match = typeof text === 'string' ? form.exec(text) : null;
  const name = match?.[1];
  if (match === null || name === undefined) {
    // A text in the wrong place may be a secret; its place is enough to find it.
    const found = typeof text === 'string' ? 'a text that is no rule' : kindOf(text);
    throw new TypeError(
      `${place} is ${found}; a rule is a tool's name, "Tool(content)", "mcp__server" or "mcp__server__tool".`,
    );
  }
  // `mcp__server__*` and `Tool(*)` are the CLI's forms for all tools of a server and all calls of a tool.
  const tool = name.startsWith('mcp__') ? name.replace(/__\*$/, '') : name;
  return { text: match[0], tool, content: match[2] === '*' ? undefined : match[2] };
}
