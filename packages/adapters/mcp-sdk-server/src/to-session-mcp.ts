import { withHandledPromises } from '@hexagent/async';
import { flag, serverInToolNames, text } from '@hexagent/checks';
import { SdkError, type McpResource } from '@hexagent/ports';
import { callOptions, readyOptions, serverTable, toolArguments } from './session-mcp-checks.ts';
import { askHosted, toolResultOf } from './hosted-calls.ts';
import { knownServersOf, type KnownServers, type McpOfSession } from './known-servers.ts';
import { setServers } from './mcp-changes.ts';
import { notReady } from './mcp-not-ready.ts';
import type { SessionMcp } from './session-mcp.ts';
import { waitUntilReady } from './mcp-readiness.ts';

export function toSessionMcp(given: McpOfSession): SessionMcp {
  const servers = knownServersOf(given);
  return withHandledPromises<SessionMcp>({
    ready: async (options = {}) => await waitUntilReady(servers, readyOptions(options, 'options')),
    status: async () => await servers.status(),
    ...questionsTo(servers),
    ...changesOf(servers),
  });
}

function questionsTo(servers: KnownServers): Pick<SessionMcp, 'call' | 'readResource'> {
  const { conversation, hosted, known } = servers;
  return {
    call: async (server, tool, args = {}, options = {}) => {
      const [name, called] = [await known(server), text('the name of a tool')(tool, 'tool')];
      const [fields, limits] = [toolArguments(args, 'args'), callOptions(options, 'options')];
      if (hosted.get(name) !== undefined) {
        const params = { name: called, arguments: fields };
        return toolResultOf(await askHosted(servers, { name, method: 'tools/call', params }, limits), called);
      }
      const request = { tool: `${serverInToolNames(name)}__${called}`, arguments: fields };
      return toolResultOf(await conversation.control('mcp_call', request, limits), called);
    },
    readResource: async (server, uri, options = {}) => {
      const [name, address] = [await known(server), text('the address of a resource')(uri, 'uri')];
      const limits = callOptions(options, 'options');
      if (hosted.get(name) === undefined)
        return await conversation.control('mcp_read_resource', { serverName: name, uri: address }, limits);
      const question = { name, method: 'resources/read', params: { uri: address } };
      return (await askHosted(servers, question, limits)) as McpResource; // as MCP has it
    },
  };
}

function changesOf(servers: KnownServers): Pick<SessionMcp, 'reconnect' | 'toggle' | 'setServers'> {
  const { conversation, hosted, known } = servers;
  return {
    reconnect: async (server) => {
      const name = await known(server);
      if (hosted.get(name) === undefined) await conversation.control('mcp_reconnect', { serverName: name });
      else await reconnectHosted(servers, name);
    },
    toggle: async (server, enabled) => {
      const isOn = flag(enabled, 'enabled');
      await conversation.control('mcp_toggle', { serverName: await known(server), enabled: isOn });
    },
    setServers: async (given) => await setServers(servers, serverTable(given, 'servers')),
  };
}

/** The agent refuses `mcp_reconnect` for these; turning on what is on makes it introduce itself again. */
async function reconnectHosted(servers: KnownServers, name: string): Promise<void> {
  const now = (await servers.status()).filter((server) => server.name === name);
  if (now.some(({ state }) => state === 'disabled')) throw notReady(now);
  await servers.conversation.control('mcp_toggle', { serverName: name, enabled: true }).catch((error: unknown) => {
    // The states have the reason of the failure, and the refusal does not.
    if (!SdkError.is(error) || error.code !== 'REQUEST_FAILED') throw error;
  });
  await waitUntilReady(servers, { servers: [name] });
}
