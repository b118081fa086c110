export { JsonRpcProtocol } from './json-rpc-protocol.ts';
export type { ProtocolPorts } from './json-rpc-protocol.ts';
