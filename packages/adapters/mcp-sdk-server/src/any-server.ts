import type { DialledServer, McpServer } from '@hexagent/ports';
import { hostServer, type McpSdkServerConfigWithInstance, type McpSdkServerFactoryConfig } from './host-server.ts';
import { engineOf } from './tool-server.ts';

/** A server of ours, a port of your own, or a configuration for the CLI. */
export type AnyServer = McpSdkServerConfigWithInstance | McpSdkServerFactoryConfig | McpServer | DialledServer;

/** The port of a server in this process, as a list; empty for a server that the agent dials. */
export function hostedServerOf(name: string, server: AnyServer): readonly McpServer[] {
  if (isPort(server)) {
    const manifest = server.manifest && (() => server.manifest?.());
    const failure = server.failure && (() => server.failure?.());
    const { config } = server;
    const open: McpServer['open'] = (client) => server.open(client);
    return [{ name, config, ...(manifest && { manifest }), ...(failure && { failure }), open }];
  }
  return server.type === 'sdk' ? [hostServer(server, name)] : [];
}

/** Whether the agent is to start or reach it. */
export function isDialled(server: AnyServer): server is DialledServer {
  return !isPort(server) && server.type !== 'sdk';
}

/** The part of a config that a copy of it shares. */
export function identityOf(server: AnyServer): unknown {
  const engine = engineOf(server);
  if (engine !== undefined) return engine;
  if ('create' in server) return server.create;
  return 'instance' in server ? server.instance : server;
}

function isPort(server: AnyServer): server is McpServer {
  return 'open' in server && typeof server.open === 'function';
}
