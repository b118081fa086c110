import {
  anyText,
  callable,
  type Check,
  dictionary,
  flag,
  inside,
  kindOf,
  list,
  number,
  read,
  record,
  refuse,
  text,
} from '@hexagent/checks';
import type {
  CallToolResult,
  CreateSdkMcpServerOptions,
  SdkMcpToolDefinition,
  ToolExtra,
  ToolExtras,
} from '@hexagent/mcp-sdk-server';

export const toolName: Check<string> = text('the name of the tool');
export const description: Check<string> = text('a string, from which the model chooses the tool', /^/);
export const handler: Check<(args: never, extra: ToolExtra) => Promise<CallToolResult> | CallToolResult> = callable();

/** A tool may be an object of a class, so it is handed on as it is. Its schema is checked when the tool is prepared. */
export const ownTool: Check<SdkMcpToolDefinition> = (value, place) => {
  if (typeof value !== 'object' || value === null) throw refuse(place, 'what tool() makes', kindOf(value));
  for (const [key, check] of Object.entries({ name: toolName, description, handler }))
    check(read(value, key, inside(place, key)), inside(place, key));
  const schema = read(value, 'inputSchema', inside(place, 'inputSchema'));
  if (schema === undefined) throw refuse(inside(place, 'inputSchema'), 'a shape, or {} for no arguments', 'undefined');
  return value as SdkMcpToolDefinition; // as far as it can be seen before it is listed
};

/** What `createSdkMcpServer()` takes. */
export const ownServer: Check<CreateSdkMcpServerOptions> = record<CreateSdkMcpServerOptions>(
  {
    name: text('the name of the server'),
    version: text(),
    instructions: anyText,
    tools: list(ownTool, 'a list of what tool() makes'),
    alwaysLoad: flag,
    timeout: number({ least: 0, whole: true }),
  },
  {
    required: ['name'],
    called: 'options',
    wanted: '{ name, tools }',
    elsewhere: { instruction: 'instructions', timeoutMs: 'timeout' },
  },
);

const anything: Check<unknown> = (value) => value;

/** What `tool()` takes beside the rest. Annotations of a newer MCP pass through. */
export const toolExtras: Check<ToolExtras> = record<ToolExtras>({
  annotations: dictionary(anything),
  searchHint: anyText,
  alwaysLoad: flag,
});
