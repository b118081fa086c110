import { basename } from 'node:path';
import { bytes, flag, limit, record } from '@hexagent/checks';
import type { Transport } from '@hexagent/ports';
import { tapped } from '@hexagent/tapes';
import { announce } from './inspected-programs.ts';
import { serveInspector } from './inspector-server.ts';
import { LiveTape } from './live-tape.ts';
import { liveSource } from './source.ts';

export interface InspectOptions {
  /** Where the page is served, on the loopback interface. Default: a port that is free. */
  readonly port?: number | undefined;
  /** How many bytes of what was sent are kept for a page that opens later: the oldest are given up first. Default 32 MB. */
  readonly keepBytes?: number | undefined;
  /** Whether it is switched on also where `NODE_ENV` is `production`. Default `false`. */
  readonly inProduction?: boolean | undefined;
}

/** What shows the agents of this process. */
export interface Inspector extends AsyncDisposable {
  /** The address of the page, with its token; `undefined` where it is switched off, as in production. */
  readonly url: string | undefined;
  /** Ends the page. Agents that are started from then on are not recorded. Safe to call twice; never rejects. */
  close(): Promise<void>;
}

/** What the facade looks for before it starts an agent. */
interface Tap {
  readonly inspector: Promise<Inspector>;
  tapped(transport: Transport): Transport;
}

/** The same for each copy of this package, and for each of the facade. */
const place: unique symbol = Symbol.for('@hexagent/inspector');
// No other code has this symbol without meaning the same.
const ofProcess = globalThis as typeof globalThis & { [place]?: Tap | undefined };

const checkOptions = record<InspectOptions>({ port: limit, keepBytes: bytes, inProduction: flag });

/**
 * Switches the inspector on for the agents that this process starts from then on, by either door, and prints the address of its page
 * to standard error. The process does not wait for it. A second call returns the inspector of the first.
 * @throws {TypeError} for an option that is unknown or invalid, naming it.
 * @throws {Error} when the port cannot be used.
 */
export async function inspect(given: InspectOptions = {}): Promise<Inspector> {
  const { port, keepBytes = 32_000_000, inProduction = false } = checkOptions(given, 'the options of `inspect`');
  if (process.env['NODE_ENV'] === 'production' && !inProduction) return inspectorAt(undefined, async () => {});
  const known = ofProcess[place];
  if (known !== undefined) return await known.inspector;
  const tape = new LiveTape(keepBytes);
  // Agents that are started while the server starts are seen, too.
  const switchOff = (): void => {
    if (ofProcess[place] === tap) ofProcess[place] = undefined; // not a later one
  };
  const inspector = start(tape, port, switchOff);
  const tap: Tap = { inspector, tapped: (transport) => tapped(transport, tape.sink) };
  ofProcess[place] = tap;
  try {
    return await inspector;
  } catch (error) {
    switchOff();
    throw error;
  }
}

async function start(tape: LiveTape, port: number | undefined, switchOff: () => void): Promise<Inspector> {
  const name = basename(process.argv[1] ?? 'program');
  const server = await serveInspector([liveSource(name, tape)], { port, keepsProcess: false });
  process.stderr.write(`Inspector: ${server.url}\n`);
  const withdraw = announce({ pid: process.pid, name, url: server.url });
  return inspectorAt(server.url, async () => {
    switchOff();
    withdraw();
    await server.close();
  });
}

function inspectorAt(url: string | undefined, close: () => Promise<void>): Inspector {
  return { url, close, [Symbol.asyncDispose]: close };
}
