import { hostServer, hostServers } from '@hexagent/mcp-sdk-server';
import type { QueryServers } from '@hexagent/official-api';
import type { WarningListener } from '@hexagent/ports';
import { identityOf } from './server-identity.ts';

type Configs = Parameters<QueryServers['change']>[0];

/**
 * The servers in this process of one query.
 * @throws {TypeError} for what is no server, naming it.
 */
export function queryServersOf(servers: Configs, warn: WarningListener): QueryServers {
  const hosted = hostServers(portsOf(servers));
  const identities = new Map(Object.entries(servers).map(([name, config]) => [name, identityOf(config)]));
  return {
    feature: hosted.feature,
    async change(wanted, announce) {
      const ports = portsOf(wanted);
      for (const [name, config] of Object.entries(wanted)) {
        const isKnown = hosted.get(name) !== undefined;
        if (isKnown && identities.get(name) !== identityOf(config)) warnOfKept(name, warn);
        if (!isKnown) identities.set(name, identityOf(config));
      }
      return await hosted.change(ports, () =>
        announce(Object.fromEntries(ports.map(({ name }) => [name, hosted.config(name)]))),
      );
    },
  };
}

function portsOf(configs: Configs): readonly ReturnType<typeof hostServer>[] {
  return Object.entries(configs).map(([name, config]) => hostServer(config, name));
}

/** As officially it stays. The agent keeps its connection, and would not see that this is another server. */
function warnOfKept(name: string, warn: WarningListener): void {
  warn({
    code: 'HEXAGENT_SERVER_KEPT',
    source: `setMcpServers ${name}`,
    message: `setMcpServers() was given another MCP server under the name ${name}, and the agent keeps the one that it has. Call setMcpServers() without it first, or choose another name.`,
  });
}
