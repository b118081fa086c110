import { currentToolName, formOfRules, isRecord, kindOf } from '@hexagent/checks';
import type { CommandReader, LaunchOptions } from '@hexagent/ports';
import { anyCommand } from './any-command.ts';
import { commandGlob, type Glob } from './glob.ts';
import { readContent, type Content } from './rule-content.ts';
import { contentKindOf } from './tool-families.ts';

/**
 * Rules as data, in the CLI's own spelling: `Bash`, `Bash(rm *)`, `Read(//etc/**)`, `WebFetch(domain:example.com)`,
 * `mcp__server` for all tools of a server, `mcp__server__tool` for one.
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

/** Rules as data, each list there. */
export type RuleLists = Readonly<Record<RuleList, readonly string[]>>;

export const ruleLists: readonly RuleList[] = ['allow', 'deny', 'ask'];

/** A parsed rule. */
export interface Rule {
  readonly text: string;
  /** The tool by its current name, or a server. */
  readonly tool: string;
  /** The pattern of a tool's name with a wildcard. */
  readonly tools: Glob | undefined;
  readonly content: Content | undefined;
}

const form = /^([^\s(),]+)(?:\((.+)\))?$/s;
/** A server's name is not empty; what ends in `__` is the beginning of a tool's name, and covers none. */
const toolName = /^(?!mcp__$)(?!mcp__.*__$)[A-Za-z*][\w*-]*$/i;

/**
 * The options with which the agent must be launched for these rules to hold: it then enforces the deny and the ask rules
 * for every call, and follows links to what they protect. Allow rules are not among them, since what an agent is launched
 * with holds to its end.
 * @throws {TypeError} for a rule that is malformed or would cover nothing, naming its list and place.
 */
export function launchRules(rules: PermissionRules): Required<Pick<LaunchOptions, 'disallowedTools' | 'askedTools'>> {
  return { disallowedTools: ruleTexts(rules, 'deny'), askedTools: ruleTexts(rules, 'ask') };
}

/** @throws {TypeError} for a rule that is malformed or would cover nothing, naming its list and place. */
export const ruleTexts = (rules: PermissionRules, list: RuleList): readonly string[] =>
  parseRules(rules, list, anyCommand).map(({ text }) => text);

/** @throws {TypeError} for a rule that is malformed or would cover nothing, naming its list and place. */
export function parseRules(rules: PermissionRules, list: RuleList, commands: CommandReader): readonly Rule[] {
  // Without this check, a list or a Map of rules would deny nothing.
  if (!isRecord(rules) || Symbol.iterator in rules)
    throw new TypeError(`\`permissions\` must be an object with the lists allow, deny and ask, not ${kindOf(rules)}.`);
  const texts: unknown = rules[list];
  if (texts === undefined) return [];
  if (!Array.isArray(texts))
    throw new TypeError(`\`permissions.${list}\` must be a list of rules, not ${kindOf(texts)}.`);
  return Array.from(texts, (text: unknown, index) =>
    parseRule(text, { list, place: `\`permissions.${list}[${index}]\``, commands }),
  );
}

/** `Bash(*)` means all calls, and has none. */
export const hasContent = (rule: string): boolean =>
  parseRules({ allow: [rule] }, 'allow', anyCommand).some(({ content }) => content !== undefined);

interface RuleContext {
  readonly list: RuleList;
  /** For messages. */
  readonly place: string;
  readonly commands: CommandReader;
}

function parseRule(text: unknown, context: RuleContext): Rule {
  const { list, place } = context;
  const [whole, name, content] = (typeof text === 'string' && form.exec(text)) || [];
  if (whole === undefined || name === undefined || !toolName.test(name)) {
    // A text in the wrong place may be a secret; its place is enough to find it.
    const found = typeof text === 'string' ? 'a text that is no rule' : kindOf(text);
    throw new TypeError(`${place} is ${found}; ${formOfRules}.`);
  }
  // `mcp__server__*` is the CLI's form for all tools of a server.
  const tool = currentToolName(name.replace(/^(mcp__.+)__\*$/, '$1'));
  const hasWildcard = tool.includes('*');
  if (hasWildcard && (content !== undefined || (list === 'allow' && !/^mcp__[^*]+__[^*]*\*$/.test(tool))))
    throw new TypeError(
      `${place} has a wildcard in the name of a tool, which ${content === undefined ? 'an allow rule' : 'a rule with content'} cannot have; "mcp__server__get*" and "mcp__server" can.`,
    );
  return {
    text: whole,
    tool,
    tools: hasWildcard ? commandGlob(tool) : undefined,
    content: contentOf(tool, content, context),
  };
}

function contentOf(
  tool: string,
  text: string | undefined,
  { list, place, commands }: RuleContext,
): Content | undefined {
  if (text === undefined) return undefined;
  const isPath = contentKindOf(tool) === 'path';
  // `Tool(*)` means all calls. Where it allows, the CLI takes the star for files of the working directory.
  if (text === '*' && !isPath) return undefined;
  const content = readContent(tool, text === '*' && list !== 'allow' ? '//**' : text, commands);
  if (typeof content === 'string') throw new TypeError(`${place} ${content}.`);
  return content;
}
