import { isRecord } from '@hexagent/checks';
import type { Settings } from './read-settings.ts';
import { all, allowingFlags, namesIn, restrictingFlags } from './shapes/plain.ts';

/*
 * What counts where the policy of an organisation's server is joined with that of the machine, as the agent does it: of
 * most settings the server's, and of those that restrict the stricter one. What the machine only loosens is left out.
 */

/** Programs that the agent runs, where it signs in, and what says how policies are joined. */
const ofServerAlone = new Set(
  namesIn(`
    allowNestedModelAccessUnderForceLogin apiKeyHelper awsAuthRefresh awsCredentialExport forceLoginGatewayUrl
    gatewayInternalNetworks gcpAuthRefresh managedSourcesBehavior modelPicker otelHeadersHelper
    parentSettingsBehavior permissions.defaultMode policyHelper proxyAuthHelper wslInheritsWindowsSettings
  `),
);

/** Lists and objects of which one counts as a whole. Others are joined. */
const replaced = new Set(
  namesIn(`
    allowedChannelPlugins allowedMcpServers allowedProviders availableModels fallbackModel modelOverrides
    sandbox.credentials.awsPairs sandbox.ripgrep strictKnownMarketplaces
  `),
);

/** Of these, each that has a name. */
const named = /^(?:extraKnownMarketplaces|managedMcpServers)\./;

/** Values that restrict, the strictest last. */
const ranks: Readonly<Record<string, readonly unknown[]>> = {
  askUserQuestionTimeout: ['never'],
  availableModelsMatch: ['exact'],
  crossSessionInbound: ['hold', 'refuse'],
  dialogExpiry: ['never'],
  disableAutoMode: ['disable'],
  disableDeepLinkRegistration: ['disable'],
  feedbackDrafts: ['off'],
  maxEffortLevel: ['max', 'xhigh', 'high', 'medium', 'low'],
  'permissions.disableAutoMode': ['disable'],
  'permissions.disableBypassPermissionsMode': ['disable'],
  'sandbox.credentials.sigv4.presigned': ['deny'],
  'sandbox.credentials.sigv4.sigv4a': ['deny'],
  'sandbox.credentials.sigv4.streaming': ['deny'],
  'worktree.bgIsolation': ['worktree'],
  ...all(
    [true],
    `${restrictingFlags}
    disableAllHooks autoMode.classifyAllShell permissions.blockReadsOutsideWorkingDirectories
    permissions.blockWritesOutsideWorkingDirectories permissions.denyInsteadOfPrompting sandbox.enabled
    sandbox.failIfUnavailable sandbox.filesystem.allowManagedReadPathsOnly
    sandbox.network.allowManagedDomainsOnly sandbox.network.strictAllowlist
    `,
  ),
  ...all(
    [false],
    `${allowingFlags}
    attribution.sessionUrl sandbox.allowAppleEvents sandbox.allowNestedUserNamespaces
    sandbox.allowUnsandboxedCommands sandbox.autoAllowBashIfSandboxed sandbox.credentials.allowPlaintextInject
    sandbox.enableWeakerNestedSandbox sandbox.enableWeakerNetworkIsolation sandbox.filesystem.disabled
    sandbox.network.allowAllUnixSockets sandbox.network.allowLocalBinding
    `,
  ),
};

/** The server's policy over that of the machine, where it asks for `managedSourcesBehavior: 'merge'`. */
export function joinPolicies(machine: Settings, server: Settings): Settings {
  return { ...join(machine, server, ''), ...refresh(machine, server) };
}

/** The server's policy alone: still the machine says who may sign in, and sets variables. */
export function withCredentials(
  { env, forceLoginMethod, forceLoginOrgUUID, ...machine }: Settings,
  server: Settings,
): Settings {
  return {
    ...join({ env, forceLoginMethod, forceLoginOrgUUID }, server, ''),
    ...(machine['forceRemoteSettingsRefresh'] === true && { forceRemoteSettingsRefresh: true }),
  };
}

const refresh = (
  { forceRemoteSettingsRefresh: one }: Settings,
  { forceRemoteSettingsRefresh: other }: Settings,
): Settings => (one === true || other === true ? { forceRemoteSettingsRefresh: true } : {});

function join(machine: Settings, server: Settings, place: string): Settings {
  const joined: { [key: string]: unknown } = {};
  for (const key of new Set([...Object.keys(machine), ...Object.keys(server)])) {
    const value = joinValues(machine[key], server[key], `${place}${key}`);
    if (value !== undefined) joined[key] = value;
  }
  return joined;
}

function joinValues(machine: unknown, server: unknown, path: string): unknown {
  if (ofServerAlone.has(path)) return server;
  if (path === 'forceLoginOrgUUID') return machine ?? server;
  if (path === 'forceLoginMethod') return machine === 'gateway' ? server : (machine ?? server);
  if (path === 'strictPluginOnlyCustomization') return strictestCustomization(machine, server);
  const strict = Object.hasOwn(ranks, path) ? ranks[path] : undefined;
  if (strict !== undefined) return strictest(machine, server, strict);
  if (server !== undefined && (replaced.has(path) || named.test(path))) return server;
  if (Array.isArray(machine) && Array.isArray(server)) return [...new Set<unknown>([...server, ...machine])];
  if (isRecord(machine) && isRecord(server)) return join(machine, server, `${path}.`);
  return server ?? (isRecord(machine) ? withoutLooseParts(machine, path) : machine);
}

/** Nothing where nothing is left of it. */
function withoutLooseParts(machine: Settings, path: string): Settings | undefined {
  const left = join(machine, {}, `${path}.`);
  return Object.keys(left).length === 0 && Object.keys(machine).length > 0 ? undefined : left;
}

function strictest(machine: unknown, server: unknown, strict: readonly unknown[]): unknown {
  return strict.indexOf(machine) > strict.indexOf(server) ? machine : server;
}

/** `true` is for every kind of customisation; a list names some. */
function strictestCustomization(machine: unknown, server: unknown): unknown {
  if (machine === true || server === true) return true;
  if (!Array.isArray(machine) || machine.length === 0) return server;
  return Array.isArray(server) ? [...new Set<unknown>([...server, ...machine])] : machine;
}
