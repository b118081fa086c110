import { checkOptions } from './check-options.ts';
import { DialledServer, type ExternalServer } from './dialled-server.ts';
import type { ExternalOptions } from './server-options.ts';

/**
 * Makes a server ready that this process will start or connect to when an agent first sends it a message, and end or leave
 * when the last session that used it is closed. All sessions share the one connection.
 * @throws {TypeError} for an unknown option or one of a wrong type, naming it.
 */
export function external(options: ExternalOptions): ExternalServer {
  return new DialledServer(checkOptions(options));
}
