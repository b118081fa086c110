import { constants } from 'node:buffer';
import {
  abortSignal,
  argument,
  bytes,
  checkBytes,
  callable,
  type Check,
  type Checks,
  delay,
  dictionary,
  effort,
  type Elsewhere,
  flag,
  having,
  inside,
  list,
  membersOf,
  mode,
  names,
  number,
  oneOf,
  path,
  positive,
  record,
  refuse,
  serverInToolNames,
  shown,
  text,
  uuid,
  given,
  isList,
  isMethod,
} from '@hexagent/checks';
import type { Environment } from '../environment.ts';
import type { CheckedOptions, SessionPermissions } from '../session-options.ts';
import { defaultTools, ownServersOf } from '../session-tools.ts';
import { noSubagents, withSubagentServers } from '../subagents.ts';
import { agents } from './agents.ts';
import { budget } from './budget.ts';
import { refuseCombinations } from './combinations.ts';
import { hooks } from './hooks.ts';
import { settings, systemPrompt, thinking } from './prompt.ts';
import { commands, plugins, skills } from './skills.ts';
import { policyMode, rules } from './tool-names.ts';
import { tools } from './tools.ts';
import type { RemoteCommand } from '@hexagent/remote-transport';

/** No string can be longer than Node's. */
const lineLength: Check<number> = (value, place) => {
  checkBytes(place, value, { least: 1, most: constants.MAX_STRING_LENGTH });
  return value as number; // as was just checked
};

/** The names here of options of other SDKs, of the CLI, and of first guesses. */
const elsewhere = {
  abortController: 'signal',
  allowBypass: 'permissions.allowBypass',
  allowDangerouslySkipPermissions: 'permissions.allowBypass',
  allow: 'permissions.allow',
  ask: 'permissions.ask',
  allowedTools: 'permissions.allow',
  appendSystemPrompt: 'systemPrompt',
  apiKey: 'env: { set: { ANTHROPIC_API_KEY } }',
  approver: 'onAsk',
  baseUrl: 'env: { set: { ANTHROPIC_BASE_URL } }',
  canUseTool: 'onAsk',
  customSystemPrompt: 'systemPrompt',
  customTools: 'tools',
  clock: 'createSdk({ clock })',
  deny: 'permissions.deny',
  dialogs: 'onAsk',
  disallowedTools: 'permissions.deny',
  enableFileCheckpointing: 'checkpoints',
  environment: 'env',
  forkSession: 'fork',
  includePartialMessages: 'partialMessages',
  mcpServers: 'tools',
  maxBudgetUsd: 'budget',
  maxThinkingTokens: 'thinking: { type: "enabled", budgetTokens }',
  maxTokens: 'budget',
  maxTurns: 'budget',
  mode: 'permissions.mode',
  launcher: 'createSdk({ launcher })',
  observer: 'createSdk({ observer })',
  elicitor: 'onAsk',
  onApproval: 'onAsk',
  onElicitation: 'onAsk',
  onPermission: 'onAsk',
  onPlan: 'onAsk',
  onQuestion: 'onAsk',
  onUserDialog: 'onAsk',
  jsonSchema: 'output',
  ownTools: 'tools',
  outputFormat: 'output',
  schema: 'output',
  options: 'openSession(options)` or `ask(prompt, options)',
  pathToClaudeCodeExecutable: 'executable',
  permissionMode: 'permissions.cliMode',
  persistSession: 'persist',
  prompt: 'session.send(prompt)` or `ask(prompt, options)',
  servers: 'tools',
  sessionStore: 'store',
  settingSources: 'settings',
  spawnClaudeCodeProcess: 'transport',
  slashCommands: 'commands',
  stderr: 'onStderr',
  supportedDialogKinds: 'dialogKinds',
  workingDirectory: 'cwd',
};

const permissions = record<SessionPermissions>(
  {
    allow: rules,
    allowOwnTools: flag,
    deny: rules,
    ask: rules,
    mode: policyMode,
    expiresAfterMs: positive,
    cliMode: mode,
    allowBypass: flag,
  },
  {
    elsewhere: {
      approver: 'onAsk',
      canUseTool: 'onAsk',
      onAsk: 'onAsk',
      onPlan: 'onAsk',
      onQuestion: 'onAsk',
      denied: 'permissions.deny',
      disallowed: 'permissions.deny',
      disallowedTools: 'permissions.deny',
      permissionMode: 'permissions.cliMode',
    },
  },
);

/** Values may be secrets; `undefined` takes a variable away. */
const variables: Check<NonNullable<Environment['set']>> = (value, place) =>
  Object.fromEntries(
    membersOf(value, place).map(([name, found]) => {
      if (!/^[^=\0]+$/.test(name))
        throw refuse(place, 'an object of variables', 'one with a name that no variable has');
      return [name, found === undefined ? undefined : argument(found, inside(place, name))];
    }),
  );
export const environment: Check<Environment> = record<Environment>(
  { policy: oneOf('allowList', 'inherit', 'exact'), set: variables },
  { otherwise: 'Variables belong in `env.set`.' },
);

