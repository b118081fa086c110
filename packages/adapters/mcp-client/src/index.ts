export type { ExternalServer } from './dialled-server.ts';
export { external } from './external.ts';
export type {
  AuthProvider,
  ExternalOptions,
  HttpFetch,
  HttpServer,
  Reconnecting,
  Sampler,
  ServerOptions,
  StdioServer,
  ToolSelection,
} from './server-options.ts';
export type { ServerFailure, ServerStatus } from './server-status.ts';
