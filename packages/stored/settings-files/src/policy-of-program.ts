import { readSettings, type Settings } from './read-settings.ts';
import { isRecord } from '@hexagent/checks';
import { all } from './shapes/plain.ts';

/** Keeps a value that takes something away from the agent, and answers `undefined` for one that would give it more. */
type Restriction = (value: unknown) => unknown;

const same: Restriction = (value) => value;
const only =
  (wanted: unknown): Restriction =>
  (value) =>
    value === wanted ? value : undefined;
const on = only(true);
const off = only(false);
const emptyList: Restriction = (value) => (Array.isArray(value) && value.length === 0 ? value : undefined);
const filledList: Restriction = (value) => (Array.isArray(value) && value.length > 0 ? value : undefined);

const within =
  (fields: { readonly [name: string]: Restriction }): Restriction =>
  (value) => {
    if (!isRecord(value)) return undefined;
    const kept = Object.entries(fields)
      .map(([name, restriction]) => [name, restriction(value[name])] as const)
      .filter(([, each]) => each !== undefined);
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  };

/** Secrets that are kept from commands: that they are is a restriction, where they are put in again is not. */
const secretFiles: Restriction = (value) =>
  filledList(secretsOf(value).map((secret) => (secret['mode'] === 'deny' ? denied(secret) : hidden(secret))));
const secretVariables: Restriction = (value) =>
  filledList(
    secretsOf(value)
      .filter(({ mode }) => mode === 'deny')
      .map(denied),
  );
const secretsOf = (value: unknown): readonly Settings[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const denied = ({ path, name }: Settings): Settings => ({
  ...(path === undefined ? { name } : { path }),
  mode: 'deny',
});
const hidden = ({ path }: Settings): Settings => ({ path, mode: 'mask', injectHosts: [] });

const ofRequests = within({ streaming: only('deny'), presigned: only('deny'), sigv4a: only('deny') });

const restrictions: { readonly [key: string]: Restriction } = {
  ...all(
    on,
    `
    enforceAvailableModels allowManagedPermissionRulesOnly disableWindowsBashCommandSplit allowManagedHooksOnly
    disableCommandPluginSources disableSideloadFlags allowManagedMcpServersOnly disableClaudeAiConnectors
    disableSkillShellExecution disableAgentView disableArtifact disableRemoteControl disableWorkflows
    `,
  ),
  ...all(off, 'syncClaudeAiSkills syncClaudeAiPlugins enableArtifact enableWorkflows'),
  ...all(same, 'allowedProviders availableModels strictKnownMarketplaces allowedMcpServers deniedMcpServers'),
  ...all(filledList, 'deniedModels blockedMarketplaces'),
  ...all(emptyList, 'allowedHttpHookUrls httpHookAllowedEnvVars'),
  forceLoginOrgUUID: (value) => (value === '' ? undefined : value),
  availableModelsMatch: only('exact'),
  permissions: within({
    allow: same,
    deny: same,
    ask: same,
    disableBypassPermissionsMode: only('disable'),
    disableAutoMode: only('disable'),
    denyInsteadOfPrompting: on,
    additionalDirectories: same,
    blockReadsOutsideWorkingDirectories: on,
    blockWritesOutsideWorkingDirectories: on,
  }),
  disableAutoMode: only('disable'),
  sandbox: within({
    enabled: on,
    failIfUnavailable: on,
    autoAllowBashIfSandboxed: off,
    allowUnsandboxedCommands: off,
    network: within({
      allowedDomains: same,
      deniedDomains: same,
      strictAllowlist: on,
      allowManagedDomainsOnly: on,
      allowAllUnixSockets: off,
      allowLocalBinding: off,
    }),
    filesystem: within({
      denyWrite: same,
      denyRead: same,
      allowRead: same,
      allowManagedReadPathsOnly: on,
      disabled: off,
    }),
    credentials: within({
      files: secretFiles,
      envVars: secretVariables,
      allowPlaintextInject: off,
      sigv4: (value) => (isRecord(value) ? (ofRequests(value) ?? {}) : undefined),
    }),
    windows: within({ backend: only('sandboxuser') }),
    enableWeakerNestedSandbox: off,
    allowNestedUserNamespaces: off,
    enableWeakerNetworkIsolation: off,
    allowAppleEvents: off,
  }),
  strictPluginOnlyCustomization: (value) => (value === true ? value : filledList(value)),
  attribution: within({ commitTrailers: off, sessionUrl: off }),
};

/** The part of a policy that a program may set: it takes from the agent, and never gives. */
export function policyOfProgram(given: Settings): Settings {
  const read = readSettings(given, 'policy') ?? {};
  const kept = within(restrictions)({ ...read, ...impliedBy(given, read) });
  return isRecord(kept) ? kept : {};
}

/** Settings that mean a restriction under another name. */
function impliedBy(given: Settings, read: Settings): Settings {
  const { includeCoAuthoredBy, attribution } = read;
  const disableAllHooks = given['disableAllHooks'] ?? false;
  const withoutTrailers =
    includeCoAuthoredBy === false ||
    given['attribution'] === false ||
    (isRecord(attribution) && attribution['commit'] === '');
  return {
    // A program may not switch the hooks of the policy off, so those of everybody else are.
    ...(disableAllHooks !== false ? { allowManagedHooksOnly: true } : {}),
    ...(withoutTrailers
      ? { attribution: { ...(isRecord(attribution) ? attribution : {}), commitTrailers: false } }
      : {}),
  };
}
