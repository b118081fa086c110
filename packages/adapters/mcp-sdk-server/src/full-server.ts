/* oxlint-disable typescript/consistent-type-imports -- an import statement cannot be left out where the MCP SDK is missing */
import { errorText, isRecord } from '@hexagent/checks';
import { SdkError } from '@hexagent/ports';
import type { Arguments } from './arguments.ts';
import type { ConnectableServer } from './connectable.ts';
import type { Fields } from './json-rpc.ts';
import type { HostedTool, ServerDefinition } from './server-definition.ts';
import { failedResult, problemsText, type CallToolResult, type ToolExtra } from './tool.ts';

/** @ts-ignore The MCP SDK may not be installed. */
type OfficialServer = import('@modelcontextprotocol/sdk/server/mcp.js').McpServer;

/** The `McpServer` of the MCP SDK that is installed beside this package. Without one, its type has what sessions need. */
export type InstalledMcpServer = [unknown] extends [OfficialServer] ? ConnectableServer : OfficialServer;

const specifier = '@modelcontextprotocol/sdk/server/mcp.js';

/** The members of the MCP SDK's class that are used here. */
interface Registering {
  registerTool(
    name: string,
    config: Readonly<Record<string, unknown>>,
    handler: (args: Fields, extra: ToolExtra) => Promise<CallToolResult>,
  ): unknown;
}

/**
 * Makes an `McpServer` of the MCP SDK with the same tools.
 * @throws {SdkError} `MCP_SDK_MISSING` where the MCP SDK is not installed.
 */
export function toMcpServer({ name, version, instructions, tools }: ServerDefinition): InstalledMcpServer {
  const McpServer = load(name);
  // Declared, so that a program may register its first tool after the agent connected.
  const server = new McpServer({ name, version }, { capabilities: { tools: {} }, instructions });
  for (const tool of tools.values()) register(server, tool);
  return server;
}

function register(server: Registering, { definition, args, meta }: HostedTool): void {
  const { name, description, annotations } = definition;
  const described = { description, annotations, ...(meta === undefined ? {} : { _meta: meta }) };
  const { listed } = args;
  const inputSchema = typeof listed === 'function' ? definition.inputSchema : asZod(listed);
  const handler = async (given: Fields, extra: ToolExtra): Promise<CallToolResult> => {
    const { checkArguments } = await import('./sessions.ts');
    const checked = typeof listed === 'function' ? { value: given } : await checkArguments(args, given);
    if ('problems' in checked) return failedResult(problemsText(name, checked.problems));
    return await definition.handler(checked.value, extra);
  };
  server.registerTool(name, { ...described, inputSchema }, markedAs(definition.handler, handler));
}

/** With the marks of another function. Tracers mark what they have wrapped: without the mark, each call would be traced twice. */
function markedAs<Handler extends object>(marked: object, handler: Handler): Handler {
  const marks = Object.getOwnPropertySymbols(marked).map((mark) => [
    mark,
    Object.getOwnPropertyDescriptor(marked, mark),
  ]);
  return Object.defineProperties(handler, Object.fromEntries(marks));
}

/**
 * A schema of zod 4 that accepts any object and is listed as this one. The MCP SDK takes schemas of zod alone, and lists
 * them in an older dialect. The arguments are checked before the handler is called.
 */
function asZod(json: Exclude<Arguments['listed'], () => unknown>): object {
  const def = { type: 'object', shape: {} };
  return { _zod: { def, toJSONSchema: () => ({ ...json }), run: <Payload>(payload: Payload): Payload => payload } };
}

type ServerClass = new (info: object, options: object) => InstalledMcpServer & Registering;

function load(server: string): ServerClass {
  try {
    const found = loadModule();
    if (isRecord(found) && typeof found['McpServer'] === 'function') return found['McpServer'] as ServerClass; // of the MCP SDK
    throw new Error(`${specifier} has no McpServer`);
  } catch (cause) {
    throw new SdkError(
      'MCP_SDK_MISSING',
      `\`instance\` of the MCP server ${server} needs @modelcontextprotocol/sdk, which could not be loaded: ${errorText(cause)}`,
      { cause },
    );
  }
}

/**
 * Loads the very module that an `import` in the program loads, so that `instanceof` holds. Node's modules are taken here,
 * since an `import` of them would load them in every program that has a tool.
 */
function loadModule(): unknown {
  const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
  let file: string;
  try {
    file = process.getBuiltinModule('node:url').fileURLToPath(import.meta.resolve(specifier));
  } catch {
    // Resolved by a bundler, or by a runtime without `import.meta.resolve`.
    return require(specifier);
  }
  return require(file);
}
