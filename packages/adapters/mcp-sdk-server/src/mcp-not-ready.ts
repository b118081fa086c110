import { SdkError, type Exit } from '@hexagent/ports';

/** How an MCP server of a session is. */
export interface McpServerState {
  /** Its key in `mcpServers`, or the name that a settings file or a plugin gives it. */
  readonly name: string;
  /**
   * `pending`: the agent is connecting. `failed` and `needs-auth` stay until `reconnect()`; `disabled` until `toggle()`.
   * A server in this process that broke after it was connected has the state `connected` and an `error`.
   */
  readonly state: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';
  /** What is wrong with it: of a server in this process its own reason, else the agent's error, and how a person signs in. */
  readonly error?: string | undefined;
  /** The page on which a person signs in, where a server of `external()` named one. */
  readonly authUrl?: string | undefined;
  /** How the process of a server of `external()` left, with the end of its error stream. */
  readonly exit?: Exit | undefined;
  /** The HTTP status that a server of `external()` answered with. */
  readonly httpStatus?: number | undefined;
  /** The names of its tools, as the server calls them. Left out until the server has listed them. */
  readonly tools?: readonly string[] | undefined;
  /** Whether this process runs or dials it; else the agent does. */
  readonly isHosted: boolean;
}

/** Servers that were waited for are not connected. */
export class McpNotReady extends SdkError {
  override readonly name: string = 'McpNotReady';
  /** Each server that is not ready. */
  readonly servers: readonly McpServerState[];

  constructor(message: string, servers: readonly McpServerState[], options?: ErrorOptions) {
    super('MCP_NOT_READY', message, options);
    this.servers = servers;
  }
}

/** Whether a server works: it is connected and reports no error. */
export const isReady = ({ state, error }: McpServerState): boolean => state === 'connected' && error === undefined;

/** Describes the state of each server, and why. */
export function notReady(servers: readonly McpServerState[], waitedMs?: number, cause?: unknown): McpNotReady {
  const each = servers.map(({ name, state, error }) => `${name} is ${state}${error === undefined ? '' : `: ${error}`}`);
  const waited = waitedMs === undefined ? '' : ` after ${waitedMs} ms`;
  const which = each.length === 0 ? 'The agent did not report their state.' : each.join('; ');
  return new McpNotReady(`MCP servers are not ready${waited}: ${which}`, servers, { cause });
}
