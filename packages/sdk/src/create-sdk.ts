import path from 'node:path';
import type { DependencyContainer } from './container.ts';
import { throwWarning } from '@hexagent/checks';
import { type CommandReader, type Conversation, type Turn as TurnOfPort, type UserInput } from '@hexagent/ports';
import { commandReader } from '@hexagent/commands';
import type { Answer as AnswerOfQuerying } from '@hexagent/querying';
import { Asks, EnforcedPolicy, PermissionPolicy, PermissionService, readOnce } from '@hexagent/permissions';
import { HostedServers, toSessionMcp } from '@hexagent/mcp-sdk-server';
import { withHandledPromises } from '@hexagent/async';
import { currentFolder, keptByPrograms, systemClock } from '@hexagent/processes';
import { toAnswer, toOutputAnswer, type AnswerOf, type HowToAsk } from './answer.ts';
import { promptInput } from './checks/input.ts';
import { checkOptions, optionNames } from './checks/options.ts';
import { checkParts } from './checks/parts.ts';
import { tokens } from './compose.ts';
import { environmentOf, retriesVariable } from './environment.ts';
import { featuresOf } from './features.ts';
import { Output } from './output/output.ts';
import type { OutputSchema } from './output/output-schema.ts';
import type { Parts } from './parts.ts';
import { overridesOf } from './overrides.ts';
import { scopesOf } from './scopes.ts';
import type { CopyOptions } from './history/fork.ts';
import { toHistory } from './history/to-history.ts';
import type { Input } from './input/input.ts';
import { storedTurnsReader } from './history/stored-turns-reader.ts';
import { defaultTools, hostedServersOf, ownServerName } from './session-tools.ts';
import { toSession, type Session } from './session.ts';
import { withPieces } from './text-in-pieces.ts';
import {
  hasPolicy,
  launchOptionsOf,
  settingSourcesOf,
  foldersOf,
  type CheckedOptions,
  type SessionOptions,
} from './session-options.ts';
import { toolOutputFeature } from './tool-output/tool-output-feature.ts';
import { toSessionPolicy } from './session-policy.ts';
import { startOf, startWithStoreOf, type ConversationParts } from './starting.ts';
import { toOutputTurn, toTurn, type TurnOf } from './turn.ts';
import { callerIn, watchSession } from './session-watch.ts';
import { warnOfUnreachable } from './unreachable.ts';
import { watchesOf } from './watches.ts';

/** An SDK made of parts of your choice. */
export interface Sdk {
  /**
   * Starts an agent and keeps it for as many turns as you like. Resolves when it runs.
   * @throws {TypeError} for an option that is unknown or invalid, naming it.
   * @throws {SdkError} when no agent can be started.
   */
  openSession<Schema extends OutputSchema = never>(options?: SessionOptions<Schema>): Promise<Session<TurnOf<Schema>>>;
  /**
   * Asks once: starts an agent, sends one prompt, lets everything finish and ends the agent. Reading the messages is
   * optional; leaving the loop early ends the agent.
   * @throws {TypeError} at once, for a prompt or an option that is unknown or invalid, naming it.
   */
  ask<Schema extends OutputSchema = never>(prompt: Input, options?: SessionOptions<Schema>): AnswerOf<Schema>;
}

/**
 * Binds other parts once: a transport that reaches agents elsewhere, an observer, a clock. What is left out is the
 * part the SDK comes with. Two SDKs share nothing.
 * @throws {TypeError} for a part that is unknown or invalid, naming it.
 */
export function createSdk(given: Parts = {}): Sdk {
  const scopes = scopesOf(withRules(checkParts(given, optionNames)));
  // Parts of the program may allow what no rule does.
  const mayAllow = given.gate !== undefined || given.features !== undefined;
  const sdk = {
    async openSession(given?: SessionOptions<OutputSchema>): Promise<Session> {
      const openedAt = callerIn(new Error().stack);
      const options = checkOptions(given);
      const output = outputOf(options);
      if (output?.isLoaded === false) await output.load();
      const scope = scopes.of(overridesOf(options, scopes.shared));
      const asked = sessionPartsOf(scope, options, { output, isAnswerable: true, mayAllow });
      return await openOne(scope, asked, {
        openedAt,
        reopen: async (changes) => await sdk.openSession({ ...given, ...changes(given?.permissions) }),
      });
    },
    ask(given: Input, givenOptions?: SessionOptions<OutputSchema>) {
      const prompt = promptInput(given, 'prompt');
      const options = checkAskOptions(givenOptions);
      const output = outputOf(options);
      const scope = scopes.of(overridesOf(options, scopes.shared));
      const partsOf = () => sessionPartsOf(scope, options, { output, isAnswerable: false, mayAllow });
      const askAs = askingOnce(scope, prompt, { partsOf, isReady: output?.isLoaded ?? true });
      return output === undefined ? toAnswer(askAs) : toOutputAnswer(askAs, output);
    },
  };
  // A session or an answer with a schema gives what the schema's own type says, which only the schema checks.
  return withHandledPromises<Sdk>(sdk as Sdk);
}

