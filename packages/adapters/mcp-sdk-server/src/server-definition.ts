import { isRecord } from '@hexagent/checks';
import type { McpManifest } from '@hexagent/ports';
import { argumentsOf, type Arguments } from './arguments.ts';
import type { Fields } from './json-rpc.ts';
import { protocolVersions } from './introduction-problem.ts';
import type { JsonSchema, ToolSchema } from './schema.ts';
import { alwaysLoaded, type SdkMcpToolDefinition, type ToolAnnotations } from './tool.ts';

export interface CreateSdkMcpServerOptions {
  readonly name: string;
  /** Default `1.0.0`. */
  readonly version?: string | undefined;
  /** Text for the model beside the tools. */
  readonly instructions?: string | undefined;
  readonly tools?: readonly SdkMcpToolDefinition[] | undefined;
  /** Put all tools into every prompt instead of letting the agent look them up. */
  readonly alwaysLoad?: boolean | undefined;
  /** How long one call of a tool may take, in milliseconds. Left out: as long as the agent allows. */
  readonly timeout?: number | undefined;
}

/** A server's tools, checked and ready to serve any number of sessions. */
export interface ServerDefinition {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
  readonly tools: ReadonlyMap<string, HostedTool>;
}

export interface HostedTool {
  readonly definition: SdkMcpToolDefinition;
  readonly args: Arguments;
  readonly meta: Fields | undefined;
}

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Fields;
  readonly annotations?: ToolAnnotations;
  readonly _meta?: Fields;
}

/**
 * @throws {TypeError} for a server or a tool that could not be served, naming it.
 */
export function defineServer(options: CreateSdkMcpServerOptions): ServerDefinition {
  if (!isRecord(options)) throw new TypeError('An MCP server is made of an object such as { name, tools }.');
  const { name, version = '1.0.0', instructions, alwaysLoad } = options;
  if (typeof name !== 'string') throw new TypeError('An MCP server needs a name.');
  const hosted = new Map<string, HostedTool>();
  for (const definition of toolsOf(options)) {
    checkTool(definition, name);
    if (hosted.has(definition.name))
      throw new TypeError(`The MCP server ${name} has two tools called ${definition.name}.`);
    const meta = alwaysLoad === true ? { ...alwaysLoaded, ...definition._meta } : definition._meta;
    hosted.set(definition.name, {
      definition,
      args: argumentsOf(schemaOf(definition), `The schema of the tool ${definition.name}`),
      meta,
    });
  }
  return { name, version, instructions, tools: hosted };
}

/** The answer to `initialize`, in the version that was asked for or else in the newest. */
export function introduce({ name, version, instructions }: ServerDefinition, asked?: string): Fields {
  return {
    protocolVersion: protocolVersions.find((known) => known === asked) ?? protocolVersions[0],
    capabilities: { tools: {} },
    serverInfo: { name, version },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** `undefined` where zod has to be loaded first, which the agent does not wait for. */
export function manifestOf(definition: ServerDefinition): McpManifest | undefined {
  const tools = [...definition.tools.values()].map((tool) =>
    typeof tool.args.listed === 'function' ? undefined : listedTool(tool, tool.args.listed),
  );
  if (tools.includes(undefined)) return undefined;
  return {
    initializeResult: introduce(definition),
    toolsListResult: { tools: tools.filter((tool) => tool !== undefined) },
  };
}

/** As in the official package, a tool without a schema takes no arguments. */
const schemaOf = ({ inputSchema }: { readonly inputSchema?: ToolSchema }): ToolSchema =>
  inputSchema === undefined ? {} : inputSchema;

/** As in the official package, a falsy value means no tools. */
function toolsOf({ name, tools }: CreateSdkMcpServerOptions): Iterable<SdkMcpToolDefinition> {
  const given: unknown = tools;
  if (!given) return [];
  if (tools !== undefined && typeof given === 'object' && Symbol.iterator in given) return tools;
  throw new TypeError(`\`tools\` of the MCP server ${name} must be a list of what tool() makes.`);
}

export async function listTools({ tools }: ServerDefinition): Promise<readonly ListedTool[]> {
  return await Promise.all([...tools.values()].map(listTool));
}

async function listTool(tool: HostedTool): Promise<ListedTool> {
  const { listed } = tool.args;
  return listedTool(tool, typeof listed === 'function' ? await listed() : listed);
}

function listedTool({ definition, meta }: HostedTool, inputSchema: JsonSchema): ListedTool {
  const { name, description, annotations } = definition;
  return {
    name,
    description,
    inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

function checkTool(value: unknown, server: string): void {
  if (!isRecord(value))
    throw new TypeError(`The MCP server ${server} has a tool that is no object; make it with tool().`);
  const { name, description, handler } = value;
  if (typeof name !== 'string' || name === '')
    throw new TypeError(`The MCP server ${server} has a tool without a name.`);
  if (description !== undefined && typeof description !== 'string')
    throw new TypeError(`The description of the tool ${name} must be a string: the model chooses the tool by it.`);
  if (typeof handler !== 'function') throw new TypeError(`The tool ${name} needs a function as its handler.`);
}
