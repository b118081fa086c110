/*
 * The messages of MCP, as the MCP SDK types them: a program that has a copy of it can pass them, and none is required.
 */

/** A message of MCP, in either direction. */
export type JsonRpcMessage = Request | Notification | Result | Failure;

/** Metadata of MCP about a message. */
export type Meta = {
  [key: string]: unknown;
  progressToken?: string | number | undefined;
  'io.modelcontextprotocol/related-task'?: { taskId: string } | undefined;
};

type Id = string | number;

type Fields = { [name: string]: unknown; _meta?: Meta | undefined };

type Notification = { jsonrpc: '2.0'; method: string; params?: Fields | undefined };

type Request = Notification & { id: Id };

type Result = { jsonrpc: '2.0'; id: Id; result: Fields };

type Failure = {
  jsonrpc: '2.0';
  id?: Id | undefined;
  error: { code: number; message: string; data?: unknown };
};