type ReopenOptions = CopyOptions & Pick<SessionOptions, 'permissions'>;

interface Opening {
  /** The place in the program that opened it. */
  readonly openedAt: string | undefined;
  /** Opens a session with the same options, but for the changes that are made of them. */
  readonly reopen: (changes: (permissions: SessionOptions['permissions']) => ReopenOptions) => Promise<Session>;
}

async function openOne(
  scope: DependencyContainer,
  asked: SessionParts,
  { openedAt, reopen }: Opening,
): Promise<Session> {
  const { options, output, policy, enforced, asks, hosted } = asked;
  const { tools = defaultTools } = options;
  const conversation = await openConversation(scope, asked);
  const mcp = toSessionMcp({
    conversation,
    hosted,
    servers: tools.servers,
    kept: tools.own.length === 0 ? [] : [ownServerName],
    clock: scope.resolve(tokens.clock),
  });
  const permissions = toSessionPolicy({ policy, enforced, asks, options });
  const read = output === undefined ? toTurn : (turn: TurnOfPort) => toOutputTurn(turn, output);
  const history = toHistory({
    conversation,
    options,
    readTurns: storedTurnsReader(options),
    uuid: () => scope.resolve(tokens.ids).uuid(),
    // The rules and the mode as they stand.
    openCopy: (changes) =>
      reopen((permissions) => ({
        ...changes,
        ...(enforced && { permissions: { ...permissions, ...policy.rules, mode: policy.mode } }),
      })),
  });
  const parts = { read, hasOutput: output !== undefined, permissions, asks, mcp, history };
  return watchSession(toSession(conversation, parts), {
    conversation,
    clock: systemClock, // about this process, not the conversation
    warn: scope.resolve(tokens.warn),
    openedAt,
    keptByAgents: keptByPrograms,
  });
}

interface Preparation {
  readonly partsOf: () => SessionParts;
  /** Whether everything can be made at once. */
  readonly isReady: boolean;
}

function askingOnce(
  scope: DependencyContainer,
  prompt: string | UserInput,
  { partsOf, isReady }: Preparation,
): (how: HowToAsk) => AnswerOfQuerying {
  const prepare = () => {
    const asked = partsOf();
    const parts = fromHere(conversationPartsOf(scope, asked));
    return { asked, parts, started: startOf(scope, parts) };
  };
  const prepared = isReady ? prepare() : undefined; // before it is known who reads, so that what is wrong is thrown at once
  return ({ isInPieces }) => {
    const { asked, parts, started } = prepared ?? prepare();
    const includePartialMessages = asked.options.partialMessages ?? isInPieces;
    const launchOptions = { ...parts.launchOptions, includePartialMessages };
    const start = isInPieces ? startOf(scope, { ...parts, launchOptions }) : started;
    return scope.resolve(tokens.querying).ask(prompt, { ...parts.settings, ...start });
  };
}

const outputOf = ({ output }: CheckedOptions): Output | undefined =>
  output === undefined ? undefined : new Output(output);

/** A relative folder counts from where the program works at the call: in the next microtask it may work elsewhere. */
function fromHere(parts: ConversationParts): ConversationParts {
  const { cwd } = parts.launchOptions;
  const here = currentFolder();
  // Where no path leads here, the transport reports that.
  if (cwd === undefined || path.isAbsolute(cwd) || !('path' in here)) return parts;
  return { ...parts, launchOptions: { ...parts.launchOptions, cwd: path.resolve(here.path, cwd) } };
}

/** @throws {TypeError} for a store, too: nothing is continued with it. */
function checkAskOptions(given: unknown): CheckedOptions {
  const options = checkOptions(given);
  if (options.store === undefined) return options;
  throw new TypeError('`store` is an option of openSession(): ask() asks once, and nothing is continued with it.');
}

