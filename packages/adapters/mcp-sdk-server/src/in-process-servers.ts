import { isRecord, jsonCopy } from '@hexagent/checks';
import type {
  Clock,
  InitializeFields,
  JsonRpcMessage,
  McpCallContext,
  McpManifest,
  McpServer,
  McpServerSettings,
  SessionFeature,
} from '@hexagent/ports';
import { ServerChanges } from './server-changes.ts';
import { ServerFailures } from './server-failures.ts';
import { ServerSessions } from './server-sessions.ts';

/** The servers of this process that one conversation has. */
export interface HostedServers {
  /** Shows them to the agent, and closes their sessions with the conversation. */
  readonly feature: SessionFeature;
  /** That of this name. */
  get(name: string): McpServer | undefined;
  /** All names, in the order in which they came. */
  names(): readonly string[];
  /** Why it does not work, as it reported to this conversation. */
  why(name: string): string | undefined;
  /** Asks it, in the session that the agent has with it. */
  ask(name: string, message: JsonRpcMessage, context: McpCallContext): Promise<JsonRpcMessage | undefined>;
  /**
   * Replaces them by these; one whose name is there already stays as it is. New ones are there before `announce`
   * is called, since the agent sends to a server as soon as it is announced, and the others go when it has succeeded. When
   * it fails, nothing has changed.
   */
  change<T>(servers: readonly McpServer[], announce: () => Promise<T>): Promise<T>;
  /** What announces the one of this name to the agent during the conversation. */
  config(name: string): McpServerSettings & { readonly type: 'sdk'; readonly name: string };
}

/** What hosting needs of the outside. */
export interface HostingParts {
  /** By it calls have their `timeout`. */
  readonly clock: Clock;
}

/**
 * Shows servers of this process to the agent, and closes their sessions with the conversation; the program may ask and
 * change them meanwhile.
 * @throws {TypeError} when two of them share a name.
 */
export function hostServers(servers: readonly McpServer[], { clock }: HostingParts): HostedServers {
  const failures = new ServerFailures();
  const sessions = new ServerSessions({ servers, failures, clock });
  const changes = new ServerChanges(sessions);
  return {
    feature: featureOf(sessions, failures),
    get: (name) => sessions.server(name),
    names: () => sessions.names,
    why: (name) => failures.why(name),
    ask: (...question) => sessions.ask(...question),
    change: (...change) => changes.change(...change),
    config: (name) => ({ type: 'sdk', name, ...sessions.server(name)?.config }),
  };
}

function featureOf(sessions: ServerSessions, failures: ServerFailures): SessionFeature {
  return {
    name: 'in-process servers',
    // Read again where the agent is initialized again: other servers may be there by then.
    get initialize() {
      const { names, servers } = sessions;
      // They exist for the agent only if `initialize` names them.
      return names.length === 0
        ? {}
        : { sdkMcpServers: names, ...settingsOf(servers), ...manifestsOf(servers, sessions) };
    },
    mayBeAsked: () => sessions.hasAny,
    handlers: { mcp_message: (request, context) => sessions.handle(request, context) },
    // The agent reports that a server failed, and not why.
    amend: { mcp_status: (answer) => failures.explain(answer) },
    attach(control) {
      failures.attach(control);
      sessions.attach(control);
    },
    close: async () => await sessions.close(),
  };
}

/** They spare each server the handshake, which the first turn would wait for. */
function manifestsOf(servers: readonly McpServer[], sessions: ServerSessions): InitializeFields {
  const manifests = servers.flatMap((server) => {
    const manifest = manifestOf(server);
    return manifest === undefined ? [] : [[server.name, manifest] as const];
  });
  for (const manifest of manifests) sessions.hasManifest(...manifest);
  return manifests.length === 0 ? {} : { sdkMcpServerManifests: Object.fromEntries(manifests) };
}

/** What the agent holds servers to; without it a tool that must not run is called like any other. */
function settingsOf(servers: readonly McpServer[]): InitializeFields {
  const settings = servers.flatMap(({ name, config }) => (config === undefined ? [] : [[name, config] as const]));
  return settings.length === 0 ? {} : { sdkMcpServerConfigs: Object.fromEntries(settings) };
}

/** A manifest that cannot be made is no reason to fail: the agent asks, and the server answers then. */
function manifestOf(server: McpServer): McpManifest | undefined {
  try {
    const manifest: unknown = server.manifest?.();
    return isManifest(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is McpManifest {
  if (!isRecord(value) || !isRecord(value['initializeResult']) || !isRecord(value['toolsListResult'])) return false;
  return jsonCopy(value, { name: 'manifest' }).lost === undefined;
}
