import 'reflect-metadata/lite'; // tsyringe refuses to load without it; this one brings no fallbacks for old engines
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import { toLaunch } from '@hexagent/cli-launch';
import { CliTransport } from '@hexagent/cli-transport';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import type { AgentProtocol, Conversations, Launcher, Transport, WarningListener } from '@hexagent/ports';
import { QueryService } from '@hexagent/querying';
import { ConversationService } from '@hexagent/streaming';
import type { Parts } from './parts.ts';
import { systemClock, systemIds } from './system.ts';
import { warningListenerOf } from './warnings.ts';

interface Tokens {
  readonly transport: InjectionToken<Transport>;
  readonly protocol: InjectionToken<AgentProtocol>;
  readonly launcher: InjectionToken<Launcher>;
  readonly conversations: InjectionToken<Conversations>;
  readonly querying: InjectionToken<QueryService>;
  readonly warn: InjectionToken<WarningListener>;
}

export const tokens: Tokens = {
  transport: Symbol('Transport'),
  protocol: Symbol('AgentProtocol'),
  launcher: Symbol('Launcher'),
  conversations: Symbol('Conversations'),
  querying: Symbol('QueryService'),
  warn: Symbol('WarningListener'),
};

/** The one place where ports meet adapters. Nothing is made before it is asked for. */
export function compose(parts: Parts = {}): DependencyContainer {
  const scope = container.createChildContainer();
  const { parser = wireParser, launcher = toLaunch, clock = systemClock, ids = systemIds, observer } = parts;
  const warn = warningListenerOf(parts);
  scope.register(tokens.warn, { useValue: warn });
  scope.register(tokens.launcher, { useValue: launcher });
  scope.register(tokens.transport, { useFactory: instanceCachingFactory(() => parts.transport ?? new CliTransport()) });
  scope.register(tokens.protocol, {
    useFactory: instanceCachingFactory(
      () => parts.protocol ?? new JsonRpcProtocol({ parser, clock, ids, observer, warn }),
    ),
  });
  scope.register(tokens.conversations, {
    useFactory: instanceCachingFactory(
      (within) =>
        new ConversationService({
          transport: within.resolve(tokens.transport),
          protocol: within.resolve(tokens.protocol),
          clock,
          ids,
          observer,
          warn,
        }),
    ),
  });
  scope.register(tokens.querying, {
    useFactory: instanceCachingFactory(
      (within) => new QueryService({ conversations: within.resolve(tokens.conversations) }),
    ),
  });
  return scope;
}
