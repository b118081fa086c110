import { McpServer as RealServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { McpServer } from '@hexagent/ports';
import type { ContractTool, McpServerFixture } from '@hexagent/testing/contracts';
import { createSdkMcpServer, hostServer, tool, type CallToolResult, type SdkMcpToolDefinition } from '../src/index.ts';

const shapeOf = ({ args }: ContractTool): Record<string, z.ZodNumber | z.ZodString> =>
  Object.fromEntries(Object.entries(args).map(([name, type]) => [name, type === 'number' ? z.number() : z.string()]));

const toDefinition = (given: ContractTool): SdkMcpToolDefinition => ({
  ...tool(
    given.name,
    given.description,
    shapeOf(given),
    async (args, extra) => (await given.run(args, extra)) as CallToolResult,
    {
      annotations: given.annotations,
    },
  ),
  _meta: given._meta,
});

const made = (tools: readonly ContractTool[]): ReturnType<typeof createSdkMcpServer> =>
  createSdkMcpServer({ name: 'calc', tools: tools.map(toDefinition) });

function register(server: RealServer, given: ContractTool): void {
  const { name, description, annotations, _meta } = given;
  const config = { description, annotations: { ...annotations }, inputSchema: shapeOf(given), _meta: { ..._meta } };
  server.registerTool(name, config, async (args, { signal, _meta, sendNotification }) => {
    const extra = {
      signal,
      _meta,
      sendNotification: sendNotification as Parameters<ContractTool['run']>[1]['sendNotification'],
    };
    return (await given.run(args, extra)) as never; // the suite returns nonsense too
  });
}

function real(tools: readonly ContractTool[]): RealServer {
  const instance = new RealServer({ name: 'calc', version: '1.0.0' });
  for (const given of tools) register(instance, given);
  return instance;
}

/** The real servers behind ports, so that tools can be added. */
const instances = new WeakMap<McpServer, RealServer>();

function port(server: McpServer, instance: RealServer): McpServer {
  instances.set(server, instance);
  return server;
}

const addTool: McpServerFixture['addTool'] = (server, given) => {
  const instance = instances.get(server);
  if (instance !== undefined) register(instance, given);
};

/** Every way to a server in this process. */
export const engines: readonly { readonly engine: string; readonly fixture: McpServerFixture }[] = [
  {
    engine: 'made by createSdkMcpServer()',
    fixture: { createServer: (tools) => hostServer(made(tools)), hasManySessions: true },
  },
  {
    engine: 'made by createSdkMcpServer() whose instance was read',
    fixture: {
      createServer(tools) {
        const config = made(tools);
        const { instance } = config;
        return port(hostServer(config), instance);
      },
      addTool,
      hasManySessions: false,
    },
  },
  {
    engine: "that is the user's own McpServer",
    fixture: {
      createServer(tools) {
        const instance = real(tools);
        return port(hostServer({ type: 'sdk', name: 'calc', instance }), instance);
      },
      addTool,
      hasManySessions: false,
    },
  },
  {
    engine: "whose config makes the user's own McpServer for each session",
    fixture: {
      createServer: (tools) => hostServer({ type: 'sdk', name: 'calc', create: () => real(tools) }),
      hasManySessions: true,
    },
  },
];