/** Adds the parts that compare the calls of a session with its rules. */
function withRules(parts: Parts): Parts {
  const { gate = (options) => new PermissionService(options), commands = commandReader } = parts;
  return { ...parts, gate, commands };
}

/** The parts that answer the agent of one session. `ask()` has no list of pending requests. */
function sessionPartsOf(
  scope: DependencyContainer,
  options: CheckedOptions,
  {
    output,
    isAnswerable,
    mayAllow,
  }: { readonly output: Output | undefined; readonly isAnswerable: boolean; readonly mayAllow: boolean },
): SessionParts {
  const [clock, commands] = [scope.resolve(tokens.clock), readOnce(scope.resolve(tokens.commands))];
  const { permissions: { expiresAfterMs } = {}, onAsk, dialogKinds } = options;
  return {
    options,
    output,
    mayAllow,
    commands,
    ...policyOf(options, commands),
    asks: new Asks({
      ...{ onAsk, dialogKinds, expiresAfterMs, isAnswerable, clock },
      environment: { commands, cwd: foldersOf(options).cwd, sources: settingSourcesOf(options) },
    }),
    hosted: new HostedServers(hostedServersOf(options.tools ?? defaultTools), { clock }),
  };
}

/** The policy of a session, and its enforcement by hooks; left out without rules and a mode, so that no call waits for a hook. */
function policyOf(options: CheckedOptions, commands: CommandReader): Pick<SessionParts, 'policy' | 'enforced'> {
  const { allow, deny, ask, mode } = options.permissions ?? {};
  const policy = new PermissionPolicy({ commands, allow, deny, ask, mode, ...foldersOf(options) });
  return { policy, enforced: hasPolicy(options) ? new EnforcedPolicy(policy) : undefined };
}

interface SessionParts {
  readonly options: CheckedOptions;
  readonly output: Output | undefined;
  readonly mayAllow: boolean;
  readonly commands: CommandReader;
  readonly policy: PermissionPolicy;
  readonly enforced: EnforcedPolicy | undefined;
  readonly asks: Asks;
  readonly hosted: HostedServers;
}

function conversationPartsOf(scope: DependencyContainer, asked: SessionParts): ConversationParts {
  const { options, output, commands, policy, enforced, asks, hosted } = asked;
  const warn = options.strict === true ? throwWarning : scope.resolve(tokens.warn);
  warnOfUnreachable(options, { policy: asked.mayAllow ? undefined : policy, hosted }, warn);
  const { permissions = {}, hooks, signal } = options;
  const { backgroundTasks, initializeTimeoutMs, softMarkBytes, hardMarkBytes } = options;
  const env = environmentOf(options);
  const launchOptions = launchOptionsOf(options, env);
  const { allow, deny, ask, mode } = permissions;
  const approver = asks.hasAnyone ? asks.ask : undefined;
  const { isAskedElsewhere, listDenyRules } = enforced ?? {};
  const ofAgent = { commands, policy, isAskedElsewhere, listDenyRules };
  const gate = enforced && scope.resolve(tokens.gate)({ allow, deny, ask, mode, approver, ...ofAgent });
  const features = featuresOf(scope, {
    gate,
    policy: enforced,
    builtIn: options.tools?.builtIn,
    asks: asks.feature,
    hooks: output?.hooks(hooks) ?? hooks,
    output: output?.feature,
    hosted: hosted.feature,
    watches: watchesOf(options, scope.resolve(tokens.clock)),
    toolOutput:
      options.toolOutput === true ? toolOutputFeature({ env, clock: scope.resolve(tokens.clock) }) : undefined,
  });
  const settings: ConversationParts['settings'] = {
    signal,
    backgroundTasks,
    budget: options.budget,
    // If the program sets the number of attempts, it applies to refused credentials too.
    refusedCredentials: env[retriesVariable] === undefined ? 'fail' : 'retry',
    initializeTimeoutMs,
    softMarkBytes,
    hardMarkBytes,
  };
  return { launchOptions, features, settings };
}

async function openConversation(scope: DependencyContainer, asked: SessionParts): Promise<Conversation> {
  const parts = withPieces(conversationPartsOf(scope, asked), asked.options);
  const { store } = asked.options;
  const started = store === undefined ? startOf(scope, parts) : await startWithStoreOf(scope, store, parts);
  return await scope.resolve(tokens.conversations).open({ ...parts.settings, ...started });
}
