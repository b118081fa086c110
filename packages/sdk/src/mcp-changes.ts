import { engineOf } from '@hexagent/mcp-sdk-server';
import type { McpServersChange } from '@hexagent/ports';
import type { AnyServer } from './checks/servers.ts';
import type { KnownServers } from './known-servers.ts';
import { hostedServerOf, isDialled } from './session-options.ts';

/** The agent speaks to a new server as soon as it knows of it, so it is there before. */
export async function setServers(
  { conversation, hosted, mayHost, kept, current }: KnownServers,
  servers: Readonly<Record<string, AnyServer>>,
): Promise<McpServersChange> {
  const staying = [...current].filter(([name]) => kept.includes(name) && !Object.hasOwn(servers, name));
  const entries = [...staying, ...Object.entries(servers)];
  const own = entries.filter(([, server]) => !isDialled(server));
  if (!mayHost) refuseOwn(own.map(([name]) => name));
  for (const [name, server] of own) refuseAnother(name, server, current.get(name));
  const added = own.flatMap(([name, server]) => (hosted.get(name) === undefined ? hostedServerOf(name, server) : []));
  for (const server of added) hosted.add(server);
  const wire = entries.map(([name, server]) => [name, isDialled(server) ? server : { type: 'sdk' as const, name }]);
  const change = await conversation
    .control('mcp_set_servers', { servers: Object.fromEntries(wire) })
    .catch(async (error: unknown) => {
      await Promise.all(added.map(({ name }) => hosted.remove(name)));
      throw error;
    });
  for (const name of change.removed) current.delete(name);
  for (const [name, server] of entries) current.set(name, server);
  const gone = hosted.names().filter((name) => !own.some(([kept]) => kept === name));
  await Promise.all(gone.map((name) => hosted.remove(name)));
  return change;
}

function refuseOwn([name]: readonly string[]): void {
  if (name === undefined) return;
  throw new TypeError(
    `\`servers.${name}\` runs in this process, and this session was opened without such a server, so its agent was not set up to speak to one. Open it with at least one in \`mcpServers\`.`,
  );
}

/** The agent keeps a server of this process that stays under its name, and would not see that it is another. */
function refuseAnother(name: string, server: AnyServer, before: AnyServer | undefined): void {
  if (before === undefined || isDialled(before) || identityOf(before) === identityOf(server)) return;
  throw new TypeError(
    `\`servers.${name}\` is another server than the one that has this name now. Remove that first, by setServers() without it, or choose another name.`,
  );
}

/** What stays the same of a config that was copied. */
function identityOf(server: AnyServer): unknown {
  const engine = engineOf(server);
  if (engine !== undefined) return engine;
  if ('create' in server) return server.create;
  return 'instance' in server ? server.instance : server;
}
