import type { DialledServer, LaunchOptions, SystemPrompt, Thinking } from '@hexagent/ports';
import { extraArguments } from './extra-arguments.ts';
import { choice, each, field, list, number, rules, strictToggle, text, toggle } from './rows.ts';
import type { Addition, Row } from './rows.ts';
import { settingsOf } from './settings.ts';
import {
  checkJson,
  isPlainObject,
  wrongText,
  wrongValue,
  toJson,
  requireNumber,
  requireRecord,
  requireStrings,
} from './values.ts';

/** Every option has a row, except those that belong to the process. */
export type TabledOption = Exclude<keyof LaunchOptions, 'cwd' | 'env' | 'leftovers'>;

export type Table = { readonly [Option in TabledOption]: Row<NonNullable<LaunchOptions[Option]>> };

const modes = ['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto', 'manual'];
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** What each option becomes, in the order of the arguments. */
export const table: Table = {
  thinking: addThinking,
  effort: text('--effort'),
  maxTurns: (value, option) => (value === 0 ? {} : number('--max-turns', { above: 0, whole: true })(value, option)),
  maxBudgetUsd: number('--max-budget-usd', { above: 0 }),
  model: text('--model'),
  fallbackModel: text('--fallback-model'),
  agent: text('--agent'),
  agents: (value, option) => {
    checkJson(option, requireRecord(option, value));
    return field('agents')(value, option);
  },
  systemPrompt: addSystemPrompt,
  title: field('title'),
  asksPermission: strictToggle('--permission-prompt-tool=stdio'),
  permissionMode: choice('--permission-mode', modes),
  allowDangerouslySkipPermissions: strictToggle('--allow-dangerously-skip-permissions'),
  allowedTools: rules('allow'),
  disallowedTools: rules('deny'),
  askedTools: rules('ask'),
  tools: (value, option) => (isPreset(value) ? { args: ['--tools=default'] } : list('--tools')(value, option)),
  continue: toggle('--continue'),
  resume: text('--resume'),
  resumeSessionAt: text('--resume-session-at'),
  forkSession: toggle('--fork-session'),
  sessionId: (value, option) => {
    const remedy = 'Pass a uuid, such as crypto.randomUUID() makes.';
    if (typeof value !== 'string') throw wrongValue(option, value, remedy);
    if (value !== '' && !uuid.test(value)) throw wrongText(option, 'uuid', remedy);
    return text('--session-id')(value, option);
  },
  persistSession: strictToggle('--no-session-persistence', { when: false }),
  includePartialMessages: toggle('--include-partial-messages'),
  mcpServers: addMcpServers,
  strictMcpConfig: toggle('--strict-mcp-config'),
  settingSources: (value, option) => {
    const remedy = 'Pass any of user, project, local, or [] for none.';
    const values = requireStrings(option, value, remedy);
    const wrong = values.find((name) => !['user', 'project', 'local'].includes(name));
    if (wrong !== undefined) throw wrongValue(option, wrong, remedy);
    return list('--setting-sources')(values, option);
  },
  settings: (value, option) => ({ settings: settingsOf(value, option) }),
  sandbox: (value, option) => ({ sandbox: requireRecord(option, value) }),
  additionalDirectories: each('--add-dir'),
  supportedDialogKinds: field('supportedDialogKinds'),
  extraArgs: extraArguments,
};

function addThinking(value: Thinking, option: string): Addition {
  switch (value.type) {
    case 'adaptive':
      return { args: ['--thinking=adaptive'] };
    case 'disabled':
      return { args: ['--thinking=disabled'] };
    case 'enabled':
      // Without a budget the agent chooses it, which is its mode `adaptive`.
      if (value.budgetTokens === undefined) return { args: ['--thinking=adaptive'] };
      return {
        args: [
          `--max-thinking-tokens=${requireNumber(`${option}.budgetTokens`, value.budgetTokens, { above: -1, whole: true })}`,
        ],
      };
    default:
      throw wrongValue(option, value, 'Pass a `type` of adaptive, enabled or disabled.');
  }
}

function addSystemPrompt(value: SystemPrompt, option: string): Addition {
  // An empty text means an empty prompt; without the option the agent uses its full prompt.
  if (typeof value === 'string') return { initialize: { systemPrompt: [value] } };
  if (isTexts(value)) return { initialize: { systemPrompt: requireStrings(option, value, 'Pass texts.') } };
  if (value.type !== 'preset')
    throw wrongValue(option, value, 'Pass a text, a list of texts, or { type: "preset", preset: "claude_code" }.');
  const { append, excludeDynamicSections } = value;
  return {
    initialize: {
      ...(append === undefined ? {} : { appendSystemPrompt: append }),
      ...(excludeDynamicSections === undefined ? {} : { excludeDynamicSections }),
    },
  };
}

function addMcpServers(servers: Readonly<Record<string, DialledServer>>, option: string): Addition {
  const names = Object.keys(requireRecord(option, servers));
  if (names.length === 0) return {};
  const hosted = names.find(
    (name) =>
      isPlainObject(servers[name]) &&
      Object.entries(servers[name]).some(([key, value]) => key === 'type' && value === 'sdk'),
  );
  if (hosted !== undefined)
    throw wrongValue(option, hosted, 'It runs in this process; only servers that the CLI dials are launched with it.');
  // Environments and headers hold secrets, and every user of the machine can read arguments.
  return { args: ['--mcp-config', { name: 'mcp-config.json', content: `{"mcpServers":${toJson(option, servers)}}` }] };
}

/** Only this exact preset means all tools; any other value was meant to allow fewer. */
function isPreset(
  value: NonNullable<LaunchOptions['tools']>,
): value is { readonly type: 'preset'; readonly preset: 'claude_code' } {
  return isPlainObject(value) && value['type'] === 'preset' && value['preset'] === 'claude_code';
}

function isTexts(value: Exclude<SystemPrompt, string>): value is readonly string[] {
  return Array.isArray(value);
}
