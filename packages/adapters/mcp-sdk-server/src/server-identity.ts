import { engineOf } from './tool-server.ts';
import type { AnyServer } from './any-server.ts';

/** What stays the same of a config that was copied. */
export function identityOf(server: AnyServer): unknown {
  const engine = engineOf(server);
  if (engine !== undefined) return engine;
  if ('create' in server) return server.create;
  return 'instance' in server ? server.instance : server;
}
