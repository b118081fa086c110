/** A call of a tool, as far as a policy looks at it. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The MCP server that has the tool, under its own name, where that is known. */
  readonly server?: string | undefined;
  /** Whether the agent marks the call as a question to a person. */
  readonly needsPerson?: boolean | undefined;
}
