import { type Check, dictionary, inside, isList, isMethod, kindOf, list, read, refuse, text } from '@hexagent/checks';
import { mcpServer, type AnyServer, type SdkMcpToolDefinition } from '@hexagent/mcp-sdk-server';
import { ownServerName, withOwnServer, type SessionTools } from '../session-tools.ts';
import { ownTool } from './own-server.ts';
import { builtInTool } from './tool-names.ts';

/** An entry, by where its tools run. */
type Entry =
  | { readonly builtIn: string }
  | { readonly own: SdkMcpToolDefinition }
  | { readonly servers: Readonly<Record<string, AnyServer>> };

const wanted =
  'the name of a built-in tool, what tool() or createSdkMcpServer() makes, or an object of servers by name: { github: { type: "http", url } }';

const servers = dictionary(mcpServer, (name, place) => void text('an object of servers by name')(name, place));

const entry: Check<Entry> = (value, place) => {
  if (typeof value === 'string') return { builtIn: builtInTool(value, place) };
  if (typeof value !== 'object' || value === null || isList(value, place)) throw refuse(place, wanted, kindOf(value));
  if (isMethod(value, 'handler', place)) return { own: ownTool(value, place) };
  if (isMethod(value, 'open', place) || read(value, 'type', inside(place, 'type')) === 'sdk')
    return named(value, place);
  if (isDialledServer(value, place))
    throw new TypeError(
      `\`${place}\` is a server without a name. Pass it in an object of servers by name: { github: { type: "http", url } }.`,
    );
  return { servers: servers(value, place) };
};

/** A server of this process, which has its name. */
function named(value: object, place: string): Entry {
  const server = mcpServer(value, place);
  const name = text('the name of the server')(read(server, 'name', inside(place, 'name')), inside(place, 'name'));
  return { servers: { [name]: server } };
}

/** The members of an object of servers are objects. */
const isDialledServer = (value: object, place: string): boolean =>
  ['type', 'command', 'url'].some((name) => typeof read(value, name, inside(place, name)) === 'string');

const entries = list(entry);

/**
 * Sorts the entries of the option `tools`.
 * @throws {TypeError} for an entry of no such kind, for a name that is given twice, and for an empty list.
 */
export const tools: Check<SessionTools> = (value, place) => {
  if (!isList(value, place)) throw refuse(place, `a list, in which each entry is ${wanted}`, kindOf(value));
  const given = entries(value, place);
  if (given.length === 0)
    throw new TypeError(
      `\`${place}\` is an empty list. Leave it out for all built-in tools, or write ['none'] for none of them.`,
    );
  const taken = new Set<string>();
  const once = (name: string, kind: string, index: number): void => {
    if (taken.size === taken.add(`${kind} ${name}`).size)
      throw new TypeError(`\`${inside(place, index)}\`: the ${kind} ${JSON.stringify(name)} is given twice.`);
  };
  for (const [index, each] of given.entries()) {
    if ('builtIn' in each) once(each.builtIn, 'name', index);
    else if ('own' in each) once(each.own.name, 'tool', index);
    else for (const name of Object.keys(each.servers)) once(name, 'server', index);
  }
  const own = given.flatMap((each) => ('own' in each ? [each.own] : []));
  if (own.length > 0 && taken.has(`server ${ownServerName}`))
    throw new TypeError(
      `\`${place}\` has a server called ${ownServerName}, which is the name of the server that tools made by tool() are put into. Choose another name.`,
    );
  return withOwnServer({
    builtIn: builtInOf(
      given.flatMap((each) => ('builtIn' in each ? [each.builtIn] : [])),
      place,
    ),
    own,
    servers: Object.fromEntries(given.flatMap((each) => ('servers' in each ? Object.entries(each.servers) : []))),
  });
};

function builtInOf(names: readonly string[], place: string): SessionTools['builtIn'] {
  if (names.length === 0) return undefined;
  if (!names.includes('none')) return names;
  if (names.length === 1) return [];
  const others = names.filter((name) => name !== 'none');
  throw new TypeError(`\`${place}\` has 'none' beside ${others.join(', ')}. Leave out 'none', or the names.`);
}
