import { checkDelay, isRecord, shown } from '@hexagent/checks';
import type { SessionStore } from '@hexagent/ports';
import { given } from './lenient.ts';
import type { Options } from './types/options.ts';

/** A store that keeps the transcript of a query. */
export interface StoreChoice {
  readonly store: SessionStore;
  readonly flush: 'batched' | 'eager';
}

/**
 * The store of a query.
 * @throws {TypeError} for what is not a store, and for options that cannot be combined with one.
 */
export function storeOf(options: Options): StoreChoice | undefined {
  const store: unknown = given(options.sessionStore);
  if (store === undefined) return undefined;
  if (!isRecord(store) || !has(store, 'append'))
    throw new TypeError('`sessionStore` must be a store: an object with the methods append() and load().');
  if (options.persistSession === false)
    throw new TypeError(
      '`sessionStore` needs what `persistSession: false` leaves out: the store is given what the agent writes to its folder. For a folder that does not stay, set CLAUDE_CONFIG_DIR in `env`.',
    );
  if (given(options.enableFileCheckpointing) !== undefined)
    throw new TypeError(
      '`enableFileCheckpointing` cannot be combined with `sessionStore`: the copies of files are not in the store.',
    );
  const resumes = given(options.resume) !== undefined;
  if (!resumes && options.continue && !has(store, 'listSessions'))
    throw new TypeError('`continue` needs a `sessionStore` with listSessions(), to find the newest session.');
  if ((resumes || options.continue) && !has(store, 'load'))
    throw new TypeError('`sessionStore` must have load(), or nothing can be resumed from it.');
  checkDelay('loadTimeoutMs', options.loadTimeoutMs ?? undefined);
  // It has the methods that are called: those that may be missing are asked for.
  return { store: store as object as SessionStore, flush: flushOf(options.sessionStoreFlush) };
}

function flushOf(value: unknown): StoreChoice['flush'] {
  const flush = given(value) ?? 'batched';
  if (flush === 'batched' || flush === 'eager') return flush;
  throw new TypeError(`\`sessionStoreFlush\` must be batched or eager, not ${shown(flush)}.`);
}

/** A method may be inherited. */
function has(store: object, method: keyof SessionStore): boolean {
  return typeof Reflect.get(store, method) === 'function';
}
