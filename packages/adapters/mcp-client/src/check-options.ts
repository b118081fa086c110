import {
  anyText,
  callable,
  delay,
  dictionary,
  having,
  inside,
  isRecord,
  kindOf,
  list,
  membersOf,
  names,
  number,
  oneOf,
  path,
  record,
  refuse,
  text,
  type Check,
  type Checks,
} from '@hexagent/checks';
import type {
  ExternalOptions,
  HttpServer,
  Reconnecting,
  ServerOptions,
  StdioServer,
  ToolSelection,
} from './server-options.ts';

const reconnecting = record<Reconnecting>(
  { attempts: number({ least: 0, whole: true }), delayMs: delay, maxDelayMs: delay },
  { wanted: 'an object or false' },
);

/** The model's service takes no other names. */
const shownNames = dictionary(text('a name of letters, digits, _ and -', /^[\w-]{1,128}$/));

const rename: Check<Readonly<Record<string, string>>> = (value, place) => {
  const renamed = shownNames(value, place);
  const shown = Object.values(renamed);
  const twice = shown.find((name, index) => shown.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`\`${place}\` gives the name ${twice} twice.`);
  return renamed;
};

const timeouts = dictionary(delay);

/** What narrows an agent must be understood: a list that is not one would leave every tool. */
const tools = record<ToolSelection>({
  only: names,
  without: names,
  rename,
  timeoutMs: (value, place) => (isRecord(value) ? timeouts(value, place) : delay(value, place)),
});

const shared: Checks<ServerOptions> = {
  name: text(),
  connectTimeoutMs: delay,
  reconnect: (value, place) => (value === false ? false : reconnecting(value, place)),
  onStatus: callable(),
  tools,
  elicitor: having('elicit'),
  sampler: having('sample'),
  clock: having('after'),
};

// What a system cannot take is reported by the start of the server, to the agent too.
const texts = dictionary(anyText);

const stdio: Checks<StdioServer> = {
  command: text(),
  args: list(anyText, 'a list of strings'),
  env: texts,
  cwd: path,
  ...shared,
};

const url: Check<string | URL> = (value, place) => {
  const given = typeof value === 'string' || value instanceof URL ? String(value) : '';
  const parsed = URL.canParse(given) ? new URL(given) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw refuse(place, 'an http: or https: address', given === '' ? kindOf(value) : 'another one');
  if (parsed.username !== '' || parsed.password !== '')
    throw new TypeError(`\`${place}\` holds a user or a password; give them in headers.`);
  return given;
};

const headers: Check<Readonly<Record<string, string>>> = (value, place) => {
  const checked = texts(value, place);
  for (const [header, sent] of Object.entries(checked)) {
    try {
      new Headers().set(header, sent);
    } catch {
      // The error of the runtime has the value in it.
      throw new TypeError(`\`${inside(place, header)}\` has a name or a value that cannot be sent.`);
    }
  }
  return checked;
};

const http: Checks<HttpServer> = {
  url,
  type: oneOf('http', 'sse'),
  headers,
  authProvider: having('tokens'),
  fetch: callable(),
  ...shared,
};

const elsewhere = { environment: 'env', header: 'headers', uri: 'url' };
const stdioServer = record<StdioServer>(stdio, { required: ['name', 'command'], elsewhere });
const httpServer = record<HttpServer>(http, { required: ['name', 'url'], elsewhere });

/**
 * The options as they are used: each was read once.
 * @throws {TypeError} for an unknown option or one of a wrong type, naming it, and never a value that may be secret.
 */
export function checkOptions(options: unknown): ExternalOptions {
  const given = new Map(
    membersOf(options, '', { called: 'options', wanted: 'an object with a name and a command or a url' }),
  );
  const name = text()(given.get('name'), 'name');
  const place = `external(${name})`;
  if (given.get('url') === undefined) return stdioServer(options, place);
  if (given.get('command') !== undefined)
    throw new TypeError(`\`${place}\` has a command and a url; it is either started or reached.`);
  const server = httpServer(options, place);
  const authorizes = Object.keys(server.headers ?? {}).some((header) => header.toLowerCase() === 'authorization');
  if (server.authProvider !== undefined && authorizes)
    throw new TypeError(`\`${place}\` has an authProvider and a header authorization; only one can be sent.`);
  return server;
}
