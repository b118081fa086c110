import { isRecord } from '@hexagent/checks';
import type { McpServer } from '@hexagent/ports';
import { toMcpServer, type InstalledMcpServer } from './full-server.ts';
import { manifestOf, type ServerDefinition } from './server-definition.ts';

// A registered symbol, since the facade carries a copy of this package, and a program may make its servers with another.
const engine: unique symbol = Symbol.for('@hexagent/mcp-sdk-server/engine') as typeof engine;

/**
 * Serves tools with one of two engines: our own, which loads nothing and serves any number of sessions, or an `McpServer`
 * of the MCP SDK from the moment that the program asks for one.
 */
export class ToolServer {
  readonly #definition: ServerDefinition;
  #full: InstalledMcpServer | undefined;

  constructor(definition: ServerDefinition) {
    this.#definition = definition;
  }

  /** @throws {SdkError} `MCP_SDK_MISSING` where the MCP SDK is not installed. */
  get instance(): InstalledMcpServer {
    this.#full ??= toMcpServer(this.#definition);
    return this.#full;
  }

  /** Implements the port with the current engine. An agent that has a manifest is served according to it. */
  begin(name: string): Pick<McpServer, 'manifest' | 'open'> {
    const full = this.#full;
    if (full !== undefined)
      return { open: async (client) => await (await import('./sessions.ts')).bridge(name, full, client) };
    return {
      manifest: () => manifestOf(this.#definition),
      open: async (client) => new (await import('./sessions.ts')).LightSession(this.#definition, client),
    };
  }
}

/** The part of a {@link ToolServer} that another copy of this package needs. */
export type Engine = Pick<ToolServer, 'begin' | 'instance'>;

/**
 * Adds `instance` to a config. It is hidden, since a copy of the config by `{ ...config }` would otherwise load the MCP
 * SDK; the engine is not, so that such a copy is served all the same.
 */
export function withEngine<Config extends object>(
  config: Config,
  server: Engine,
): Config & { readonly instance: InstalledMcpServer } {
  const made = { ...config, [engine]: server };
  return Object.defineProperty(made, 'instance', { get: () => server.instance }) as typeof made & {
    readonly instance: InstalledMcpServer; // as it was just defined
  };
}

/** The engine of a config that `createSdkMcpServer()` made, or of a copy of one. */
export function engineOf(config: unknown): Engine | undefined {
  try {
    return isRecord(config) && engine in config ? (config[engine] as Engine) : undefined; // no other code has the symbol
  } catch {
    return undefined; // a proxy that throws
  }
}
