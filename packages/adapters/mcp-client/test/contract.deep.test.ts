import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { mcpServerContract, type ContractTool } from '@hexagent/testing/contracts';
import { afterAll, describe, it } from 'vitest';
import { external, type ExternalOptions, type ExternalServer } from '../src/index.ts';
import { servingOlder, startWeb, type Handler } from './web.ts';

const closing: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  // The servers that were dialled before what they dial.
  for (const close of closing.toReversed()) await close();
});

function closedAfterwards<T>(value: T, close: (value: T) => Promise<unknown>): T {
  closing.push(() => close(value));
  return value;
}

const dialled = (options: ExternalOptions): ExternalServer =>
  closedAfterwards(external(options), (server) => server.close());

const web = async (handler: Handler): Promise<string> =>
  closedAfterwards(await startWeb(handler), (started) => started.stop()).url;

describe.each<[string, (tools: readonly ContractTool[]) => Promise<ExternalServer>]>([
  ['over streamable HTTP', async (tools) => dialled({ name: 'calc', url: await web(serving(tools)) })],
  [
    'over server-sent events',
    async (tools) => dialled({ name: 'calc', type: 'sse', url: await web(servingOlder(() => calc(tools))) }),
  ],
  [
    'over standard streams',
    async (tools) => dialled({ name: 'calc', command: process.execPath, args: ['-e', relayTo(await listen(tools))] }),
  ],
])('#57 #58 A server of external() %s', (_, createServer) => {
  mcpServerContract({ describe, it }, { createServer, hasManySessions: true });
});

/** The tools of the suite are functions of this process, so the program that is started hands its streams on to here. */
const relayTo = (port: number): string =>
  `const socket = require('node:net').connect(${port}, '127.0.0.1'); process.stdin.pipe(socket).pipe(process.stdout)`;

async function listen(tools: readonly ContractTool[]): Promise<number> {
  const server = createNetServer((socket) => {
    socket.on('error', () => {}); // the program was ended
    void calc(tools).connect(new StdioServerTransport(socket, socket));
  }).listen(0, '127.0.0.1');
  closedAfterwards(server, async (listening) => await promisify(listening.close.bind(listening))());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // it listens on TCP
}

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
    const result = await tool.run(args, { signal, _meta, sendNotification });
    JSON.stringify(result); // what throws here is lost without an answer in the MCP SDK, over anything but streamable HTTP
    return result as never; // the suite returns nonsense too
  });
  return server;
}

function listed({ name, description, args, annotations, _meta }: ContractTool) {
  const properties = Object.fromEntries(Object.entries(args).map(([key, type]) => [key, { type }]));
  const inputSchema = { type: 'object' as const, properties, required: Object.keys(args) };
  return { name, description, inputSchema, annotations: { ...annotations }, _meta: { ..._meta } };
}
