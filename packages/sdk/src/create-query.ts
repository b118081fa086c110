import {
  createPrewarm,
  createQuery as queryOver,
  createStartup,
  type PrewarmFunction,
  type QueryFunction,
  type QueryParts,
  type StartupFunction,
} from '@hexagent/official-api';
import { checkParts } from './checks/parts.ts';
import { tokens } from './compose.ts';
import { featuresOf } from './features.ts';
import { madeLate } from './instrumentation.ts';
import { debugFile, ownEnvironment } from './own-environment.ts';
import type { Parts } from './parts.ts';
import { queryServersOf } from '@hexagent/mcp-sdk-server';
import { scopesOf } from './scopes.ts';

/**
 * Makes the official `query()` over other parts: a transport that reaches agents elsewhere, an observer, a clock. What
 * is left out is the part the SDK comes with. The official package has no such function.
 * @throws {TypeError} for a part that is unknown or invalid, naming it.
 */
export function createQuery(given: Parts = {}): QueryFunction {
  return queryOver(queryPartsOf(checkParts(given)));
}

function queryPartsOf(parts: Parts): QueryParts {
  const { shared, of } = scopesOf(parts);
  return {
    conversations: (choice) => of(choice).resolve(tokens.conversations),
    launcher: shared.resolve(tokens.launcher),
    features: ({ canUseTool, ...callbacks }, { allowedTools, disallowedTools }) =>
      featuresOf(shared, {
        ...callbacks,
        rules: { allowedTools, disallowedTools },
        gate:
          canUseTool &&
          (parts.gate?.({ approver: canUseTool, commands: shared.resolve(tokens.commands) }) ?? { decide: canUseTool }),
      }),
    host: (servers) =>
      queryServersOf(servers, { clock: shared.resolve(tokens.clock), warn: shared.resolve(tokens.warn) }),
    mirror: async (choice) => {
      const { mirrorFeature } = await import('./compose-stored-sessions.ts');
      return mirrorFeature({ ...choice, clock: shared.resolve(tokens.clock), ids: shared.resolve(tokens.ids) });
    },
    restore: async (request) => {
      const { restoreFrom } = await import('./compose-stored-sessions.ts');
      return await restoreFrom(request, { clock: shared.resolve(tokens.clock), warn: shared.resolve(tokens.warn) });
    },
    // As in the official package: the variable keeps Windows from running a program because it lies in the working directory.
    environment: () => ({ NoDefaultCurrentDirectoryInExePath: '1', ...ownEnvironment() }),
    debugFile,
    warn: shared.resolve(tokens.warn),
  };
}

/** Made with the first call: importing the SDK does nothing that a program may not need. */
const sharedParts = madeLate((): QueryParts => queryPartsOf({}));

/**
 * The official package's `query()`: same options, same messages, same defaults.
 * @example
 * for await (const message of query({ prompt: 'Which tests are slow?' })) console.log(message.type);
 */
export const query: QueryFunction = (params) => queryOver(sharedParts())(params);

/**
 * The official package's `startup()`: starts an agent before there is a prompt.
 * @example
 * const warm = await startup({ options: { cwd: 'my-project' } });
 * for await (const message of warm.query('Which tests are slow?')) console.log(message.type);
 */
export const startup: StartupFunction = async (params) => await createStartup(sharedParts())(params);

/**
 * The official package's `prewarm()`: starts an agent before its working folder is chosen.
 * @example
 * const spare = await prewarm();
 * const messages = spare.claim({ prompt: 'Which tests are slow?', options: { cwd: 'my-project' } });
 */
export const prewarm: PrewarmFunction = async (params) => await createPrewarm(sharedParts())(params);
