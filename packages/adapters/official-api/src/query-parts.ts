import type {
  Conversations,
  DialogHost,
  Elicitor,
  HookTable,
  Launcher,
  LaunchOptions,
  PermissionGate,
  SessionFeature,
  Transport,
  WarningListener,
} from '@hexagent/ports';
import type { StoreParts } from './store-start.ts';
import type { McpSdkServerConfigWithInstance } from './types/mcp.ts';
import type { SpawnedProcess, SpawnOptions } from './types/process.ts';

/** The callbacks in the options of a program. */
export interface QueryCallbacks {
  readonly canUseTool?: PermissionGate['decide'] | undefined;
  readonly hooks?: HookTable | undefined;
  /** Connects the agent with servers of this process. */
  readonly hosted?: SessionFeature | undefined;
  readonly elicitor?: Elicitor | undefined;
  readonly dialogs?: (DialogHost & { readonly kinds: readonly string[] | undefined }) | undefined;
}

/** The parts that the drop-in face needs. */
export interface QueryParts extends StoreParts {
  readonly conversations: (agent: AgentChoice) => Conversations;
  readonly launcher: Launcher;
  /** Makes the features of one query from the callbacks of the program and the options of the launch. */
  readonly features: (callbacks: QueryCallbacks, launch: LaunchOptions) => readonly SessionFeature[];
  /**
   * Hosts the servers of this process that one query begins with, by their names in `mcpServers`.
   * @throws {TypeError} for what is not a server.
   */
  readonly host: (servers: InProcessServers) => QueryServers;
  /** The environment of a query that names none. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Where the agent writes its log, if the environment of this process asks for one. */
  readonly debugFile: () => string | undefined;
  /** Receives warnings for the author of the program about problems that are not thrown. */
  readonly warn: WarningListener;
}

/** How one query reaches its agent; the composition root chooses what is absent. */
export interface AgentChoice {
  readonly transport?: Transport | undefined;
  /** Starts the CLI in another way. */
  readonly spawn?: ((options: SpawnOptions) => SpawnedProcess) | undefined;
  /** The CLI to run. */
  readonly executable?: string | undefined;
  /** What runs it when it is a JavaScript file. */
  readonly interpreter?: 'bun' | 'deno' | 'node' | undefined;
  readonly interpreterArgs?: readonly string[] | undefined;
  readonly onStderr?: ((text: string) => void) | undefined;
}

/** Servers in this process, by their names in `mcpServers`. */
export type InProcessServers = Readonly<Record<string, McpSdkServerConfigWithInstance>>;

/** The servers of this process that one query has. */
export interface QueryServers {
  /** Connects the agent with them. */
  readonly feature: SessionFeature;
  names(): readonly string[];
  /**
   * Replaces them, by name. `announce` is given what the agent receives of them; when it fails, nothing has changed.
   * @throws {TypeError} for what is not a server.
   */
  change<T>(servers: InProcessServers, announce: (configs: HostedConfigs) => Promise<T>): Promise<T>;
}

/** The configs of servers in this process, as the agent receives them. */
export type HostedConfigs = Readonly<Record<string, { readonly type: 'sdk'; readonly name: string }>>;
