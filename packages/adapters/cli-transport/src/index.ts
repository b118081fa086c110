export { CliTransport } from './cli-transport.ts';
export type { CliTransportOptions } from './cli-transport.ts';
