export type { Case, Runner } from './runner.ts';
export { clockContract } from './clock.ts';
export type { ClockFixture } from './clock.ts';
export { agentProtocolContract } from './protocol.ts';
export { ManualClock } from './protocol-fixture.ts';
export type { ProtocolFixture } from './protocol-fixture.ts';
export { transportContract } from './transport.ts';
export type { AgentAtHand, TransportFixture } from './transport-fixture.ts';
