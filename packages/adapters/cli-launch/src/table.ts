import { isRecord } from '@hexagent/checks';
import type { LaunchOptions, OutputFormat, SystemPrompt, Thinking } from '@hexagent/ports';
import { addManagedSettings, addMcpServers, addPlugins, checkDelivery } from './delivery.ts';
import { extraArguments } from './extra-arguments.ts';
import { isTooLong } from './length.ts';
import {
  choice,
  each,
  field,
  flagField,
  list,
  number,
  recordField,
  rules,
  strictToggle,
  text,
  textField,
  toggle,
  variable,
} from './rows.ts';
import type { Addition, Row } from './rows.ts';
import { addSandbox } from './sandbox.ts';
import { settingsOf } from './settings.ts';
import { addSkills } from './skills.ts';
import { wrongText, wrongValue, toJson, requireNumber, requireRecord, requireStrings } from './values.ts';

/** Every option has a row, except those that belong to the process. */
export type TabledOption = Exclude<keyof LaunchOptions, 'cwd' | 'env' | 'leftovers' | 'ownFolder' | 'configFolder'>;

export type Table = { readonly [Option in TabledOption]: Row<NonNullable<LaunchOptions[Option]>> };

const modes = ['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto', 'manual'];
/** An absolute path on any system: the agent may run on another one. */
const absolutePath = /^(?:\/|[a-z]:[\\/]|\\\\)/iu;
export const uuid: RegExp = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** The row of each option, in the order of the arguments. */
export const table: Table = {
  thinking: addThinking,
  thinkingDisplay: choice('--thinking-display', ['summarized', 'omitted', 'highlights']),
  effort: text('--effort'),
  // The CLI takes a negative limit as well.
  maxTurns: (value, option) => (value === 0 ? {} : number('--max-turns', { whole: true })(value, option)),
  maxBudgetUsd: number('--max-budget-usd', { above: 0 }),
  taskBudget: (value, option) =>
    number('--task-budget', { above: 0, whole: true })(
      requireRecord(option, value)['total'] as number, // the row throws for another value
      `${option}.total`,
    ),
  model: text('--model'),
  fallbackModel: text('--fallback-model'),
  // The CLI takes a list after one flag for a single name.
  betas: each('--betas', 'name'),
  agent: text('--agent'),
  agents: recordField('agents'),
  agentProgressSummaries: flagField('agentProgressSummaries'),
  forwardSubagentText: flagField('forwardSubagentText'),
  perTaskStopAffordance: flagField('perTaskStopAffordance'),
  systemPrompt: addSystemPrompt,
  systemPromptSnapshot: flagField('systemPromptSnapshot'),
  planModeInstructions: textField('planModeInstructions'),
  title: field('title'),
  outputFormat: addOutputFormat,
  asksPermission: strictToggle('--permission-prompt-tool=stdio'),
  permissionPromptToolName: text('--permission-prompt-tool'),
  permissionPrompts: choice('--permission-prompts', ['host', 'none']),
  permissionMode: choice('--permission-mode', modes),
  allowDangerouslySkipPermissions: strictToggle('--allow-dangerously-skip-permissions'),
  allowedTools: rules('allow'),
  disallowedTools: rules('deny'),
  disallowedToolsDelivery: checkDelivery,
  askedTools: rules('ask'),
  skills: addSkills,
  tools: (value, option) => (isPreset(value) ? { args: ['--tools=default'] } : list('--tools')(value, option)),
  toolAliases: (value, option) => {
    const wrong = Object.entries(requireRecord(option, value)).find(([, name]) => typeof name !== 'string');
    if (wrong !== undefined) throw wrongValue(`${option}.${wrong[0]}`, wrong[1], 'Pass the name of a tool.');
    return recordField('toolAliases')(value, option);
  },
  toolConfig: (value, option) => {
    const { askUserQuestion } = requireRecord(option, value);
    if (askUserQuestion === undefined || askUserQuestion === null) return {};
    const place = `${option}.askUserQuestion`;
    const { previewFormat: format } = requireRecord(place, askUserQuestion);
    if (!format) return {};
    if (format !== 'markdown' && format !== 'html')
      throw wrongValue(`${place}.previewFormat`, format, 'Pass markdown or html.');
    return { env: { CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: format } };
  },
  plugins: addPlugins,
  privatePlugins: (folders) => ({ args: folders.flatMap((folder) => ['--plugin-dir', folder]) }),
  pluginDelivery: checkDelivery,
  continue: toggle('--continue'),
  resume: text('--resume'),
  resumeSessionAt: text('--resume-session-at'),
  // Empty, it makes the CLI exit; left out, the turn that was to be dropped would stay.
  resumeDropsTurn: (value, option) =>
    value === '' ? { args: ['--resume-drops-turn='] } : text('--resume-drops-turn')(value, option),
  forkSession: toggle('--fork-session'),
  sessionId: (value, option) => {
    const remedy = 'Pass a uuid, such as crypto.randomUUID() makes.';
    if (typeof value !== 'string') throw wrongValue(option, value, remedy);
    if (value !== '' && !uuid.test(value)) throw wrongText(option, 'uuid', remedy);
    return text('--session-id')(value, option);
  },
  persistSession: strictToggle('--no-session-persistence', { when: false }),
  enableFileCheckpointing: variable('CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING', 'true'),
  sessionMirror: strictToggle('--session-mirror'),
  includePartialMessages: toggle('--include-partial-messages'),
  includeHookEvents: toggle('--include-hook-events'),
  promptSuggestions: flagField('promptSuggestions'),
  mcpServers: addMcpServers,
  mcpServersDelivery: checkDelivery,
  strictMcpConfig: toggle('--strict-mcp-config'),
  settingSources: (value, option) => {
    const remedy = 'Pass any of user, project, local, or [] for none.';
    const values = requireStrings(option, value, remedy);
    const wrong = values.find((name) => !['user', 'project', 'local'].includes(name));
    if (wrong !== undefined) throw wrongValue(option, wrong, remedy);
    return list('--setting-sources')(values, option);
  },
  settings: (value, option) => ({ settings: settingsOf(value, option) }),
  settingsDelivery: checkDelivery,
  managedSettings: addManagedSettings,
  managedSettingsDelivery: checkDelivery,
  projectConfigRoot: (value, option) => {
    if (typeof value === 'string' && value !== '' && !absolutePath.test(value))
      throw wrongValue(option, value, 'Pass an absolute path.');
    return text('--project-config-root')(value, option);
  },
  sandbox: addSandbox,
  additionalDirectories: each('--add-dir'),
  supportedDialogKinds: field('supportedDialogKinds'),
  debug: (value, _, { debugFile }) => (value && !debugFile ? { args: ['--debug'] } : {}),
  debugFile: text('--debug-file'),
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
        args: [`--max-thinking-tokens=${requireNumber(`${option}.budgetTokens`, value.budgetTokens, { whole: true })}`],
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

/** The schema is sent in both places, as in the official package: the CLI checks the one on its command line, and exits if it is invalid. */
function addOutputFormat(value: OutputFormat, option: string): Addition {
  const { type, schema } = requireRecord(option, value);
  if (type !== 'json_schema') throw wrongValue(`${option}.type`, type, 'Pass { type: "json_schema", schema }.');
  const jsonSchema = toKnownDialect(requireRecord(`${option}.schema`, schema));
  const argument = `--json-schema=${toJson(`${option}.schema`, jsonSchema)}`;
  return {
    args: isTooLong(argument) ? [] : [argument],
    ...recordField('jsonSchema')(jsonSchema, `${option}.schema`),
  };
}

/**
 * The CLI exits on a schema of an unknown dialect, such as 2020-12, which zod names by default. Without a name it accepts
 * the schema. The copy is also without the hidden member by which zod marks its schemas.
 */
function toKnownDialect(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { $schema: dialect, ...rest } = schema;
  return typeof dialect === 'string' && !dialect.includes('draft-07') ? rest : { ...schema };
}

/** Only this exact preset means all tools; any other value was meant to allow fewer. */
function isPreset(
  value: NonNullable<LaunchOptions['tools']>,
): value is { readonly type: 'preset'; readonly preset: 'claude_code' } {
  return isRecord(value) && value['type'] === 'preset' && value['preset'] === 'claude_code';
}

function isTexts(value: Exclude<SystemPrompt, string>): value is readonly string[] {
  return Array.isArray(value);
}
