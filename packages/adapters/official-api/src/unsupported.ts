import { isRecord } from '@hexagent/ports';
import { notYet } from './not-yet.ts';
import type { Options } from './types/options.ts';

/** Whether a value asks for what its option would do. */
type Asks = (value: unknown) => boolean;

const isGiven: Asks = Boolean;
const hasItems: Asks = (value) => (Array.isArray(value) ? value.some(Boolean) : isGiven(value));
const hasKeys: Asks = (value) => (isRecord(value) ? membersOf(value).some(isGiven) : isGiven(value));

/** Options that have their type and nothing behind it yet. Only ever shorter. */
export const unsupportedOptions = [
  'agentProgressSummaries',
  'betas',
  'debug',
  'debugFile',
  'enableFileCheckpointing',
  'forwardSubagentText',
  'includeHookEvents',
  'managedSettings',
  'outputFormat',
  'perTaskStopAffordance',
  'permissionPromptToolName',
  'permissionPrompts',
  'planModeInstructions',
  'plugins',
  'projectConfigRoot',
  'promptSuggestions',
  'resumeDropsTurn',
  'sandbox',
  'sessionStore',
  'skills',
  'spawnClaudeCodeProcess',
  'taskBudget',
  'toolAliases',
  'toolConfig',
  'verbatimPrompts',
] as const;

/** What asks for something, where not every value that is given does. */
const asking: { readonly [Option in (typeof unsupportedOptions)[number]]?: Asks } = {
  betas: hasItems,
  managedSettings: hasKeys,
  // What it is without the option.
  permissionPrompts: (value) => isGiven(value) && value !== 'host',
  plugins: hasItems,
  // It can be switched off.
  sandbox: (value) => isGiven(value) && !(isRecord(value) && (value['enabled'] === false || !hasKeys(value))),
  // An empty list asks for something too: that there be no skill.
  skills: (value) => value !== undefined && value !== null && value !== false,
  toolAliases: hasKeys,
  toolConfig: (value) => (isRecord(value) ? hasKeys(value['askUserQuestion']) : isGiven(value)),
};

/**
 * Options that change nothing: how to deliver plugins and mirror sessions matters only beside an option that is
 * refused, and servers travel in a private file, where nobody else can read them, whatever is asked for.
 */
export const optionsWithoutEffect = [
  'loadTimeoutMs',
  'mcpServersDelivery',
  'pluginDelivery',
  'sessionStoreFlush',
] as const;

/** Options of the native face, and what does the same here. The official package ignores any name that it does not know. */
const nativeOptions: Readonly<Record<string, string>> = {
  permissions: '`canUseTool`, `allowedTools`, `disallowedTools` and `permissionMode`',
  approver: '`canUseTool`',
  onQuestion: '`canUseTool`',
  onPlan: '`canUseTool`',
  ownTools: '`mcpServers` with createSdkMcpServer()',
};

/**
 * An option that is silently ignored is worse than one that is missing.
 * @throws {SdkError} `NOT_SUPPORTED_YET`, naming the option.
 * @throws {TypeError} for an option of openSession(), with which a rule or a tool would be missing.
 */
export function refuseUnsupported(options: Options): void {
  for (const [name, instead] of Object.entries(nativeOptions))
    if (isGiven(Reflect.get(options, name)))
      throw new TypeError(`\`${name}\` is an option of openSession() and ask(). query() takes ${instead}.`);
  for (const name of unsupportedOptions) {
    const asks = asking[name] ?? isGiven;
    if (asks(options[name])) throw notYet(`The option \`${name}\``);
  }
  for (const name of ['mcpServersDelivery', 'pluginDelivery'] as const) {
    const way: unknown = options[name];
    if (isGiven(way) && way !== 'argv' && way !== 'initialize')
      throw new TypeError(`\`${name}\` must be argv or initialize.`);
  }
  const { thinking, systemPrompt } = options;
  if (isRecord(thinking) && thinking['type'] !== 'disabled' && isGiven(thinking['display']))
    throw notYet('`thinking.display`');
  if (isRecord(systemPrompt) && isGiven(systemPrompt['snapshot'])) throw notYet('`systemPrompt.snapshot`');
}

/** Of a Map its entries: they ask for something too. */
function membersOf(value: object): readonly unknown[] {
  return Symbol.iterator in value ? [...(value as Iterable<unknown>)] : Object.values(value); // whatever can be iterated
}