/** An empty list would declare none, as if it were left out. */
const dialogKinds: Check<readonly string[]> = (value, place) => {
  const kinds = names(value, place);
  if (kinds.length > 0) return kinds;
  throw refuse(place, 'a list of kinds of dialogs', 'an empty one');
};

const executable: Check<string | RemoteCommand> = (value, place) => {
  if (typeof value === 'object' && value !== null && !isList(value, place) && isMethod(value, 'argv', place))
    return value; // made by ssh(), docker() or command(), or a program's own of the same shape
  return text('a path, or a place such as ssh(), docker() or command() makes')(value, place);
};

/** The check of each option. A new option does not compile without its row. */
const optionChecks: Checks<CheckedOptions> = {
  cwd: path,
  model: text(),
  fallbackModel: text(),
  systemPrompt,
  permissions,
  hooks,
  agents,
  skills,
  commands,
  plugins,
  tools,
  env: environment,
  output: given(), // its reader checks it
  settings,
  thinking,
  effort,
  budget,
  stallAfterMs: number({ least: 1000 }),
  maxRetries: number({ least: 0, whole: true }),
  partialMessages: flag,
  toolOutput: flag,
  resume: text(),
  fork: flag,
  interruptedTurn: oneOf('leave', 'continue'),
  continue: flag,
  sessionId: uuid,
  persist: flag,
  checkpoints: flag,
  store: having('append', 'load'),
  additionalDirectories: list(path, 'a list of paths'),
  extraArgs: dictionary((value, place) => (value === null ? null : argument(value, place))),
  onAsk: callable(),
  dialogKinds,
  backgroundTasks: oneOf('stop', 'wait'),
  leftovers: oneOf('end', 'wait', 'leave'),
  signal: abortSignal,
  initializeTimeoutMs: delay,
  softMarkBytes: bytes,
  hardMarkBytes: bytes,
  maxLineBytes: lineLength,
  executable,
  onStderr: callable(),
  strict: flag,
  transport: having('connect'),
};

/** The call that takes each option, for the message where it is passed elsewhere. */
export const optionNames: Elsewhere = Object.fromEntries(
  Object.keys(optionChecks).map((name) => [name, `openSession({ ${name} })`]),
);

const sessionOptions = record<CheckedOptions>(optionChecks, { elsewhere, called: 'options' });

/**
 * The options as they are used: each was read once, and none is left that would be ignored.
 * @throws {TypeError} for the first that is unknown or invalid, naming it.
 */
export function checkOptions(options: unknown): CheckedOptions {
  if (options === undefined) return {};
  const checked = sessionOptions(options, '');
  refuseCombinations(checked);
  return withOwnToolsAllowed(withSubagentTools(withPluginAgents(checked)));
}

/** Adds the subagents of plugins to those of the session. */
function withPluginAgents(options: CheckedOptions): CheckedOptions {
  const { agents = noSubagents, plugins = [] } = options;
  const added = plugins.flatMap((plugin) => Object.entries(plugin.agents ?? {}));
  if (added.length === 0) return options;
  const repeated = added.find(([name]) => Object.hasOwn(agents.definitions, name));
  if (repeated !== undefined)
    throw new TypeError(
      `\`agents\` has the name ${shown(repeated[0])} of a subagent in \`plugins\`. Rename one of them.`,
    );
  const { definitions, servers } = withSubagentServers(Object.fromEntries(added));
  return {
    ...options,
    agents: { definitions: { ...agents.definitions, ...definitions }, servers: { ...agents.servers, ...servers } },
  };
}

/**
 * Adds the servers of subagents to those of the session: the agent has one list of all.
 * @throws {TypeError} for a name that two of them would share in the names of their tools.
 */
function withSubagentTools(options: CheckedOptions): CheckedOptions {
  const { tools = defaultTools, agents: { servers } = noSubagents } = options;
  const names = Object.keys(servers);
  if (names.length === 0) return options;
  const taken = new Set(Object.keys(tools.servers).map(serverInToolNames));
  for (const name of names) {
    if (taken.size < taken.add(serverInToolNames(name)).size) continue;
    throw new TypeError(
      `\`agents\` has tools of its own for ${shown(name)}, in a server of that name, and there is another such server. Rename one of them.`,
    );
  }
  return { ...options, tools: { ...tools, servers: { ...tools.servers, ...servers } } };
}

/** Adds the rules that allow the tools made by `tool()`. */
function withOwnToolsAllowed(options: CheckedOptions): CheckedOptions {
  const { permissions = {} } = options;
  if (permissions.allowOwnTools !== true) return options;
  const own = ownServersOf(options).map(serverInToolNames);
  if (own.length > 0)
    return { ...options, permissions: { ...permissions, allow: [...(permissions.allow ?? []), ...own] } };
  throw new TypeError(
    '`permissions.allowOwnTools` allows the tools made by tool(). Pass some in `tools` or `agents`, or leave it out.',
  );
}
