export { external, type ExternalServer } from './external.ts';
export type {
  AuthProvider,
  ExternalOptions,
  HttpFetch,
  HttpServer,
  ServerOptions,
  StdioServer,
} from './server-options.ts';
