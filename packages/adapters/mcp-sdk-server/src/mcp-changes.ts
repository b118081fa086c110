import { withArgs, type McpServersChange } from '@hexagent/ports';
import type { AnyServer } from './any-server.ts';
import type { KnownServers } from './known-servers.ts';
import { identityOf } from './server-identity.ts';
import { hostedServerOf, isDialled } from './any-server.ts';

export async function setServers(
  { conversation, hosted, kept, current }: KnownServers,
  servers: Readonly<Record<string, AnyServer>>,
): Promise<McpServersChange> {
  const staying = [...current].filter(([name]) => kept.includes(name) && !Object.hasOwn(servers, name));
  const entries = [...staying, ...Object.entries(servers)];
  for (const [name, server] of entries) refuseAnother(name, server, current.get(name));
  const own = entries.flatMap(([name, server]) => hostedServerOf(name, server));
  return await hosted.change(own, async () => {
    const wire = entries.map(([name, server]) => [name, isDialled(server) ? withArgs(server) : hosted.config(name)]);
    const change = await conversation.control('mcp_set_servers', { servers: Object.fromEntries(wire) });
    for (const name of change.removed) current.delete(name);
    for (const [name, server] of entries) current.set(name, server);
    return change;
  });
}

/** The agent keeps a server of this process that stays under its name, and would not see that it is another. */
function refuseAnother(name: string, server: AnyServer, before: AnyServer | undefined): void {
  if (before === undefined || isDialled(before) || isDialled(server) || identityOf(before) === identityOf(server))
    return;
  throw new TypeError(
    `\`servers.${name}\` is another server than the one that has this name now. Remove that first, by setServers() without it, or choose another name.`,
  );
}
