import type * as official from '@hexagent/official-api/official';
import { InMemorySessionStore as Store } from '@hexagent/transcripts';

/** A store that keeps transcripts for as long as the program runs, with what tests need to inspect it. */
export type InMemorySessionStore = official.InMemorySessionStore;

/** Made without arguments, as in the official package. */
export const InMemorySessionStore: new () => InMemorySessionStore = Store;
