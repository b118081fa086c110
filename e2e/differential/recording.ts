import type { Program, Place, Sdk } from './sdks.ts';
import type { WireFrame } from './stand-in.ts';

/** What a program does to be seen by its user. */
export interface Seen {
  /** The messages that the loop was given. */
  readonly messages: readonly WireFrame[];
  /** What the program or its loop threw. */
  readonly thrown: Thrown | undefined;
  readonly notes: Readonly<Record<string, unknown>>;
  /** What `process.emitWarning` was given. */
  readonly warnings: readonly Warned[];
  readonly hangs: boolean;
}

export interface Warned {
  readonly code: string | undefined;
  readonly message: string;
}

export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly error: unknown;
}

/** Runs a program to its end, or to the bound. */
export async function record(program: Program, sdk: Sdk, place: Omit<Place, 'note'>, boundMs: number): Promise<Seen> {
  const messages: WireFrame[] = [];
  const notes: Record<string, unknown> = {};
  const warnings: Warned[] = [];
  let thrown: Thrown | undefined;
  let query: unknown;
  let bound: NodeJS.Timeout | undefined;
  const warn = (warning: Error & { readonly code?: string }): void =>
    void warnings.push({ code: warning.code, message: warning.message });
  process.on('warning', warn);
  const done = (async () => {
    query = await program(sdk, { ...place, note: (name, value) => void (notes[name] = value) });
    if (isQuery(query)) for await (const message of query) messages.push(message);
  })().catch((error: unknown) => void (thrown = toThrown(error)));
  const late = new Promise<'late'>((resolve) => (bound = setTimeout(resolve, boundMs, 'late')));
  const hangs = (await Promise.race([done, late])) === 'late';
  clearTimeout(bound);
  // A tracer may put an iterator in place of the query, without its methods.
  if (isQuery(query)) query.close?.();
  await new Promise(setImmediate); // warnings are emitted a tick late
  process.off('warning', warn);
  return { messages, thrown, notes, warnings, hangs };
}

function isQuery(value: unknown): value is Partial<ReturnType<Sdk['query']>> & AsyncIterable<WireFrame> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function toThrown(error: unknown): Thrown {
  return error instanceof Error
    ? { name: error.name, message: error.message, error }
    : { name: typeof error, message: String(error), error };
}
