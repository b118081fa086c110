import {
  isRecord,
  jsonCopy,
  type InitializeFields,
  type McpManifest,
  type McpServer,
  type SessionFeature,
} from '@hexagent/ports';
import { ServerFailures } from './server-failures.ts';
import { ServerSessions } from './server-sessions.ts';

/**
 * Shows servers of this process to the agent, and closes their sessions with the conversation.
 * @throws {TypeError} when two of them share a name.
 */
export function inProcessServers(servers: readonly McpServer[]): SessionFeature {
  const failures = new ServerFailures();
  const sessions = new ServerSessions({ servers, failures });
  return {
    name: 'in-process servers',
    // They exist for the agent only if `initialize` names them.
    initialize: { sdkMcpServers: servers.map(({ name }) => name), ...settingsOf(servers), ...manifestsOf(servers) },
    handlers: { mcp_message: (request, context) => sessions.handle(request, context) },
    // The agent knows that a server failed, and not why.
    amend: { mcp_status: (answer) => failures.explain(answer) },
    attach(control) {
      failures.attach(control);
      sessions.attach(control);
    },
    close: () => sessions.close(),
  };
}

/** What the agent holds servers to; without it a tool that must not run is called like any other. */
function settingsOf(servers: readonly McpServer[]): InitializeFields {
  const settings = servers.flatMap(({ name, config }) => (config === undefined ? [] : [[name, config] as const]));
  return settings.length === 0 ? {} : { sdkMcpServerConfigs: Object.fromEntries(settings) };
}

/** They spare each server the handshake, which the first turn would wait for. */
function manifestsOf(servers: readonly McpServer[]): InitializeFields {
  const manifests = servers.flatMap((server) => {
    const manifest = manifestOf(server);
    return manifest === undefined ? [] : [[server.name, manifest] as const];
  });
  return manifests.length === 0 ? {} : { sdkMcpServerManifests: Object.fromEntries(manifests) };
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
