import {
  argument,
  callable,
  type Check,
  type Checks,
  dictionary,
  flag,
  having,
  isMethod,
  kindOf,
  list,
  membersOf,
  number,
  oneOf,
  record,
  refuse,
  text,
} from '@hexagent/checks';
import type { McpSdkServerConfigWithInstance, McpSdkServerFactoryConfig } from './host-server.ts';
import { engineOf, withEngine } from './tool-server.ts';
import type { AnyServer } from './any-server.ts';
import type { DialledServer, McpServer, McpToolPolicy } from '@hexagent/ports';

type StdioServer = Extract<DialledServer, { readonly command: string }>;
type RemoteServer = Extract<DialledServer, { readonly url: string }>;

const secrets = dictionary(argument);
/** The agent ignores a shorter timeout. */
const leastTimeoutMs = 1000;
const shared = { timeout: number({ least: leastTimeoutMs }), alwaysLoad: flag };

const stdio: Checks<StdioServer> = {
  type: oneOf('stdio'),
  command: text(),
  args: list(argument),
  env: secrets,
  ...shared,
};

const toolPolicy: Checks<McpToolPolicy> = {
  name: text(),
  permission_policy: oneOf('always_allow', 'always_ask', 'always_deny'),
  org_max_permission: oneOf('allow', 'ask', 'blocked'),
};

const toolPolicies = list(record(toolPolicy, { required: ['name'] }));

const remote: Checks<RemoteServer> = {
  type: oneOf('http', 'sse'),
  url: text('an absolute URL', /^https?:\/\/[^/]|^\$\{/i), // the CLI puts variables in
  headers: secrets,
  tools: toolPolicies,
  ...shared,
};

const hosted: Checks<McpSdkServerConfigWithInstance> = {
  type: oneOf('sdk'),
  name: text(),
  instance: having('connect'),
  // The list is a copy of the program's, so that it may be called mutable, as the official type does.
  tools: toolPolicies as Checks<McpSdkServerConfigWithInstance>['tools'],
  timeout: number({ above: 0 }),
};

const elsewhere = { arguments: 'args', cwd: 'external()', environment: 'env', uri: 'url', transport: 'type' };

const stdioServer = record(stdio, { required: ['command'], elsewhere });
const remoteServer = record(remote, { required: ['type', 'url'], elsewhere });
const { instance: _instance, ...settled } = hosted;
const made: Checks<McpSdkServerFactoryConfig> = { ...settled, create: callable() };

const hostedServer = record(hosted, { required: ['type', 'instance'], elsewhere });
const madeServer = record(made, { required: ['type', 'create'], elsewhere });
const settings = record(hosted, { required: ['type'], elsewhere });

/** The members of a server that `createSdkMcpServer()` made. Its `instance` is not read, which would load the MCP SDK. */
const withoutInstance = (value: unknown): unknown =>
  Object.fromEntries(typeof value === 'object' && value !== null ? Object.entries(value) : []);

const typeOf = (value: unknown, place: string): unknown => new Map(membersOf(value, place)).get('type');

/** A value that can be opened is a port. The other kinds differ by their `type`, and each has its own keys. */
export const mcpServer: Check<AnyServer> = (value, place) => {
  if (typeof value === 'object' && value !== null && isMethod(value, 'open', place)) return value as McpServer; // as far as it can be seen before it is opened
  if (typeof value === 'object' && value !== null && isMethod(value, 'handler', place))
    throw new TypeError(
      `\`${place}\` must be a server, not a tool. Pass the tool in \`tools\`, or in createSdkMcpServer({ name, tools }).`,
    );
  const engine = engineOf(value);
  if (engine !== undefined) return withEngine(settings(withoutInstance(value), place), engine);
  if (typeOf(value, place) !== 'sdk') return dialledServer(value, place);
  const isMade = typeof value === 'object' && value !== null && Object.hasOwn(value, 'create');
  return isMade ? madeServer(value, place) : hostedServer(value, place);
};

export const dialledServer: Check<DialledServer> = (value, place) => {
  const type = typeOf(value, place);
  switch (type) {
    case 'http':
    case 'sse':
      return remoteServer(value, place);
    case 'stdio':
    case undefined:
      return stdioServer(value, place);
    default:
      throw refuse(`${place}.type`, 'one of "stdio", "http", "sse", "sdk"', kindOf(type));
  }
};
