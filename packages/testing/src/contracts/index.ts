export type { Case, Runner } from './runner.ts';
export { brokenPromises } from './broken-promises.ts';
export type { BrokenPromisesOptions } from './broken-promises.ts';
export { plantedFaults, withFault } from './planted-faults.ts';
export type { PlantedFault, PlantedFaults } from './planted-faults.ts';
export { agentOpenerContract } from './agent-opener.ts';
export type { AgentOpenerFixture } from './agent-opener.ts';
export { clockContract } from './clock.ts';
export type { ClockFixture } from './clock.ts';
export { commandReaderContract } from './command-reader.ts';
export type { CommandReaderFixture } from './command-reader.ts';
export { frameParserContract } from './frame-parser.ts';
export type { FrameParserFixture } from './frame-parser.ts';
export { hookDispatcherContract } from './hook-dispatcher.ts';
export type { HookDispatcherFixture } from './hook-dispatcher.ts';
export { idsContract } from './ids.ts';
export type { IdsFixture } from './ids.ts';
export { launcherContract } from './launcher.ts';
export type { LauncherFixture } from './launcher.ts';
export { permissionGateContract } from './permission-gate.ts';
export type { ContractGate, PermissionGateFixture } from './permission-gate.ts';
export { sessionFeatureContract } from './session-feature.ts';
export type { SessionFeatureFixture } from './session-feature.ts';
export { agentProtocolContract } from './protocol.ts';
export { ManualClock } from './protocol-fixture.ts';
export type { ProtocolFixture } from './protocol-fixture.ts';
export { linkedAgents } from './linked-agents.ts';
export { transportContract } from './transport.ts';
export type { TestAgent, TransportFixture } from './transport-fixture.ts';
export { conversationsContract } from './conversations.ts';
export type { ConversationsFixture, ConversationsParts } from './conversations-fixture.ts';
export { mcpServerContract } from './mcp-server.ts';
export type { ContractExtra, ContractTool, McpServerFixture } from './mcp-server-fixture.ts';
export { sessionStoreContract } from './session-store.ts';
export type { OpenedStore, SessionStoreFixture } from './session-store-fixture.ts';
export { outboxStoreContract } from './outbox-store.ts';
export { sessionDirectoryContract } from './session-directory.ts';
export { leaseStoreContract } from './lease-store.ts';
export { sessionLogContract } from './session-log.ts';
export { sessionSignalsContract } from './session-signals.ts';
export { tenantPlacesContract } from './tenant-places.ts';
export { transcriptsContract } from './transcripts.ts';
export type {
  HostingStoreFixture,
  LeaseStoreFixture,
  OpenedHostingStore,
  OutboxStoreFixture,
  PlacesAndWorkers,
  SessionDirectoryFixture,
  SessionLogFixture,
  SessionSignalsFixture,
  TenantPlacesFixture,
  TranscriptsFixture,
} from './hosting-stores-fixture.ts';
export { approvalStoreContract } from './approval-store.ts';
export type { ApprovalStoreFixture, OpenedApprovalStore } from './approval-store-fixture.ts';
export { chatSessionsContract } from './chat-sessions.ts';
export { chatHistoryContract } from './chat-history.ts';
export { chatApprovalsContract } from './chat-approvals.ts';
export { agentsByHand } from './agents-by-hand.ts';
export type { AskedOfPerson, ChatsFixture, ContractTurn, OpenedChats, ReceivedAnswer } from './chat-fixture.ts';
