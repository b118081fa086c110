import { isRecord, kindOf } from '@hexagent/checks';
import type { McpServer } from '@hexagent/ports';
import type { ConnectableServer } from './connectable.ts';
import { defineServer, type CreateSdkMcpServerOptions } from './server-definition.ts';
import { settingsOf, timeoutOf } from './server-settings.ts';
import type { InstalledMcpServer } from './full-server.ts';
import { engineOf, ToolServer, withEngine } from './tool-server.ts';

/** An in-process MCP server, as the options of a session take it. `instance` may be an `McpServer` of your own. */
export interface McpSdkServerConfigWithInstance {
  readonly type: 'sdk';
  /** The name of the server, where the table of servers gives it no other. */
  readonly name: string;
  /** Serves one session at a time. */
  readonly instance: ConnectableServer;
  /** Policies of single tools: `always_deny` hides one, `always_ask` makes the agent request permission for each call. */
  tools?: {
    name: string;
    permission_policy?: 'always_allow' | 'always_ask' | 'always_deny';
    org_max_permission?: 'allow' | 'ask' | 'blocked';
  }[];
  /** How long one call of a tool may take, in milliseconds. */
  timeout?: number;
}

/** An in-process MCP server that is made anew for each session, since an `McpServer` serves one at a time. */
export interface McpSdkServerFactoryConfig extends Omit<McpSdkServerConfigWithInstance, 'instance'> {
  /** Makes an `McpServer` of your own, or a promise of one. It is closed with its session. */
  readonly create: () => ConnectableServer | Promise<ConnectableServer>;
}

/** A server made by {@link createSdkMcpServer}. */
export interface ToolServerConfig extends McpSdkServerConfigWithInstance {
  /**
   * An `McpServer` of the MCP SDK with the same tools, made and loaded when it is first read. From then on it serves the
   * new sessions, one at a time, with whatever the program registers on it. A copy of the config by `{ ...config }` has
   * no `instance`.
   * @throws {SdkError} `MCP_SDK_MISSING` where `@modelcontextprotocol/sdk` is not installed.
   */
  readonly instance: InstalledMcpServer;
}

/**
 * Puts tools into a server that runs in this process.
 * @throws {TypeError} for a server or a tool that could not be served, naming it.
 */
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): ToolServerConfig {
  const server = new ToolServer(defineServer(options));
  return withEngine({ type: 'sdk', name: options.name, ...timeoutOf(options.timeout, options.name) }, server);
}

/**
 * Makes the port of a config, under `name` where that differs from the config's own.
 * @throws {TypeError} for anything but a config with an instance, or with a function that makes one.
 */
export function hostServer(
  config: McpSdkServerConfigWithInstance | McpSdkServerFactoryConfig,
  name: string = config.name,
): McpServer {
  if (typeof name !== 'string' || name === '') throw new TypeError('An MCP server needs a name.');
  const engine = engineOf(config);
  const settings = settingsOf(config, name);
  return { name, config: settings, ...(engine === undefined ? { open: openerOf(config, name) } : engine.begin(name)) };
}

function openerOf(config: unknown, name: string): McpServer['open'] {
  const { type, instance, create } = isRecord(config) ? config : {};
  if (type === 'sdk' && isConnectable(instance))
    return async (client) => await (await import('./sessions.ts')).bridge(name, instance, client);
  if (type === 'sdk' && typeof create === 'function')
    return async (client) => {
      const made: unknown = await create();
      if (isConnectable(made)) return await (await import('./sessions.ts')).bridge(name, made, client);
      throw new TypeError(`\`create\` of the MCP server ${name} must return an McpServer, not ${kindOf(made)}.`);
    };
  throw new TypeError(
    `The MCP server ${name} must be { type: 'sdk', name, instance } with an McpServer as instance, or { type: 'sdk', name, create } with a function that makes one; createSdkMcpServer() makes a server of tools.`,
  );
}

function isConnectable(value: unknown): value is ConnectableServer {
  return isRecord(value) && typeof value['connect'] === 'function';
}
