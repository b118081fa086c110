import { resolve } from 'node:path';
import { anyText, isRecord, list, type Check } from '@hexagent/checks';
import type { ControlFields, InitializeResult, WarningListener } from '@hexagent/ports';
import { given } from './lenient.ts';
import { agentsOf } from './subagents.ts';
import type { Options } from './types/options.ts';
import type { ClaimOptions } from './types/prewarm.ts';

type Settings = Readonly<Record<string, unknown>>;

/** The requests that claim an agent. An absent one is not sent. */
export interface Claim {
  readonly fields: ControlFields<'claim_session'>;
  /** Decides which servers and plugins of the folder the agent starts, so it is in force before the claim. */
  readonly ahead: Settings | undefined;
  /** Settings that are in force before the prompt. */
  readonly behind: Settings | undefined;
  readonly model: string | undefined;
  /** `null` for the default. */
  readonly maxThinkingTokens: number | null | undefined;
}

/** They would come too late for hooks that the claim itself calls. */
const hookSettings = [
  'hooks',
  'disableAllHooks',
  'allowManagedHooksOnly',
  'allowedHttpHookUrls',
  'httpHookAllowedEnvVars',
];

/** An agent of no folder refuses these. */
const behindClaim = ['model', 'agent', 'fastMode', 'permissions', 'availableModels', 'disableAutoMode'];

/**
 * Reads the options of a claim. Values that ask for nothing count as not given.
 * @throws {TypeError} naming the option.
 */
export function claimOf(options: ClaimOptions, servers: readonly string[], warn: WarningListener): Claim {
  if (!isRecord(options)) throw new TypeError('claim() takes an object with a `prompt` and with `options`.');
  const { maxThinkingTokens } = options;
  const settings = tableOf('settings', options.settings);
  refuseHookSettings(settings);
  if (maxThinkingTokens !== undefined && maxThinkingTokens !== null && !isCount(maxThinkingTokens))
    throw new TypeError('`maxThinkingTokens` must be a whole number of tokens, or `null` for the default.');
  return {
    fields: {
      cwd: folderOf(options.cwd),
      permission_mode: textOf('permissionMode', options.permissionMode),
      env: tableOf('env', options.env) as Readonly<Record<string, string>> | undefined, // the agent checks the values
      additional_directories: listOf('additionalDirectories', options.additionalDirectories),
      append_system_prompt: textOf('appendSystemPrompt', options.appendSystemPrompt),
      title: textOf('title', options.title),
      agents: agentsOf(tableOf('agents', options.agents) as Options['agents'], warn), // sent as they are given
      sdk_mcp_servers: servers,
      include_initialize: true,
    },
    ahead: part(settings, (key) => !behindClaim.includes(key)),
    behind: part(settings, (key) => behindClaim.includes(key)),
    model: textOf('model', options.model),
    maxThinkingTokens,
  };
}

/** The introduction of a claimed agent. From that of the parked agent, only the options of its start stay. */
export function claimedIntroduction(parked: InitializeResult, claimed: InitializeResult | undefined): InitializeResult {
  if (claimed === undefined) return parked;
  const kept = appliedAtStart.flatMap((key) => (key in parked ? [[key, parked[key]] as const] : []));
  return { ...Object.fromEntries(kept), ...claimed };
}

const appliedAtStart = [
  'hooks_applied',
  'plugins_applied',
  'managed_settings_applied',
  'settings_applied',
  'disallowed_tools_applied',
  'mcp_servers_applied',
] as const;

/** The agent itself expands `~`, as in the official package. */
function folderOf(cwd: unknown): string {
  if (typeof cwd !== 'string' || cwd === '')
    throw new TypeError('`cwd` must be a string: the path of the folder in which the agent is to work.');
  return /^~(?:\/|$)/.test(cwd) ? cwd : resolve(cwd);
}

/** The official package counts some odd values as not given. */
const unlessEmpty =
  <T>(check: Check<T>) =>
  (option: string, value: unknown): T | undefined => {
    const found = given(value);
    return found === undefined ? undefined : check(found, option);
  };
const textOf = unlessEmpty(anyText);
const tableOf = unlessEmpty<Readonly<Record<string, unknown>>>((value, option) => {
  if (isRecord(value) && !(Symbol.iterator in value)) return value;
  throw new TypeError(`\`${option}\` must be a plain object.`);
});
const listOf = unlessEmpty(list(anyText, 'a list of strings'));

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

function refuseHookSettings(settings: Settings | undefined): void {
  const found = hookSettings.filter((key) => settings?.[key] !== undefined);
  if (found.length === 0) return;
  throw new TypeError(
    `SpareProcess.claim(): hook settings (${found.join(', ')}) cannot be applied at claim: the claim itself calls hooks. Pass them to prewarm() in \`settings\`. Nothing was sent, and the spare can still be claimed.`,
  );
}

function part(settings: Settings | undefined, isWanted: (key: string) => boolean): Settings | undefined {
  const entries = Object.entries(settings ?? {}).filter(([key, value]) => value !== undefined && isWanted(key));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
