import type { DialledServer, LaunchOptions, SystemPrompt, Thinking } from '@hexagent/ports';
import { extraArguments } from './extra-arguments.ts';
import { choice, each, field, list, number, rules, strictToggle, text, toggle } from './parts.ts';
import type { Parts, Row } from './parts.ts';
import { settingsOf } from './settings.ts';
import {
  checkJson,
  isPlainObject,
  refuseText,
  refuseValue,
  toJson,
  wantNumber,
  wantRecord,
  wantStrings,
} from './values.ts';

/** What belongs to the process is no argument; every other option has a row. */
export type TabledOption = Exclude<keyof LaunchOptions, 'cwd' | 'env' | 'leftovers'>;

export type Table = { readonly [Option in TabledOption]: Row<NonNullable<LaunchOptions[Option]>> };

const modes = ['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto', 'manual'];
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** What each option becomes, in the order of the arguments. */
export const table: Table = {
  thinking: thinkingParts,
  effort: text('--effort'),
  maxTurns: (value, option) => (value === 0 ? {} : number('--max-turns', { above: 0, whole: true })(value, option)),
  maxBudgetUsd: number('--max-budget-usd', { above: 0 }),
  model: text('--model'),
  fallbackModel: text('--fallback-model'),
  agent: text('--agent'),
  agents: (value, option) => {
    checkJson(option, wantRecord(option, value));
    return field('agents')(value, option);
  },
  systemPrompt: systemPromptParts,
  title: field('title'),
  asksPermission: strictToggle('--permission-prompt-tool=stdio'),
  permissionMode: choice('--permission-mode', modes),
  allowDangerouslySkipPermissions: strictToggle('--allow-dangerously-skip-permissions'),
  allowedTools: rules('allow'),
  disallowedTools: rules('deny'),
  tools: (value, option) => (isPreset(value) ? { args: ['--tools=default'] } : list('--tools')(value, option)),
  continue: toggle('--continue'),
  resume: text('--resume'),
  resumeSessionAt: text('--resume-session-at'),
  forkSession: toggle('--fork-session'),
  sessionId: (value, option) => {
    // A symbol cannot even be tested.
    const remedy = 'Pass a uuid, such as crypto.randomUUID() makes.';
    if (typeof value !== 'string') throw refuseValue(option, value, remedy);
    if (value !== '' && !uuid.test(value)) throw refuseText(option, 'uuid', remedy);
    return text('--session-id')(value, option);
  },
  persistSession: strictToggle('--no-session-persistence', { when: false }),
  includePartialMessages: toggle('--include-partial-messages'),
  mcpServers: mcpServersParts,
  strictMcpConfig: toggle('--strict-mcp-config'),
  settingSources: (value, option) => {
    const remedy = 'Pass any of user, project, local, or [] for none.';
    const values = wantStrings(option, value, remedy);
    const wrong = values.find((name) => !['user', 'project', 'local'].includes(name));
    if (wrong !== undefined) throw refuseValue(option, wrong, remedy);
    return list('--setting-sources')(values, option);
  },
  settings: (value, option) => ({ settings: settingsOf(value, option) }),
  sandbox: (value, option) => ({ sandbox: wantRecord(option, value) }),
  additionalDirectories: each('--add-dir'),
  supportedDialogKinds: field('supportedDialogKinds'),
  extraArgs: extraArguments,
};

function thinkingParts(value: Thinking, option: string): Parts {
  switch (value.type) {
    case 'adaptive':
      return { args: ['--thinking=adaptive'] };
    case 'disabled':
      return { args: ['--thinking=disabled'] };
    case 'enabled':
      // Without a budget the agent chooses it, which is what it calls adaptive.
      if (value.budgetTokens === undefined) return { args: ['--thinking=adaptive'] };
      return {
        args: [
          `--max-thinking-tokens=${wantNumber(`${option}.budgetTokens`, value.budgetTokens, { above: -1, whole: true })}`,
        ],
      };
    default:
      throw refuseValue(option, value, 'Pass a `type` of adaptive, enabled or disabled.');
  }
}

function systemPromptParts(value: SystemPrompt, option: string): Parts {
  // An empty text is an answer too: it asks for an empty prompt, where leaving the option out asks for the full one.
  if (typeof value === 'string') return { initialize: { systemPrompt: [value] } };
  if (isTexts(value)) return { initialize: { systemPrompt: wantStrings(option, value, 'Pass texts.') } };
  if (value.type !== 'preset')
    throw refuseValue(option, value, 'Pass a text, a list of texts, or { type: "preset", preset: "claude_code" }.');
  const { append, excludeDynamicSections } = value;
  return {
    initialize: {
      ...(append === undefined ? {} : { appendSystemPrompt: append }),
      ...(excludeDynamicSections === undefined ? {} : { excludeDynamicSections }),
    },
  };
}

function mcpServersParts(servers: Readonly<Record<string, DialledServer>>, option: string): Parts {
  const names = Object.keys(wantRecord(option, servers));
  if (names.length === 0) return {};
  const hosted = names.find(
    (name) =>
      isPlainObject(servers[name]) &&
      Object.entries(servers[name]).some(([key, value]) => key === 'type' && value === 'sdk'),
  );
  if (hosted !== undefined)
    throw refuseValue(
      option,
      hosted,
      'It lives in this process; only servers that the CLI dials are launched with it.',
    );
  // Their environment and headers hold secrets, which every user of the machine could read in an argument.
  return { args: ['--mcp-config', { name: 'mcp-config.json', content: toJson(option, { mcpServers: servers }) }] };
}

/** Only exactly this asks for all tools: whoever passes something else meant fewer. */
function isPreset(
  value: NonNullable<LaunchOptions['tools']>,
): value is { readonly type: 'preset'; readonly preset: 'claude_code' } {
  return isPlainObject(value) && value['type'] === 'preset' && value['preset'] === 'claude_code';
}

function isTexts(value: Exclude<SystemPrompt, string>): value is readonly string[] {
  return Array.isArray(value);
}
