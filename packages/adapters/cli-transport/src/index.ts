export { CliTransport } from './cli-transport.ts';
export type { CliTransportOptions } from './cli-transport.ts';
export { SpawnTransport } from './spawn-transport.ts';
export type { SpawnRequest, SpawnTransportOptions } from './spawn-transport.ts';
