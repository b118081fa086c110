export { external, type ExternalServer, type StdioServer } from './external.ts';
