import type * as Engine from './engine.ts';

let loaded: typeof Engine | undefined;

/** Loads the engine, once for all SDKs of the process; `undefined` once it is loaded. */
export function loadEngine(): Promise<void> | undefined {
  if (loaded !== undefined) return undefined;
  return import('./engine.ts').then((engine) => {
    loaded = engine;
  });
}

/** Called by what is composed once it is loaded. */
export function engine(): typeof Engine {
  if (loaded === undefined) throw new Error('The engine was used before it was loaded.');
  return loaded;
}
