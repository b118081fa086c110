import {
  createSdkMcpServer as createServer,
  tool as createTool,
  type CallToolResult,
  type CreateSdkMcpServerOptions,
  type InferArgs,
  type SdkMcpToolDefinition,
  type ToolExtra,
  type ToolExtras,
  type ToolSchema,
  type ToolServerConfig,
} from '@hexagent/mcp-sdk-server';
import {
  description as checkDescription,
  handler as checkHandler,
  ownServer,
  toolExtras,
  toolName,
} from './checks/own-server.ts';

/**
 * Puts tools into a server that runs in this process.
 * @throws {TypeError} for an option that is unknown or invalid, and for a tool that could not be served, naming it.
 */
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): ToolServerConfig {
  return createServer(ownServer(options, ''));
}

/**
 * Describes a tool that runs in this process.
 * @throws {TypeError} for an argument that is unknown or invalid, naming it.
 * @example
 * const add = tool('add', 'Adds two numbers', { a: z.number(), b: z.number() }, ({ a, b }) => ({
 *   content: [{ type: 'text', text: String(a + b) }],
 * }));
 */
export function tool<Schema extends ToolSchema>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: (args: InferArgs<Schema>, extra: ToolExtra) => Promise<CallToolResult> | CallToolResult,
  extras: ToolExtras = {},
): SdkMcpToolDefinition<Schema> {
  toolName(name, 'name');
  checkDescription(description, 'description');
  checkHandler(handler, 'handler');
  return createTool(name, description, inputSchema, handler, toolExtras(extras, 'extras'));
}
