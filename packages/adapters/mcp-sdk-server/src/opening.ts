import type { McpServer } from '@hexagent/ports';
import type { ConnectableServer } from './connectable.ts';
import type { ServerDefinition } from './server-definition.ts';
import type * as Sessions from './sessions.ts';

let loaded: typeof Sessions | undefined;

/** Starts sessions of a server of the MCP SDK. */
export const bridged =
  (name: string, server: ConnectableServer): McpServer['open'] =>
  (client) =>
    withSessions(({ bridge }) => bridge(name, server, client));

/** Starts sessions that we serve ourselves. */
export const served =
  (definition: ServerDefinition): McpServer['open'] =>
  (client) =>
    withSessions(({ LightSession }) => new LightSession(definition, client));

function withSessions<T>(start: (sessions: typeof Sessions) => T): T | Promise<Awaited<T>> {
  return loaded === undefined ? loadAnd(start) : start(loaded);
}

async function loadAnd<T>(start: (sessions: typeof Sessions) => T): Promise<Awaited<T>> {
  return await start(await loadSessions());
}

export async function loadSessions(): Promise<typeof Sessions> {
  loaded ??= await import('./sessions.ts');
  return loaded;
}
