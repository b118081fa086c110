import type {
  AgentProtocol,
  Clock,
  CommandReader,
  Conversations,
  FrameParser,
  HookDispatcher,
  HookTable,
  Ids,
  Launcher,
  Observer,
  PermissionGate,
  SessionFeature,
  Transport,
  WarningListener,
} from '@hexagent/ports';
import type { PermissionServiceOptions } from '@hexagent/permissions';

/** The parts an SDK is made of. Each may be replaced by another that keeps its port's promises. */
export interface Parts {
  /** Reaches agents. Default: a child process on this machine. */
  readonly transport?: Transport | undefined;
  /** Runs the agent's protocol. Default: that of the Claude Code CLI. */
  readonly protocol?: AgentProtocol | undefined;
  /** Reads and writes single lines. Default: JSON, checked. */
  readonly parser?: FrameParser | undefined;
  /** Turns options into arguments, environment and introduction. Default: those of the Claude Code CLI. */
  readonly launcher?: Launcher | undefined;
  /** Reads which commands a shell may run, for rules. Default: for Bash and its kin, and for PowerShell. */
  readonly commands?: CommandReader | undefined;
  /** Time. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Names for requests and messages. Default: counted and random ones. */
  readonly ids?: Ids | undefined;
  /** Makes what decides about the tools of one session, of its rules and of who is asked. Default: the rules of this SDK. */
  readonly gate?: ((options: PermissionServiceOptions) => PermissionGate) | undefined;
  /** Makes what runs the hooks of one session. Default: calls them as the agent asks for them. */
  readonly dispatcher?: ((hooks: HookTable) => HookDispatcher) | undefined;
  /** Makes what each session can do beside, anew for each. Default: nothing. */
  readonly features?: (() => readonly SessionFeature[]) | undefined;
  /** Wraps what opens the conversations of every call: it sees how each is opened, and may change it. Default: nothing. */
  readonly conversations?: ((inner: Conversations) => Conversations) | undefined;
  /** Sees every frame and every event. Default: none. */
  readonly observer?: Observer | undefined;
  /**
   * Receives what no promise reports: callbacks that fail, servers that fail, callbacks that cannot be reached. Default:
   * `process.emitWarning`, once for each source; an `observer` sees failures itself, so with one only the others.
   */
  readonly onWarning?: WarningListener | undefined;
}
