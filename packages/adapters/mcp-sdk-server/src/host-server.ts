import type { McpServer } from '@hexagent/ports';
import { bridge } from './bridge.ts';
import type { ConnectableServer } from './connectable.ts';
import { isFields } from './json-rpc.ts';
import { LightServer } from './light-server.ts';
import { defineServer, type CreateSdkMcpServerOptions } from './server-definition.ts';

/** An in-process MCP server, as the options of a session take it. `instance` may be an `McpServer` of your own. */
export interface McpSdkServerConfigWithInstance {
  readonly type: 'sdk';
  readonly name: string;
  readonly instance: ConnectableServer;
}

/**
 * Puts tools into a server that runs in this process.
 * @throws {TypeError} for a server or a tool that could not be served, naming it.
 * @throws {SdkError} `NOT_SUPPORTED_YET` for a schema of zod 3.
 */
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): McpSdkServerConfigWithInstance {
  return { type: 'sdk', name: options.name, instance: new LightServer(defineServer(options)) };
}

/**
 * Makes a config ready to be shown to the agent, under `name` where that differs from the config's own.
 * @throws {TypeError} for something else than a config with an instance.
 */
export function hostServer(config: McpSdkServerConfigWithInstance, name: string = config.name): McpServer {
  check(config, name);
  const { instance } = config;
  return {
    name,
    open: (client) => (instance instanceof LightServer ? instance.open(client) : bridge(name, instance, client)),
  };
}

function check(config: unknown, name: unknown): void {
  if (typeof name !== 'string' || name === '') throw new TypeError('An MCP server needs a name.');
  const instance = isFields(config) ? config['instance'] : undefined;
  if (
    !isFields(config) ||
    config['type'] !== 'sdk' ||
    !isFields(instance) ||
    typeof instance['connect'] !== 'function'
  ) {
    throw new TypeError(
      `The MCP server ${name} must be { type: 'sdk', name, instance } with an McpServer as instance; createSdkMcpServer() makes one.`,
    );
  }
}
