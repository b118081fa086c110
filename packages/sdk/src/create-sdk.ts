import type { DependencyContainer } from 'tsyringe';
import { CliTransport } from '@hexagent/cli-transport';
import { HookService } from '@hexagent/hooking';
import { hostServer } from '@hexagent/mcp-sdk-server';
import { createQuery, type AgentChoice, type QueryFunction } from '@hexagent/official-api';
import { PermissionService } from '@hexagent/permissions';
import type { ConversationOptions, Transport, UserInput } from '@hexagent/ports';
import type { Answer } from '@hexagent/querying';
import { withHandledPromises } from '@hexagent/async';
import { userInput } from './checks/input.ts';
import { checkOptions } from './checks/options.ts';
import { checkParts } from './checks/parts.ts';
import { compose, tokens } from './compose.ts';
import { environmentOf, ownEnvironment, retriesVariable } from './environment.ts';
import type { Parts } from './parts.ts';
import { toSession, type Session } from './session.ts';
import { asksPermission, hostedServersOf, launchOptionsOf, type SessionOptions } from './session-options.ts';
import { warnOfUnreachable } from './unreachable.ts';
import { guarded, warningListenerOf } from './warnings.ts';

/** An SDK made of parts of your choice. */
export interface Sdk {
  /**
   * Starts an agent and keeps it for as many turns as you like. Resolves when it runs.
   * @throws {TypeError} for an option that is not known or cannot be meant, naming it.
   * @throws {SdkError} when no agent can be started.
   */
  openSession(options?: SessionOptions): Promise<Session>;
  /**
   * Asks once: starts an agent, says one thing, lets everything finish and ends the agent. Reading the messages is
   * optional; leaving the loop early ends the agent.
   * @throws {TypeError} at once, for a prompt or an option that is not known or cannot be meant, naming it.
   */
  ask(prompt: string | UserInput, options?: SessionOptions): Answer;
  /** The official package's `query()`, with its options, its messages and its defaults. */
  readonly query: QueryFunction;
}

/**
 * Binds other parts once: a transport that reaches agents elsewhere, an observer, a clock. What is left out is the
 * part the SDK comes with. Two SDKs share nothing.
 * @throws {TypeError} for a part that is not known or cannot be meant, naming it.
 */
export function createSdk(given: Parts = {}): Sdk {
  const parts = checkParts(given);
  // Shared by all calls that name nothing of their own, so that the CLI is looked for once.
  const shared = compose(parts);
  const scopeOf = (choice: AgentChoice & Pick<SessionOptions, 'maxLineBytes'>): DependencyContainer => {
    const transport = transportOf(choice, parts);
    return transport === undefined ? shared : compose({ ...parts, transport });
  };
  return withHandledPromises<Sdk>({
    async openSession(given) {
      const options = checkOptions(given);
      const scope = scopeOf(options);
      return toSession(await scope.resolve(tokens.conversations).open(conversationOptionsOf(scope, options)));
    },
    ask(given, givenOptions) {
      const prompt = userInput(given, 'prompt');
      const options = checkOptions(givenOptions);
      const scope = scopeOf(options);
      return scope.resolve(tokens.querying).ask(prompt, conversationOptionsOf(scope, options));
    },
    query: createQuery({
      conversations: (choice) => scopeOf(choice).resolve(tokens.conversations),
      launcher: shared.resolve(tokens.launcher),
      hooks: (table) => new HookService(table),
      servers: (configs) => Object.entries(configs).map(([name, config]) => hostServer(config, name)),
      // As officially: the variable keeps Windows from running a program because it lies in the working directory.
      environment: () => ({ NoDefaultCurrentDirectoryInExePath: '1', ...ownEnvironment() }),
      warn: shared.resolve(tokens.warn),
    }),
  });
}

/** The transport that a call names for itself; `undefined` for the one the SDK was made of. */
function transportOf(choice: AgentChoice & Pick<SessionOptions, 'maxLineBytes'>, parts: Parts): Transport | undefined {
  const { transport, executable, interpreter, interpreterArgs, onStderr, maxLineBytes } = choice;
  if (transport !== undefined) return transport;
  const namesProgram = executable !== undefined || interpreter !== undefined || interpreterArgs !== undefined;
  // A listener or a limit alone is no reason to give up a transport that was swapped in.
  const isAdjusted = (onStderr !== undefined || maxLineBytes !== undefined) && parts.transport === undefined;
  if (!namesProgram && !isAdjusted) return undefined;
  const listener = onStderr && guarded(onStderr, warningListenerOf(parts));
  return new CliTransport({ executable, interpreter, interpreterArgs, onStderr: listener, maxLineBytes });
}

function conversationOptionsOf(scope: DependencyContainer, options: SessionOptions): ConversationOptions {
  warnOfUnreachable(options, scope.resolve(tokens.warn));
  const { permissions = {}, hooks, elicitor, dialogs, signal } = options;
  const { backgroundTasks, initializeTimeoutMs, softMarkBytes, hardMarkBytes } = options;
  const env = environmentOf(options);
  return {
    launch: scope.resolve(tokens.launcher)(launchOptionsOf(options, env)),
    permissions: asksPermission(permissions) ? new PermissionService(permissions) : undefined,
    hooks: hooks === undefined ? undefined : new HookService(hooks),
    servers: hostedServersOf(options),
    elicitor,
    dialogs,
    signal,
    backgroundTasks,
    // Whoever says how often to try is obeyed for refused credentials too.
    refusedCredentials: env[retriesVariable] === undefined ? 'fail' : 'retry',
    initializeTimeoutMs,
    softMarkBytes,
    hardMarkBytes,
  };
}
