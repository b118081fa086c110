import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { mcpServerContract, type ContractTool } from '@hexagent/testing/contracts';
import { afterAll, describe, it } from 'vitest';
import { external, type ExternalServer } from '../src/index.ts';
import { startWeb, type Handler, type Web } from './web.ts';

const webs: Web[] = [];
const servers: ExternalServer[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await Promise.all(webs.map((web) => web.stop()));
});

describe('#58 A server of external()', () => {
  mcpServerContract(
    { describe, it },
    {
      async createServer(tools) {
        const web = await startWeb(serving(tools));
        webs.push(web);
        const server = external({ name: 'calc', url: web.url });
        servers.push(server);
        return server;
      },
      hasManySessions: true,
    },
  );
});

function serving(tools: readonly ContractTool[]): Handler {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known !== undefined) return await known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await calc(tools).connect(transport);
    return await transport.handleRequest(request, response);
  };
}

function calc(tools: readonly ContractTool[]): Server {
  const server = new Server({ name: 'calc', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: args = {} } = params;
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`No tool ${name}`);
    const wrong = Object.entries(tool.args).find(([key, type]) => typeof args[key] !== type);
    if (wrong !== undefined) throw new Error(`${wrong[0]} must be a ${wrong[1]}`);
    const { signal, _meta } = extra;
    const sendNotification = extra.sendNotification as Parameters<ContractTool['run']>[1]['sendNotification'];
    return (await tool.run(args, { signal, _meta, sendNotification })) as never; // the suite returns nonsense too
  });
  return server;
}

function listed({ name, description, args, annotations, _meta }: ContractTool) {
  const properties = Object.fromEntries(Object.entries(args).map(([key, type]) => [key, { type }]));
  const inputSchema = { type: 'object' as const, properties, required: Object.keys(args) };
  return { name, description, inputSchema, annotations: { ...annotations }, _meta: { ..._meta } };
}
