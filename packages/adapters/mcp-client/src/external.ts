import { SdkError, type McpClientSide, type McpServer, type McpSession, isRecord } from '@hexagent/ports';
import type { Fields } from './json-rpc.ts';
import { ProxySession, type Shared } from './proxy-session.ts';
import { linkStdio } from './stdio-link.ts';
import type { StdioServer } from './stdio-server.ts';
import { Upstream } from './upstream.ts';

/** An external server, ready to be handed to any number of sessions. */
export interface ExternalServer extends McpServer {
  open(client: McpClientSide): McpSession;
  /** Ends the server and all its sessions. A session opened later starts it again. Safe to call twice; never rejects. */
  close(): Promise<void>;
}

/**
 * Makes a server ready that this process will start when an agent first speaks to it, and end when the last session
 * that used it is closed. All sessions share the one connection.
 * @throws {TypeError} for an option that is not known or of a wrong type, naming it.
 * @throws {SdkError} `NOT_SUPPORTED_YET` for a `url`.
 */
export function external(options: StdioServer): ExternalServer {
  check(options);
  return new DialledServer(options);
}

/** The introduction to a server that gets a request before an agent introduced itself. */
const introduction: Fields = { protocolVersion: '2025-11-25', clientInfo: { name: 'hexagent', version: '0' } };

class DialledServer implements ExternalServer, Shared {
  readonly name: string;
  readonly #options: StdioServer;
  readonly #sessions = new Set<ProxySession>();
  #upstream: Upstream | undefined;

  constructor(options: StdioServer) {
    this.name = options.name;
    this.#options = options;
  }

  open(client: McpClientSide): McpSession {
    const session = new ProxySession(this, client);
    this.#sessions.add(session);
    return session;
  }

  upstream(introduced?: Fields): Upstream {
    const known = this.#upstream;
    // A server that has gone is started again for an `initialize`, as after a reconnect; other requests fail with the reason.
    if (known !== undefined && (known.gone === undefined || introduced === undefined)) return known;
    this.#upstream = new Upstream({
      name: this.name,
      link: (handlers) => linkStdio(this.#options, handlers),
      // Requests of the server cannot be relayed: it is not known for which of the agents they are.
      introduction: { ...introduction, ...introduced, capabilities: {} },
      ended: (why) => {
        for (const session of this.#sessions) session.failed(why);
      },
      announced: (notification) => {
        for (const session of this.#sessions) session.announce(notification);
      },
    });
    return this.#upstream;
  }

  async left(session: ProxySession): Promise<void> {
    this.#sessions.delete(session);
    if (this.#sessions.size === 0) await this.#hangUp();
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.end();
    this.#sessions.clear();
    await this.#hangUp();
  }

  async #hangUp(): Promise<void> {
    const upstream = this.#upstream;
    this.#upstream = undefined;
    await upstream?.close();
  }
}

function check(options: unknown): void {
  if (!isRecord(options)) throw new TypeError('external() needs an object with name and command.');
  const { name, command, args, env, cwd, url } = options;
  if (typeof name !== 'string' || name === '')
    throw new TypeError('external(): name must be a string that is not empty.');
  if (url !== undefined) {
    throw new SdkError(
      'NOT_SUPPORTED_YET',
      `external() cannot dial the MCP server ${name} by its url yet; give it to mcpServers, and the CLI dials it.`,
    );
  }
  checkNames(options);
  if (typeof command !== 'string' || command === '')
    throw new TypeError(`external(): command of ${name} must be a string that is not empty.`);
  if (args !== undefined && !isStrings(args))
    throw new TypeError(`external(): args of ${name} must be a list of strings.`);
  if (env !== undefined && !(isRecord(env) && isStrings(Object.values(env)))) {
    throw new TypeError(`external(): env of ${name} must be an object of strings.`);
  }
  if (cwd !== undefined && typeof cwd !== 'string') throw new TypeError(`external(): cwd of ${name} must be a string.`);
}

/** A misspelt option would be ignored. */
function checkNames(options: Fields): void {
  const unknown = Reflect.ownKeys(options).find((key) => !known.some((name) => name === key));
  if (unknown === undefined) return;
  const [near] = known.filter((name) => name.startsWith(String(unknown)) || String(unknown).startsWith(name));
  const remedy = near === undefined ? `It has ${known.join(', ')}.` : `Did you mean ${near}?`;
  throw new TypeError(`external(): ${String(unknown).slice(0, 40)} is not known. ${remedy}`);
}

const known: readonly (keyof StdioServer)[] = ['name', 'command', 'args', 'env', 'cwd'];
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
