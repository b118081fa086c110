import type { McpToolPolicy } from '../mcp.ts';

/** An MCP server that the CLI itself starts or dials. */
export type DialledServer =
  | (DialledServerSettings & {
      /** The CLI starts it as a program; the default. */
      readonly type?: 'stdio' | undefined;
      /** The program. */
      readonly command: string;
      /** Its arguments. Default: none. */
      readonly args?: readonly string[] | undefined;
      /** Variables beside those of the CLI. */
      readonly env?: Readonly<Record<string, string>> | undefined;
    })
  | (DialledServerSettings & {
      /** The CLI reaches it over the network, by streamable HTTP or by server-sent events. */
      readonly type: 'http' | 'sse';
      /** Where it is. */
      readonly url: string;
      /** Sent with each request, such as a token. */
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** What may be done with single tools of the server. */
      readonly tools?: readonly McpToolPolicy[] | undefined;
    });

/** Settings of every server that the CLI dials. */
export interface DialledServerSettings {
  /** How long one call of a tool may take, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Put the server's tools into every prompt instead of letting the agent look them up. */
  readonly alwaysLoad?: boolean | undefined;
}

/**
 * The form of a server in a request that adds servers while the agent runs. The agent refuses a program without `args` there
 * as not iterable, although it accepts one at its start.
 */
export function withArgs<Server extends object>(server: Server): Server & { readonly args?: readonly string[] } {
  return 'command' in server && (!('args' in server) || server.args === undefined) ? { ...server, args: [] } : server;
}
