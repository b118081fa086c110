// Every contract suite over a part that keeps its promises: a double of `@hexagent/testing`, or what a program has by default.
import { MemoryApprovalStore } from '@hexagent/approvals';
import { toLaunch } from '@hexagent/cli-launch';
import { HookService } from '@hexagent/hooking';
import { MemoryDirectory, MemoryLeases, MemoryLog, MemoryOutbox, MemoryPlaces, MemorySignals } from '@hexagent/hosting';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { createSdkMcpServer, hostServer, tool } from '@hexagent/mcp-sdk-server';
import { wireParser } from '@hexagent/parser';
import { createSdk } from '@hexagent/sdk';
import { InMemorySessionStore } from '@hexagent/sdk/claude-agent-sdk';
import { ConversationService } from '@hexagent/streaming';
import {
  allowAll,
  answering,
  CountedIds,
  fencedTranscripts,
  gate,
  HandChats,
  HandClock,
  linkedTransport,
  plainCommands,
  reply,
  ScriptedGate,
  scriptedAgent,
} from '@hexagent/testing';
import * as contracts from '@hexagent/testing/contracts';

const { agentsByHand, linkedAgents } = contracts;

function openChats(room) {
  const chats = new HandChats({ room });
  return { sessions: chats, history: chats, approvals: chats, ...agentsByHand(chats) };
}
const chats = { open: () => openChats(), openSmall: () => openChats(2) };

const createServer = (tools) =>
  hostServer(
    createSdkMcpServer({
      name: 'calc',
      tools: tools.map(({ name, description, args, run, annotations, _meta }) => {
        const properties = Object.fromEntries(Object.entries(args).map(([key, type]) => [key, { type }]));
        const schema = { type: 'object', properties, required: Object.keys(args) };
        return { ...tool(name, description, schema, async (...given) => run(...given), { annotations }), _meta };
      }),
    }),
  );

function createOpener() {
  const turns = ({ message }) => (message.content === 'wait' ? reply.hold(gate()) : 'answered');
  const { openSession } = createSdk({ transport: linkedTransport(scriptedAgent({ turns })).transport });
  return ({ options }) => openSession(options);
}

const clock = new HandClock();
const inMemory = (make) => ({ isDurable: false, open: () => ({ store: make() }) });
const leased = (open) => ({ isDurable: false, open, loseHolders: () => clock.advance(1000) });

/** By the name of the suite. */
const fixtures = {
  agentOpenerContract: { createOpener, canSuspend: true },
  agentProtocolContract: { createProtocol: (parts) => new JsonRpcProtocol({ parser: wireParser, ...parts }) },
  approvalStoreContract: inMemory(() => new MemoryApprovalStore()),
  chatApprovalsContract: chats,
  chatHistoryContract: chats,
  chatSessionsContract: chats,
  clockContract: {
    createClock() {
      const own = new HandClock();
      return { clock: own, pass: (ms) => own.advance(ms) };
    },
  },
  commandReaderContract: { reader: plainCommands },
  conversationsContract: {
    createConversations: (parts) =>
      new ConversationService({ ...parts, protocol: new JsonRpcProtocol({ parser: wireParser, ...parts }) }),
  },
  frameParserContract: { parser: wireParser },
  hookDispatcherContract: { createDispatcher: (hooks) => new HookService(hooks) },
  idsContract: { createIds: () => new CountedIds() },
  launcherContract: { launcher: toLaunch },
  leaseStoreContract: leased(() => ({ store: new MemoryLeases({ clock, renewWithinMs: 1000 }) })),
  mcpServerContract: { createServer, hasManySessions: true },
  outboxStoreContract: inMemory(() => new MemoryOutbox()),
  permissionGateContract: { createGate: ({ approver }) => new ScriptedGate(approver ?? allowAll()), hasRules: false },
  sessionDirectoryContract: inMemory(() => new MemoryDirectory()),
  sessionFeatureContract: { createFeature: () => answering({}) },
  sessionLogContract: inMemory(() => new MemoryLog()),
  sessionSignalsContract: inMemory(() => new MemorySignals()),
  sessionStoreContract: {
    open: () => ({ store: new InMemorySessionStore() }),
    has: { delete: true, listSubkeys: true },
  },
  tenantPlacesContract: leased(() => {
    const leases = new MemoryLeases({ clock, renewWithinMs: 1000 });
    return { store: { leases, places: new MemoryPlaces({ leases }) } };
  }),
  transcriptsContract: inMemory(() => fencedTranscripts(new InMemorySessionStore())),
  transportContract: linkedAgents(),
};

/** Runs all suites under this runner; a suite without a fixture fails. */
export function runSuites(runner) {
  for (const [name, suite] of Object.entries(contracts)) if (name.endsWith('Contract')) suite(runner, fixtures[name]);
}
