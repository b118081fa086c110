import { McpServer as RealServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { hostServer, type CallToolResult, type ToolExtra } from '@hexagent/mcp-sdk-server';
import {
  createSdkMcpServer,
  openSession,
  tool,
  type McpServer,
  type Session,
  type SessionOptions,
} from '@hexagent/sdk';
import type { JsonRpcMessage } from '@hexagent/ports';
import { toolResults, toolUse, type ModelRequest } from '@hexagent/testing/loopback';
import type { Stage } from '../support/stage.ts';

export interface GivenTool {
  readonly name: string;
  readonly readOnly?: boolean;
  readonly run: (extra: ToolExtra) => unknown;
}

export const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

export function light(tools: readonly GivenTool[]): McpServer {
  const made = tools.map(({ name, run, readOnly = false }) =>
    tool(name, name, {}, async (_, extra) => (await run(extra)) as CallToolResult, {
      annotations: { readOnlyHint: readOnly },
    }),
  );
  return hostServer(createSdkMcpServer({ name: 'mine', tools: made }));
}

export function real(tools: readonly GivenTool[]): McpServer {
  const create = (): RealServer => {
    const server = new RealServer({ name: 'mine', version: '1' }, { capabilities: { logging: {} } });
    for (const { name, run, readOnly = false } of tools) {
      const config = { description: name, inputSchema: {}, annotations: { readOnlyHint: readOnly } };
      server.registerTool(name, config, async (_, extra) => (await run(extra as never)) as never);
    }
    return server;
  };
  return hostServer({ type: 'sdk', name: 'mine', create });
}

export const engines = [
  { engine: 'made by createSdkMcpServer()', serve: light },
  { engine: 'that is an McpServer of the MCP SDK', serve: real },
];

/** Calls these tools of the server at once in the first round of each turn, and keeps what the model reads of them. */
export function calling(names: readonly string[]): {
  script: (request: ModelRequest) => unknown;
  results: Map<string, string>;
} {
  const results = new Map<string, string>();
  let round = 0;
  return {
    results,
    script(request) {
      const given = toolResults(request);
      for (const { id, isError, text } of given)
        results.set(names[Number(id.split('_')[2])] ?? id, `${isError ? 'ERROR ' : ''}${text}`);
      if (given.length > 0) return 'done';
      round += 1;
      return names.map((name, index) => toolUse(`mcp__mine__${name}`, {}, `toolu_${round}_${index}`));
    },
  };
}

export const open = (place: Stage, server: McpServer, more: SessionOptions = {}): Promise<Session> =>
  openSession({ ...place.options, tools: [{ mine: server }], permissions: { allow: ['mcp__mine'] }, ...more });

/** The same server, and the methods that the agent asked of it. */
export function recorded(server: McpServer): {
  server: McpServer;
  asked: string[];
  send: (message: JsonRpcMessage) => Promise<void>;
} {
  const asked: string[] = [];
  let client: Parameters<McpServer['open']>[0] | undefined;
  return {
    asked,
    send: async (message) => await client?.send(message),
    server: {
      ...server,
      async open(given) {
        client = given;
        const session = await server.open(given);
        return {
          handle: (message, context) => (asked.push(message.method ?? ''), session.handle(message, context)),
          close: () => session.close(),
        };
      },
    },
  };
}
