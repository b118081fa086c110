/*
 * What a conversation needs once its agent runs. Loaded while the first agent starts: another file of the facade that
 * imported any of it would load it with the facade.
 */
export { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
export { wireParser } from '@hexagent/parser';
export { ConversationService } from '@hexagent/streaming';
