import { isRecord } from '@hexagent/ports';
import type { McpServer } from '@hexagent/ports';
import { bridge } from './bridge.ts';
import type { ConnectableServer } from './connectable.ts';
import { LightServer } from './light-server.ts';
import { defineServer, type CreateSdkMcpServerOptions } from './server-definition.ts';
import { settingsOf, timeoutOf } from './server-settings.ts';

/** An in-process MCP server, as the options of a session take it. `instance` may be an `McpServer` of your own. */
export interface McpSdkServerConfigWithInstance {
  readonly type: 'sdk';
  readonly name: string;
  readonly instance: ConnectableServer;
  /** Policies of single tools: `always_deny` hides one, `always_ask` makes the agent ask about each call. */
  tools?: {
    name: string;
    permission_policy?: 'always_allow' | 'always_ask' | 'always_deny';
    org_max_permission?: 'allow' | 'ask' | 'blocked';
  }[];
  /** How long one call of a tool may take, in milliseconds. */
  timeout?: number;
}

/**
 * Puts tools into a server that runs in this process.
 * @throws {TypeError} for a server or a tool that could not be served, naming it.
 */
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): McpSdkServerConfigWithInstance {
  const instance = new LightServer(defineServer(options));
  return { type: 'sdk', name: options.name, instance, ...timeoutOf(options.timeout, options.name) };
}

/**
 * Makes the port of a config, under `name` where that differs from the config's own.
 * @throws {TypeError} for anything but a config with an instance.
 */
export function hostServer(config: McpSdkServerConfigWithInstance, name: string = config.name): McpServer {
  check(config, name);
  const { instance } = config;
  return {
    name,
    config: settingsOf(config, name),
    open: (client) => (instance instanceof LightServer ? instance.open(client) : bridge(name, instance, client)),
  };
}

function check(config: unknown, name: unknown): void {
  if (typeof name !== 'string' || name === '') throw new TypeError('An MCP server needs a name.');
  const instance = isRecord(config) ? config['instance'] : undefined;
  if (
    !isRecord(config) ||
    config['type'] !== 'sdk' ||
    !isRecord(instance) ||
    typeof instance['connect'] !== 'function'
  ) {
    throw new TypeError(
      `The MCP server ${name} must be { type: 'sdk', name, instance } with an McpServer as instance; createSdkMcpServer() makes one.`,
    );
  }
}
