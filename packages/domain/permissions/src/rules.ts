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

/** The rules without content, which the service itself judges. */
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
 * The options with which the CLI must be launched for these rules to hold. They contain every deny rule, because the CLI
 * asks only about calls that its own rules leave open, and enforces these for every call. They contain the allow rules
 * with content, because the CLI can judge content, such as a whole shell command. Allow rules without content are left
 * out, since a deny rule and the approver outrank them only in this service.
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

/** The deny rule that matches the tool, if any. An ambiguous name is denied when either reading is denied. */
export function denyingRule({ deny }: JudgedRules, { tool_name: tool }: PermissionRequest): string | undefined {
  return deny.find((rule) => tool === rule || isToolOf(tool, rule));
}

/** Whether an allow rule matches the tool. An ambiguous name matches only when the request names the server. */
export function isAllowed({ allow }: JudgedRules, { tool_name: tool, mcp_server: server }: PermissionRequest): boolean {
  return allow.some(
    (rule) =>
      tool === rule || (isToolOf(tool, rule) && (server ? isServer(rule, server.name) : hasOneReading(tool, rule))),
  );
}

function parse(rules: PermissionRules, list: List): readonly Rule[] {
  // Without this check, a list or a Map of rules would deny nothing.
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
  // `mcp__server__*` and `Tool(*)` are the CLI's forms for all tools of a server and all calls of a tool.
  const tool = name.startsWith('mcp__') ? name.replace(/__\*$/, '') : name;
  return { text: match[0], tool, content: match[2] === '*' ? undefined : match[2] };
}

const describe = (value: unknown): string => {
  // A text in the wrong place may be a secret; its place is enough to find it.
  if (typeof value === 'string') return 'a text that is no rule';
  return kindOf(value);
};

const isToolOf = (tool: string, rule: string): boolean => rule.startsWith('mcp__') && tool.startsWith(`${rule}__`);

/** The CLI replaces every character that a tool's name must not contain with an underscore. */
const isServer = (rule: string, server: string): boolean => rule === `mcp__${server.replaceAll(/[^\w-]/g, '_')}`;

/** `mcp__a__b__c` may be tool `b__c` of server `a` or tool `c` of server `a__b`. */
const hasOneReading = (tool: string, rule: string): boolean => !tool.slice(rule.length + 2).includes('__');
