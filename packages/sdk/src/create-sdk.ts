import type { DependencyContainer } from 'tsyringe';
import { CliTransport } from '@hexagent/cli-transport';
import { HookService } from '@hexagent/hooking';
import { hostServer } from '@hexagent/mcp-sdk-server';
import { createQuery, type QueryFunction } from '@hexagent/official-api';
import { PermissionService } from '@hexagent/permissions';
import type { ConversationOptions, UserInput } from '@hexagent/ports';
import type { Answer } from '@hexagent/querying';
import { compose, tokens } from './compose.ts';
import { environmentOf } from './environment.ts';
import type { Parts } from './parts.ts';
import { toSession, type Session } from './session.ts';
import { asksPermission, hostedServersOf, launchOptionsOf, type SessionOptions } from './session-options.ts';

/** An SDK made of parts of your choice. */
export interface Sdk {
  /** Starts an agent and keeps it for as many turns as you like. Resolves when it runs. */
  openSession(options?: SessionOptions): Promise<Session>;
  /**
   * Asks once: starts an agent, says one thing, lets everything finish and ends the agent. Reading the messages is
   * optional; leaving the loop early ends the agent.
   */
  ask(prompt: string | UserInput, options?: SessionOptions): Answer;
  /** The official package's `query()`, with its options, its messages and its defaults. */
  readonly query: QueryFunction;
}

/**
 * Binds other parts once: a transport that reaches agents elsewhere, an observer, a clock. What is left out is the
 * part the SDK comes with. Two SDKs share nothing.
 */
export function createSdk(parts: Parts = {}): Sdk {
  return {
    async openSession(options = {}) {
      const scope = scopeOf(parts, options);
      return toSession(await scope.resolve(tokens.conversations).open(conversationOptionsOf(scope, options)));
    },
    ask(prompt, options = {}) {
      const scope = scopeOf(parts, options);
      return scope.resolve(tokens.querying).ask(prompt, conversationOptionsOf(scope, options));
    },
    query: createQuery({
      conversations: ({ transport, ...choice }) =>
        compose({ ...parts, transport: transport ?? parts.transport ?? new CliTransport(choice) }).resolve(
          tokens.conversations,
        ),
      launcher: compose(parts).resolve(tokens.launcher),
      hooks: (table) => new HookService(table),
      servers: (configs) => Object.entries(configs).map(([name, config]) => hostServer(config, name)),
      environment: () => process.env,
    }),
  };
}

/** What a call names for itself counts more than what the SDK was made of. */
function scopeOf(parts: Parts, { transport, executable, onStderr }: SessionOptions): DependencyContainer {
  if (transport !== undefined) return compose({ ...parts, transport });
  if (executable === undefined && onStderr === undefined) return compose(parts);
  return compose({ ...parts, transport: new CliTransport({ executable, onStderr }) });
}

function conversationOptionsOf(scope: DependencyContainer, options: SessionOptions): ConversationOptions {
  const { permissions = {}, hooks, elicitor, dialogs, signal } = options;
  const { backgroundTasks, initializeTimeoutMs, softMarkBytes, hardMarkBytes } = options;
  return {
    launch: scope.resolve(tokens.launcher)(launchOptionsOf(options, environmentOf(options.env))),
    permissions: asksPermission(permissions) ? new PermissionService(permissions) : undefined,
    hooks: hooks === undefined ? undefined : new HookService(hooks),
    servers: hostedServersOf(options),
    elicitor,
    dialogs,
    signal,
    backgroundTasks,
    initializeTimeoutMs,
    softMarkBytes,
    hardMarkBytes,
  };
}
