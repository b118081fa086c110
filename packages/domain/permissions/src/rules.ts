import { kindOf } from '@hexagent/ports';
import type { LaunchOptions, PermissionRequest } from '@hexagent/ports';

/**
 * Rules as data, in the CLI's own spelling: `Bash`, `Bash(rm *)`, `mcp__server` for all tools of a server,
 * `mcp__server__tool` for one.
 */
export interface PermissionRules {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** The rules that the service itself can judge: those without content. */
export interface JudgedRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

type List = 'allow' | 'deny';

interface Rule {
  readonly text: string;
  readonly tool: string;
  readonly content: string | undefined;
}

const form = /^([^\s(),]+)(?:\((.+)\))?$/s;

/**
 * What the CLI must be launched with for these rules to hold. Deny rules go there all, because the CLI asks us only
 * about what its own rules leave open, and enforces these for every call. Allow rules go there when they have content,
 * since judging it (is this shell command covered as a whole?) is what the CLI is good at; the others stay here, where
 * a deny rule and the approver can still outrank them.
 * @throws {TypeError} for a malformed rule, naming its list and place.
 */
export function launchRules(rules: PermissionRules): Required<Pick<LaunchOptions, 'allowedTools' | 'disallowedTools'>> {
  const allowed = parse(rules, 'allow').filter(({ content }) => content !== undefined);
  return {
    allowedTools: allowed.map(({ text }) => text),
    disallowedTools: parse(rules, 'deny').map(({ text }) => text),
  };
}

/** @throws {TypeError} for a malformed rule, naming its list and place. */
export function judgedRules(rules: PermissionRules): JudgedRules {
  const judged = (list: List): readonly string[] =>
    parse(rules, list)
      .filter(({ content }) => content === undefined)
      .map(({ tool }) => tool);
  return { allow: judged('allow'), deny: judged('deny') };
}

/** The deny rule that forbids the tool, if any. A name that could be read in two ways is forbidden in both. */
export function denyingRule({ deny }: JudgedRules, { tool_name: tool }: PermissionRequest): string | undefined {
  return deny.find((rule) => tool === rule || isToolOf(tool, rule));
}

/** Whether an allow rule covers the tool. A name that could be read in two ways is covered only where the agent says which. */
export function isAllowed({ allow }: JudgedRules, { tool_name: tool, mcp_server: server }: PermissionRequest): boolean {
  return allow.some(
    (rule) =>
      tool === rule || (isToolOf(tool, rule) && (server ? isServer(rule, server.name) : hasOneReading(tool, rule))),
  );
}

function parse(rules: PermissionRules, list: List): readonly Rule[] {
  // Rules that are not where they are looked for would deny nothing.
  if (typeof rules !== 'object' || rules === null || Symbol.iterator in rules)
    throw new TypeError('Permission rules must be an object with the lists allow and deny.');
  const texts: unknown = rules[list];
  if (texts === undefined) return [];
  if (!Array.isArray(texts)) throw new TypeError(`permissions.${list} must be a list of rules.`);
  return Array.from(texts, (text: unknown, index) => parseRule(text, `permissions.${list}[${index}]`));
}

function parseRule(text: unknown, place: string): Rule {
  const match = typeof text === 'string' ? form.exec(text) : null;
  const name = match?.[1];
  if (match === null || name === undefined) {
    throw new TypeError(
      `${place} is ${describe(text)}; a rule is a tool's name, "Tool(content)", "mcp__server" or "mcp__server__tool".`,
    );
  }
  // Both are the CLI's spellings of "whatever it is".
  const tool = name.startsWith('mcp__') ? name.replace(/__\*$/, '') : name;
  return { text: match[0], tool, content: match[2] === '*' ? undefined : match[2] };
}

const describe = (value: unknown): string => {
  // Its place is enough to find it, and it may hold a secret.
  if (typeof value === 'string') return 'a text that is no rule';
  return kindOf(value);
};

const isToolOf = (tool: string, rule: string): boolean => rule.startsWith('mcp__') && tool.startsWith(`${rule}__`);

/** The CLI puts an underscore for every character that a tool's name may not have. */
const isServer = (rule: string, server: string): boolean => rule === `mcp__${server.replaceAll(/[^\w-]/g, '_')}`;

/** `mcp__a__b__c` may be tool `b__c` of server `a` or tool `c` of server `a__b`. */
const hasOneReading = (tool: string, rule: string): boolean => !tool.slice(rule.length + 2).includes('__');
