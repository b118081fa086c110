import { hostServer, type McpSdkServerConfigWithInstance } from './host-server.ts';
import { HostedServers } from './hosted-servers.ts';
import type { Clock, McpServer, WarningListener } from '@hexagent/ports';
import { identityOf } from './any-server.ts';

type Configs = Readonly<Record<string, McpSdkServerConfigWithInstance>>;
/** The configs that the agent receives. */
type HostedConfigs = Readonly<Record<string, ReturnType<HostedServers['config']>>>;

/** The servers of a query, as the drop-in requires them. Its types are not named here: the native door must not lead to them. */
export interface ServersOfQuery extends Pick<HostedServers, 'feature' | 'names'> {
  change<T>(wanted: Configs, announce: (configs: HostedConfigs) => Promise<T>): Promise<T>;
}

interface PartsOfServers {
  readonly clock: Clock;
  readonly warn: WarningListener;
}

/**
 * The servers in this process of one query.
 * @throws {TypeError} for what is not a server, naming it.
 */
export function queryServersOf(servers: Configs, { clock, warn }: PartsOfServers): ServersOfQuery {
  const hosted = new HostedServers(portsOf(servers), { clock });
  const identities = new Map(Object.entries(servers).map(([name, config]) => [name, identityOf(config)]));
  return {
    feature: hosted.feature,
    names: () => hosted.names(),
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

function portsOf(configs: Configs): readonly McpServer[] {
  return Object.entries(configs).map(([name, config]) => hostServer(config, name));
}

/** The server stays, as in the official package: the agent keeps its connection to it. */
function warnOfKept(name: string, warn: WarningListener): void {
  warn({
    code: 'HEXAGENT_SERVER_KEPT',
    source: `setMcpServers ${name}`,
    message: `setMcpServers() was given another MCP server under the name ${name}, and the agent keeps the one that it has. Call setMcpServers() without it first, or choose another name.`,
  });
}
