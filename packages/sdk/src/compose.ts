import 'reflect-metadata'; // tsyringe refuses to load without it
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import { toLaunch } from '@hexagent/cli-launch';
import { CliTransport } from '@hexagent/cli-transport';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import type {
  AgentProtocol,
  Clock,
  Conversations,
  FrameParser,
  Ids,
  Launcher,
  Observer,
  Transport,
} from '@hexagent/ports';
import { QueryService } from '@hexagent/querying';
import { ConversationService } from '@hexagent/streaming';
import type { Parts } from './parts.ts';
import { systemClock, systemIds } from './system.ts';

interface Tokens {
  readonly transport: InjectionToken<Transport>;
  readonly protocol: InjectionToken<AgentProtocol>;
  readonly parser: InjectionToken<FrameParser>;
  readonly launcher: InjectionToken<Launcher>;
  readonly clock: InjectionToken<Clock>;
  readonly ids: InjectionToken<Ids>;
  readonly observer: InjectionToken<Observer | undefined>;
  readonly conversations: InjectionToken<Conversations>;
  readonly querying: InjectionToken<QueryService>;
}

export const tokens: Tokens = {
  transport: Symbol('Transport'),
  protocol: Symbol('AgentProtocol'),
  parser: Symbol('FrameParser'),
  launcher: Symbol('Launcher'),
  clock: Symbol('Clock'),
  ids: Symbol('Ids'),
  observer: Symbol('Observer'),
  conversations: Symbol('Conversations'),
  querying: Symbol('QueryService'),
};

/** The one place where ports meet adapters. Nothing is made before it is asked for. */
export function compose(parts: Parts = {}): DependencyContainer {
  const scope = container.createChildContainer();
  const { parser = wireParser, launcher = toLaunch, clock = systemClock, ids = systemIds, observer } = parts;
  const ports = { parser, clock, ids, observer };
  scope.register(tokens.parser, { useValue: parser });
  scope.register(tokens.launcher, { useValue: launcher });
  scope.register(tokens.clock, { useValue: clock });
  scope.register(tokens.ids, { useValue: ids });
  scope.register(tokens.observer, { useFactory: () => observer });
  scope.register(tokens.transport, { useFactory: instanceCachingFactory(() => parts.transport ?? new CliTransport()) });
  scope.register(tokens.protocol, {
    useFactory: instanceCachingFactory(() => parts.protocol ?? new JsonRpcProtocol(ports)),
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
