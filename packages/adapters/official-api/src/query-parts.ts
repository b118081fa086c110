import type {
  Conversations,
  DialogHost,
  Elicitor,
  HookTable,
  Launcher,
  LaunchOptions,
  PermissionGate,
  SessionFeature,
  WarningListener,
} from '@hexagent/ports';
import type { AgentChoice } from './agent-choice.ts';
import type { InProcessServers, QueryServers } from './query-servers.ts';
import type { StoreParts } from './store-start.ts';

/** What a program answers itself, by its options. */
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
