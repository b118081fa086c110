import {
  abortSignal,
  type Check,
  delay,
  dictionary,
  didYouMean,
  jsonCopy,
  names,
  oneOf,
  record,
  text,
} from '@hexagent/checks';
import type { McpReadyOptions, RequestOptions } from '@hexagent/ports';
import type { AnyServer } from './any-server.ts';
import { mcpServer } from './any-server-checks.ts';

const elsewhere = { timeout: 'timeoutMs', abortController: 'signal', server: 'servers', names: 'servers' };

export const readyOptions: Check<McpReadyOptions> = record<McpReadyOptions>(
  { servers: names, timeoutMs: delay, signal: abortSignal },
  { elsewhere },
);

export const callOptions: Check<RequestOptions> = record<RequestOptions>(
  { timeoutMs: delay, signal: abortSignal },
  { elsewhere },
);

const fields = dictionary<unknown>((value) => value);

export const serverMode: Check<'default' | 'auto' | null> = (value, place) =>
  value === null ? null : oneOf<'default' | 'auto'>('default', 'auto')(value, place);

/** A server in this process is given them as they are, so what is sent to others as JSON is made here. */
export const toolArguments: Check<Readonly<Record<string, unknown>>> = (value, place) => {
  const { copy, lost } = jsonCopy(fields(value, place), { name: place });
  if (lost !== undefined) throw new TypeError(lost);
  return copy as Readonly<Record<string, unknown>>; // of an object
};

export const serverTable: Check<Readonly<Record<string, AnyServer>>> = dictionary(
  mcpServer,
  (name, place) => void text('an object of servers by name')(name, place),
);

/** Refuses the name of a server that the session does not have. */
export function knownServer(name: string, place: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const otherwise = known.length === 0 ? 'The session has no MCP server.' : `It has: ${known.join(', ')}.`;
  const hint = didYouMean(name, { names: known, place: '', otherwise });
  throw new TypeError(`\`${place}\` names "${name}", which is no MCP server of this session. ${hint}`);
}
