export { external, type ExternalServer } from './external.ts';
export type { StdioServer } from './stdio-server.ts';
