import { throwWarning } from '@hexagent/checks';
import {
  mayBeAsked,
  withFeatures,
  type Conversations,
  type InitializeFields,
  type LaunchOptions,
  type SessionFeature,
} from '@hexagent/ports';
import { notify } from '@hexagent/async';
import type { AgentChoice, QueryCallbacks, QueryParts, QueryServers } from './query-parts.ts';
import { decideBy, dialogsOf, elicitorOf } from './callbacks.ts';
import type { Ending } from './ending.ts';
import { deliveryFeature } from './delivery.ts';
import { withOwnNames } from './errors.ts';
import { refuseLostOptions } from './refused-options.ts';
import { hookTableOf } from './hook-table.ts';
import type { Prompt } from './input.ts';
import { given } from './lenient.ts';
import { dialogKindsOf, inProcessServersOf, launchOptionsOf } from './launch-options.ts';
import type { RunningQueryOptions } from './running-query-options.ts';
import { RunningQuery } from './running-query.ts';
import { warnWhenShadowed } from './shadowed.ts';
import { storeOf, type StoreChoice } from './store-choice.ts';
import { startWithStore } from './store-start.ts';
import type { Options, OwnOptions } from './types/options.ts';

/**
 * The official package has no such limit. An agent that writes nothing for so long never will, while starts of more
 * than a minute have been seen on slow machines, and a query has no option for the time to wait.
 */
const initializeTimeoutMs = 5 * 60_000;

/** The same in the official package. */
const fixedOptions = { openRequests: 'leave' } as const;

/** How an agent is started, beside the options. */
export interface Launching {
  readonly options: Options & OwnOptions;
  /** Absent: `begin()` is called with it later. */
  readonly prompt?: Prompt | undefined;
  /** Changes how the agent is launched, once the options are read. */
  readonly adjust?: ((launch: LaunchOptions) => LaunchOptions) | undefined;
  readonly initializeTimeoutMs?: number | undefined;
  readonly onEnd?: ((ending: Ending) => void) | undefined;
}

/**
 * Starts an agent.
 * @throws {TypeError} for an option that can never work.
 */
export function launch(parts: QueryParts, launching: Launching): RunningQuery {
  const { options, adjust = (unchanged) => unchanged } = launching;
  refuseLostOptions(options);
  const mirror = storeOf(options);
  const launchOptions = adjust(launchOptionsOf(options, parts));
  const servers = parts.host(inProcessServersOf(options));
  const features = parts.features({ ...callbacksOf(options), hosted: servers.feature }, launchOptions);
  try {
    return start(parts, { ...launching, launchOptions, features, servers, mirror });
  } catch (error) {
    // No conversation is opened that would close them.
    for (const feature of features) notify(() => feature.close?.());
    throw error;
  }
}

interface Prepared extends Launching {
  readonly launchOptions: LaunchOptions;
  readonly features: readonly SessionFeature[];
  readonly servers: QueryServers;
  readonly mirror: StoreChoice | undefined;
}

function start(parts: QueryParts, prepared: Prepared): RunningQuery {
  const { prompt, options, features, servers, mirror, onEnd } = prepared;
  const launchOptions =
    mirror === undefined ? prepared.launchOptions : { ...prepared.launchOptions, sessionMirror: true };
  // Also where a session has to be loaded first: what is refused is refused at once.
  const launched = parts.launcher(withFeatures(launchOptions, features));
  const delivery = deliveryFeature(launched.initialize, parts.warn);
  warnWhenShadowed(options, launchOptions, options.strict ? throwWarning : parts.warn);
  const choice = agentChoiceOf(options);
  const conversations = conversationsOf(parts, choice);
  const { loadTimeoutMs } = options;
  const timeoutMs = prepared.initializeTimeoutMs ?? initializeTimeoutMs;
  return new RunningQuery({
    prompt,
    signal: options.abortController?.signal,
    ...answering(launched.initialize, features, Boolean(options.verbatimPrompts)),
    servers,
    onEnd,
    open: async ({ signal }) => {
      const all = delivery === undefined ? features : [...features, delivery];
      const plain = { launch: launched, features: all };
      // Without a store nothing is waited for: the folder of this process at the call decides what a relative path means.
      const asked =
        mirror === undefined
          ? plain
          : await startWithStore(parts, mirror, { launchOptions, features: all, loadTimeoutMs, signal });
      try {
        return await conversations.open({
          ...asked,
          signal,
          ...fixedOptions,
          backgroundTasks: options.backgroundTasks ?? backgroundTasksOf(prompt, features),
          initializeTimeoutMs: timeoutMs,
        });
      } catch (error) {
        throw withOwnNames(error, choice);
      }
    },
  });
}

/**
 * The agent waits for a shell that never ends, such as a server, and so would the loop. Callbacks, and prompts that may
 * follow, hold the input open, as the official package does it.
 */
function backgroundTasksOf(prompt: Prompt | undefined, features: readonly SessionFeature[]): 'stop' | 'wait' {
  return typeof prompt === 'string' && !mayBeAsked(features) ? 'stop' : 'wait';
}

/** Apart from what opens the conversation, which has the launch: these functions are kept for as long as the query runs. */
function answering(
  initialize: InitializeFields,
  features: readonly SessionFeature[],
  isVerbatim: boolean,
): Pick<RunningQueryOptions, 'input' | 'setup'> {
  return {
    input: { mayBeAsked: () => mayBeAsked(features), isVerbatim },
    setup: () => setupOf(initialize, features),
  };
}

function conversationsOf(parts: QueryParts, choice: AgentChoice): Conversations {
  try {
    return parts.conversations(choice);
  } catch (error) {
    throw withOwnNames(error, choice);
  }
}

function callbacksOf(options: Options): Omit<QueryCallbacks, 'hosted'> {
  const [canUseTool, table] = [given(options.canUseTool), given(options.hooks)];
  const [onElicitation, onUserDialog] = [given(options.onElicitation), given(options.onUserDialog)];
  return {
    canUseTool: canUseTool && decideBy(canUseTool),
    hooks: table && hookTableOf(table),
    elicitor: onElicitation && elicitorOf(onElicitation),
    dialogs: onUserDialog && { ...dialogsOf(onUserDialog), kinds: dialogKindsOf(options) },
  };
}

/** What an agent that runs is initialized with again. By then it has asked each server itself what it can do. */
function setupOf(initialize: InitializeFields, features: readonly SessionFeature[]): InitializeFields {
  const { sdkMcpServerManifests: _, ...fields } = Object.assign(
    { ...initialize },
    ...features.map((each) => each.initialize),
  );
  return fields;
}

function agentChoiceOf(options: Options & OwnOptions): AgentChoice {
  return {
    transport: options.transport,
    spawn: given(options.spawnClaudeCodeProcess),
    executable: given(options.pathToClaudeCodeExecutable),
    interpreter: given(options.executable),
    interpreterArgs: options.executableArgs,
    onStderr: options.stderr,
  };
}
