/** A server that is started as a process and spoken to over its standard streams. */
export interface StdioServer {
  /** For messages about failures. The agent knows the server by its key in `mcpServers`: its tools are `mcp__<key>__<tool>`. */
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to the few variables a program needs (`PATH`, `HOME` and the like); nothing else of ours is passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Default: where this process works. */
  readonly cwd?: string | undefined;
}
