import {
  mayBeAsked,
  throwWarning,
  withFeatures,
  type Conversations,
  type DialogHost,
  type Elicitor,
  type HookTable,
  type InitializeFields,
  type Launch,
  type Launcher,
  type LaunchOptions,
  type PermissionGate,
  type SessionFeature,
  type WarningListener,
} from '@hexagent/ports';
import { notify } from '@hexagent/async';
import type { AgentChoice } from './agent-choice.ts';
import { decideBy, dialogsOf, elicitorOf } from './callbacks.ts';
import { deliveryFeature } from './delivery.ts';
import { refuseLostOptions } from './fail-closed.ts';
import { hookTableOf } from './hook-table.ts';
import type { Prompt } from './input.ts';
import { given } from './lenient.ts';
import { dialogKindsOf, inProcessServersOf, launchOptionsOf } from './launch-options.ts';
import { withOwnNames } from './own-names.ts';
import type { InProcessServers, QueryServers } from './query-servers.ts';
import { queryOver } from './query.ts';
import { RunningQuery } from './running-query.ts';
import { warnWhenShadowed } from './shadowed.ts';
import type { Options, OwnOptions } from './types/options.ts';
import type { Query } from './types/query.ts';
import { refuseUnreadable } from './unreadable.ts';

/**
 * Officially nothing is ever too late. An agent that says nothing at all for so long never will, while starts of more
 * than a minute have been seen on slow machines, and a query has no option to say how long it would wait.
 */
const initializeTimeoutMs = 5 * 60_000;

/** As the official package does it. */
const fixedOptions = { initializeTimeoutMs, backgroundTasks: 'wait', openRequests: 'leave', delivery: 'all' } as const;

/** What a program answers itself, by its options. */
export interface QueryCallbacks {
  readonly canUseTool?: PermissionGate['decide'] | undefined;
  readonly hooks?: HookTable | undefined;
  /** Lets the agent speak to servers of this process. */
  readonly hosted?: SessionFeature | undefined;
  readonly elicitor?: Elicitor | undefined;
  readonly dialogs?: (DialogHost & { readonly kinds: readonly string[] | undefined }) | undefined;
}

/** What the drop-in face stands on. */
export interface QueryParts {
  readonly conversations: (agent: AgentChoice) => Conversations;
  readonly launcher: Launcher;
  /** Makes the features of one query, of what the program answers itself and of how the agent is launched. */
  readonly features: (callbacks: QueryCallbacks, launch: LaunchOptions) => readonly SessionFeature[];
  /**
   * Hosts the servers of this process that one query begins with, by the name the agent knows them under.
   * @throws {TypeError} for what is no server.
   */
  readonly host: (servers: InProcessServers) => QueryServers;
  /** The environment of a query that names none. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Receives what the author of a program should know, and what nothing throws. */
  readonly warn: WarningListener;
}

/**
 * Starts an agent on a prompt and yields what it says.
 * @throws {SdkError} `NOT_SUPPORTED_YET` for an option that does not work yet; `TypeError` for one that never can.
 */
export type QueryFunction = (params: { prompt: Prompt; options?: Options & OwnOptions }) => Query;

/** Makes the official `query()` over the given parts. */
export function createQuery(parts: QueryParts): QueryFunction {
  return (params) => {
    const { prompt, options } = paramsOf(params);
    if (typeof prompt !== 'string' && !isStream(prompt))
      throw new TypeError('`prompt` must be a string or an iterable of user messages.');
    refuseUnreadable(options);
    refuseLostOptions(options);
    const launchOptions = launchOptionsOf(options, parts);
    const servers = parts.host(inProcessServersOf(options));
    const features = parts.features({ ...callbacksOf(options), hosted: servers.feature }, launchOptions);
    try {
      return queryOver(start(parts, { prompt, options, launchOptions, features, servers }));
    } catch (error) {
      // No conversation is opened that would close them.
      for (const feature of features) notify(() => feature.close?.());
      throw error;
    }
  };
}

interface Asked {
  readonly prompt: Prompt;
  readonly options: Options & OwnOptions;
  readonly launchOptions: LaunchOptions;
  readonly features: readonly SessionFeature[];
  readonly servers: QueryServers;
}

function start(parts: QueryParts, { prompt, options, launchOptions, features, servers }: Asked): RunningQuery {
  const launch = parts.launcher(withFeatures(launchOptions, features));
  const delivery = deliveryFeature(launch.initialize, parts.warn);
  warnWhenShadowed(options, launchOptions, options.strict ? throwWarning : parts.warn);
  const choice = agentChoiceOf(options);
  const conversations = conversationsOf(parts, choice);
  return new RunningQuery({
    prompt,
    signal: options.abortController?.signal,
    input: { mayBeAsked: () => mayBeAsked(features), isVerbatim: Boolean(options.verbatimPrompts) },
    setup: () => setupOf(launch, features),
    servers,
    open: async (opening) => {
      const asked = { launch, features: delivery === undefined ? features : [...features, delivery], ...opening };
      try {
        return await conversations.open({ ...asked, ...fixedOptions });
      } catch (error) {
        throw withOwnNames(error, choice);
      }
    },
  });
}

function conversationsOf(parts: QueryParts, choice: AgentChoice): Conversations {
  try {
    return parts.conversations(choice);
  } catch (error) {
    throw withOwnNames(error, choice);
  }
}

/** Programs in JavaScript pass `null` where they have no options. */
function paramsOf(params: Parameters<QueryFunction>[0] | null | undefined) {
  if (typeof params !== 'object' || params === null)
    throw new TypeError('query() takes an object with a `prompt`, and with `options` if there are any.');
  return { prompt: params.prompt, options: params.options ?? {} };
}

function isStream(prompt: unknown): boolean {
  return typeof prompt === 'object' && prompt !== null && (Symbol.asyncIterator in prompt || Symbol.iterator in prompt);
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
function setupOf({ initialize }: Launch, features: readonly SessionFeature[]): InitializeFields {
  const { sdkMcpServerManifests: _, ...fields } = Object.assign(
    { ...initialize },
    ...features.map((each) => each.initialize),
  );
  return fields;
}

function agentChoiceOf(options: Options & OwnOptions): AgentChoice {
  return {
    transport: options.transport,
    executable: given(options.pathToClaudeCodeExecutable),
    interpreter: given(options.executable),
    interpreterArgs: options.executableArgs,
    onStderr: options.stderr,
  };
}
