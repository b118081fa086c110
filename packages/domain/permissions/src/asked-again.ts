import { isRecord } from '@hexagent/checks';
import {
  allowRulesIn,
  ruleText,
  type CommandReader,
  type PermissionRequest,
  type PermissionRuleValue,
  type PermissionUpdate,
  type SuggestionNote,
} from '@hexagent/ports';
import { surelyCoverAll } from './command-rules.ts';
import { isInFolders, placesOf } from './path-rules.ts';
import { PermissionPolicy } from './permission-policy.ts';
import { parseRules } from './rules.ts';

/*
 * Whether the agent would ask about the same call again after a suggestion was followed. The agent checks more than the rule:
 * each part of a command, the files that it names, and the file of its output. In doubt it asks again.
 */

/** A source of settings that a session may read. */
export type SettingsSource = 'user' | 'project' | 'local';

export interface SessionEnvironment {
  readonly commands: CommandReader;
  /** The folder of the agent. If it is unknown, every file may be in it. */
  readonly cwd?: string | undefined;
  /** The settings files that the session reads. Default: all. */
  readonly sources?: readonly SettingsSource[] | undefined;
}

/** The suggestions after which the agent asks about this call again, each with why. */
export function findAsksAgain(request: PermissionRequest, environment: SessionEnvironment): readonly SuggestionNote[] {
  const { permission_suggestions: suggestions } = request;
  if (!Array.isArray(suggestions)) return [];
  return (suggestions as readonly PermissionUpdate[]).flatMap((update, index) => {
    const reason = isRecord(update) ? whyAsksAgain(update, request, environment) : undefined;
    return reason === undefined ? [] : [{ index, reason }];
  });
}

function whyAsksAgain(
  update: PermissionUpdate,
  request: PermissionRequest,
  environment: SessionEnvironment,
): string | undefined {
  if (update.type === 'setMode') return whyModeAsksAgain(update.mode, request);
  if (update.type === 'addDirectories')
    return 'The agent may ask about this call again: a folder alone does not allow changes in it.';
  const rules = allowRulesIn([update]).flat();
  if (rules.length === 0) return undefined;
  const file = unreadSettings(update.destination, environment.sources);
  if (file !== undefined)
    return `The agent asks about this call again: the rule is stored in ${file}, which this session does not read.`;
  return whyRulesAskAgain(rules, request, environment);
}

function whyModeAsksAgain(mode: string, { tool_name, decision_reason_type }: PermissionRequest): string | undefined {
  const isEdit = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'].includes(tool_name);
  if (mode !== 'acceptEdits' || (isEdit && decision_reason_type !== 'workingDir')) return undefined;
  return 'The agent may ask about this call again: the mode covers changes of files in the working folder, and only some commands.';
}

const settingsFiles: Readonly<Record<string, readonly [SettingsSource, string]>> = {
  userSettings: ['user', 'the settings of the user'],
  projectSettings: ['project', 'the settings of the project'],
  localSettings: ['local', 'the local settings of the folder'],
};

function unreadSettings(destination: string, sources: SessionEnvironment['sources']): string | undefined {
  const [source, name] = settingsFiles[destination] ?? [];
  return source === undefined || sources === undefined || sources.includes(source) ? undefined : name;
}

/** Reasons for asking that an allow rule does not remove. */
const outranking: ReadonlySet<string | undefined> = new Set(['rule', 'hook', 'mode', 'safetyCheck']);

/** Why the agent asks about the call again when it has all of these rules. */
export function whyRulesAskAgain(
  rules: readonly PermissionRuleValue[],
  request: PermissionRequest,
  { cwd, commands }: SessionEnvironment,
): string | undefined {
  const { tool_name: tool, input, decision_reason_type: type, matched_ask_rule: asking, mcp_server: server } = request;
  const again = 'The agent asks about this call again';
  if (outranking.has(type) || asking !== undefined) return `${again}, whatever the rules allow.`;
  const missing = `${again}: ${rules.length > 1 ? 'the rules do' : 'the rule does'} not cover all of it.`;
  const texts = rules.map(ruleText);
  const policy = policyOf(texts, { cwd, commands });
  if (policy === undefined) return missing;
  const { command } = input;
  if (tool !== 'Bash' || typeof command !== 'string')
    return policy.decide({ tool, input, server: server?.name }).decision === 'allow' ? undefined : missing;
  if (commands.read(command, 'bash').writesFile)
    return `${again}: a rule for a command does not cover the file that its output is written to.`;
  if (!coversCommand(texts, command, commands)) return missing;
  return whyPathAsksAgain(request.blocked_path, policy, cwd);
}

function whyPathAsksAgain(path: unknown, policy: PermissionPolicy, cwd: string | undefined): string | undefined {
  if (typeof path !== 'string') return undefined;
  if (/[*?[]/.test(path)) return 'The agent asks about this call again: it names files by a pattern.';
  if (cwd === undefined || isInFolders(path, placesOf(cwd, undefined))) return undefined;
  if (policy.decide({ tool: 'Read', input: { file_path: path } }).decision === 'allow') return undefined;
  return `The agent asks about this call again: it concerns ${path}, which is outside the working folder.`;
}

/** Parts of a command about which the agent does not ask, and for which it suggests no rule. They only print and filter. */
const harmless: readonly string[] = [
  'head',
  'tail',
  'grep',
  'wc',
  'cat',
  'cut',
  'tr',
  'echo',
  'ls',
  'pwd',
  'true',
  'date',
].map((program) => `Bash(${program} *)`);

/** Files outside the working folder are asked about also where such a part names them. */
const namesPlace = /(?:^|[\s"'=])(?:\/(?!dev\/null)|~|\.\.)/;

function coversCommand(texts: readonly string[], command: string, commands: CommandReader): boolean {
  // Which files the agent asks about, it names in the request.
  if (policyOf(texts, { commands })?.decide({ tool: 'Bash', input: { command } }).decision === 'allow') return true;
  const { parts, isCompound } = commands.read(command, 'bash');
  if (isCompound) return false;
  const names = namesPlace.test(command);
  const hasReadRule = texts.some((text) => text.startsWith('Read('));
  const patterns = parseRules(
    { allow: [...texts, ...(names && !hasReadRule ? [] : harmless)] },
    'allow',
    commands,
  ).flatMap(({ content }) => (content?.kind === 'command' ? [content.pattern] : []));
  // Of the parts that the reader is not certain about, only those for which the agent suggests a rule count.
  return surelyCoverAll(patterns, parts);
}

/** `undefined` for a rule that this version cannot read. */
function policyOf(
  allow: readonly string[],
  { cwd, commands }: Pick<SessionEnvironment, 'cwd' | 'commands'>,
): PermissionPolicy | undefined {
  try {
    return new PermissionPolicy({ commands, allow, cwd });
  } catch {
    return undefined;
  }
}
