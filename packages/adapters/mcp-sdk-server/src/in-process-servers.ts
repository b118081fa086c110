import { isRecord, jsonCopy } from '@hexagent/checks';
import type {
  Clock,
  FeatureControl,
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
export function hostServers(servers: readonly McpServer[], parts: HostingParts): HostedServers {
  const hosting = new Hosting(servers, parts);
  return {
    feature: featureOf(hosting),
    get: (name) => hosting.current?.sessions.server(name),
    names: () => hosting.current?.sessions.names ?? [],
    why: (name) => hosting.current?.failures.why(name),
    ask: (...question) => hosting.made.sessions.ask(...question),
    change: (...change) => hosting.made.changes.change(...change),
    config: (name) => ({ type: 'sdk', name, ...hosting.current?.sessions.server(name)?.config }),
  };
}

interface Hosted {
  readonly failures: ServerFailures;
  readonly sessions: ServerSessions;
  readonly changes: ServerChanges;
}

/** Made with the first server: most conversations never have one, and each of them would hold some 3 KB for it. */
class Hosting {
  /** `undefined` as long as there was no server. */
  current: Hosted | undefined;
  readonly #clock: Clock;
  #control: FeatureControl | undefined;

  constructor(servers: readonly McpServer[], { clock }: HostingParts) {
    this.#clock = clock;
    if (servers.length > 0) this.#make(servers);
  }

  get made(): Hosted {
    return this.current ?? this.#make([]);
  }

  /** They spare each server the handshake, which the first turn would wait for. */
  manifests(): InitializeFields {
    const { sessions } = this.made;
    const manifests = sessions.servers.flatMap((server) => {
      const manifest = manifestOf(server);
      return manifest === undefined ? [] : [[server.name, manifest] as const];
    });
    for (const manifest of manifests) sessions.hasManifest(...manifest);
    return manifests.length === 0 ? {} : { sdkMcpServerManifests: Object.fromEntries(manifests) };
  }

  attach(control: FeatureControl): void {
    this.#control = control;
    this.current?.failures.attach(control);
    this.current?.sessions.attach(control);
  }

  #make(servers: readonly McpServer[]): Hosted {
    const failures = new ServerFailures();
    const sessions = new ServerSessions({ servers, failures, clock: this.#clock });
    this.current = { failures, sessions, changes: new ServerChanges(sessions) };
    if (this.#control !== undefined) this.attach(this.#control);
    return this.current;
  }
}

function featureOf(hosting: Hosting): SessionFeature {
  return {
    name: 'in-process servers',
    // Read again where the agent is initialized again: other servers may be there by then.
    get initialize() {
      const servers = hosting.current?.sessions.servers ?? [];
      // They exist for the agent only if `initialize` names them.
      const names = servers.map(({ name }) => name);
      return names.length === 0 ? {} : { sdkMcpServers: names, ...settingsOf(servers), ...hosting.manifests() };
    },
    mayBeAsked: () => hosting.current?.sessions.hasAny === true,
    handlers: { mcp_message: (request, context) => hosting.current?.sessions.handle(request, context) ?? null },
    // The agent reports that a server failed, and not why.
    amend: { mcp_status: (answer) => hosting.current?.failures.explain(answer) ?? answer },
    attach: (control) => hosting.attach(control),
    close: async () => await hosting.current?.sessions.close(),
  };
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
