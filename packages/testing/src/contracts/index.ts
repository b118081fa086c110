export type { Case, Runner } from './runner.ts';
export { transportContract } from './transport.ts';
export type { AgentAtHand, TransportFixture } from './transport-fixture.ts';
