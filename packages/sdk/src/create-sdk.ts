import path from 'node:path';
import { withHandledPromises } from '@hexagent/async';
import { commandReader } from '@hexagent/commands';
import { toSessionMcp } from '@hexagent/mcp-sdk-server';
import { PermissionService } from '@hexagent/permissions';
import type { Conversation, SessionFeature, Turn as TurnOfPort, UserInput } from '@hexagent/ports';
import { currentFolder, keptByPrograms, systemClock } from '@hexagent/processes';
import { toAnswer, toOutputAnswer, type AnswerOf, type Asking } from './answer.ts';
import { promptInput } from './checks/input.ts';
import { checkOptions, optionNames } from './checks/options.ts';
import { checkParts } from './checks/parts.ts';
import { tokens } from './compose.ts';
import type { DependencyContainer } from './container.ts';
import type { CopyOptions } from './history/fork.ts';
import { storedTurnsReader } from './history/stored-turns-reader.ts';
import { toHistory } from './history/to-history.ts';
import type { Input } from './input/input.ts';
import type { OutputSchema } from './output/output-schema.ts';
import type { Output } from './output/output.ts';
import { overridesOf } from './overrides.ts';
import type { Parts } from './parts.ts';
import { scopesOf } from './scopes.ts';
import type { CheckedOptions, SessionOptions } from './session-options.ts';
import { conversationPartsOf, sessionPartsOf, type SessionParts } from './session-parts.ts';
import { toSessionPolicy } from './session-policy.ts';
import { defaultTools, ownServersOf } from './session-tools.ts';
import { callerIn, watchSession } from './session-watch.ts';
import { toSession, type Session } from './session.ts';
import { closeAll, startOf, startWithStoreOf, type ConversationParts } from './starting.ts';
import { withPieces } from './text-in-pieces.ts';
import { toOutputTurn, toTurn, type TurnOf } from './turn.ts';

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
      const scope = scopes.of(overridesOf(options, scopes.shared));
      const asked = sessionPartsOf(scope, options, { isAnswerable: true, mayAllow });
      return await openOne(scope, asked, {
        openedAt,
        reopen: async (changes) => await sdk.openSession({ ...given, ...changes(given?.permissions) }),
      });
    },
    ask(given: Input, givenOptions?: SessionOptions<OutputSchema>) {
      const prompt = promptInput(given, 'prompt');
      const options = checkAskOptions(givenOptions);
      const scope = scopes.of(overridesOf(options, scopes.shared));
      const asked = sessionPartsOf(scope, options, { isAnswerable: false, mayAllow });
      const asking = askingOnce(scope, prompt, asked);
      return asked.output === undefined ? toAnswer(asking) : toOutputAnswer(asking, asked.output);
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
    kept: ownServersOf(options),
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

/** Throws at once for what is wrong. Asked is when it is known who reads, and the schema of the output is loaded. */
function askingOnce(scope: DependencyContainer, prompt: string | UserInput, asked: SessionParts): Asking {
  const { options, output } = asked;
  const parts = fromHere(conversationPartsOf(scope, asked));
  const atOnce = startOf(scope, parts);
  const toLoad = output?.isLoaded === false ? output : undefined;
  return {
    ready: toLoad === undefined ? Promise.resolve() : loadOrClose(toLoad, parts.features),
    ask({ isInPieces }) {
      const includePartialMessages = options.partialMessages ?? isInPieces;
      const launchOptions = { ...parts.launchOptions, includePartialMessages };
      const start = isInPieces || toLoad !== undefined ? startOf(scope, { ...parts, launchOptions }) : atOnce;
      return scope.resolve(tokens.querying).ask(prompt, { ...parts.settings, ...start });
    },
  };
}

async function loadOrClose(output: Output, features: readonly SessionFeature[]): Promise<void> {
  try {
    await output.load();
  } catch (error) {
    closeAll(features);
    throw error;
  }
}

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

async function openConversation(scope: DependencyContainer, asked: SessionParts): Promise<Conversation> {
  const { output, options } = asked;
  if (output?.isLoaded === false) await output.load();
  const parts = withPieces(conversationPartsOf(scope, asked), options);
  const { store } = options;
  const started = store === undefined ? startOf(scope, parts) : await startWithStoreOf(scope, store, parts);
  return await scope.resolve(tokens.conversations).open({ ...parts.settings, ...started });
}
