import { onceOnlyError } from './errors.ts';
import { checkPrompt } from './prompt-items.ts';
import type { QueryParts } from './query-parts.ts';
import { queryOver } from './query.ts';
import type { RunningQuery } from './running-query.ts';
import type { WarmQuery } from './types/prewarm.ts';
import { warmingParams, warmUp, type StartupParams } from './warming.ts';

/**
 * Starts an agent, and resolves when it can be asked.
 * @throws what `query()` and its loop throw; {@link SdkError} `INITIALIZE_TIMEOUT` when the agent takes too long.
 */
export type StartupFunction = (params?: StartupParams) => Promise<WarmQuery>;

/** Makes the official `startup()` over the given parts. */
export function createStartup(parts: QueryParts): StartupFunction {
  return async (params) => {
    const { running } = await warmUp(parts, warmingParams('startup', params));
    return warmQueryOver(running);
  };
}

function warmQueryOver(running: RunningQuery): WarmQuery {
  let isTaken = false;
  return {
    query(prompt) {
      const checked = checkPrompt(prompt);
      if (isTaken) throw onceOnlyError('WarmQuery.query()');
      isTaken = true;
      running.begin(checked);
      return queryOver(running);
    },
    close() {
      // As in the official package: what was asked is closed by its query.
      if (!isTaken) running.stop();
      isTaken = true;
    },
    async [Symbol.asyncDispose]() {
      isTaken = true;
      running.stop();
      await running.closed();
    },
  };
}
