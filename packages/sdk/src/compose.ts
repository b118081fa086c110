import { toLaunch } from '@hexagent/cli-launch';
import { CliTransport, SpawnTransport, type SpawnTransportOptions } from '@hexagent/cli-transport';
import { HookService } from '@hexagent/hooking';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import type {
  AgentProtocol,
  Clock,
  CommandReader,
  Conversations,
  FrameParser,
  Ids,
  Launcher,
  Observer,
  Transport,
  WarningListener,
} from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { anyCommand } from '@hexagent/permissions';
import { QueryService } from '@hexagent/querying';
import { ConversationService } from '@hexagent/streaming';
import { createContainer, provide, type DependencyContainer, type InjectionToken } from './container.ts';
import { inspected } from './inspected.ts';
import type { Parts } from './parts.ts';
import { systemIds } from './system.ts';
import { taped } from './taped.ts';
import { guarded, warningListenerOf } from './warnings.ts';

/** The parts that one call names; the SDK's parts replace absent ones. */
export interface CallOverrides {
  readonly transport?: Transport | undefined;
  readonly spawn?: SpawnTransportOptions['spawn'] | undefined;
  readonly executable?: string | undefined;
  readonly interpreter?: 'bun' | 'deno' | 'node' | undefined;
  readonly interpreterArgs?: readonly string[] | undefined;
  readonly onStderr?: ((text: string) => void) | undefined;
  readonly maxLineBytes?: number | undefined;
}

const token = <T>(name: string): InjectionToken<T> => Symbol(name);

export const tokens: {
  readonly transport: InjectionToken<Transport>;
  readonly protocol: InjectionToken<AgentProtocol>;
  readonly parser: InjectionToken<FrameParser>;
  readonly launcher: InjectionToken<Launcher>;
  readonly commands: InjectionToken<CommandReader>;
  readonly clock: InjectionToken<Clock>;
  readonly ids: InjectionToken<Ids>;
  readonly observer: InjectionToken<Observer | undefined>;
  readonly warn: InjectionToken<WarningListener>;
  readonly gate: InjectionToken<NonNullable<Parts['gate']>>;
  readonly dispatcher: InjectionToken<NonNullable<Parts['dispatcher']>>;
  readonly features: InjectionToken<NonNullable<Parts['features']>>;
  readonly conversations: InjectionToken<Conversations>;
  readonly querying: InjectionToken<QueryService>;
} = {
  transport: token('Transport'),
  protocol: token('AgentProtocol'),
  parser: token('FrameParser'),
  launcher: token('Launcher'),
  commands: token('CommandReader'),
  clock: token('Clock'),
  ids: token('Ids'),
  observer: token('Observer'),
  warn: token('WarningListener'),
  gate: token('PermissionGate'),
  dispatcher: token('HookDispatcher'),
  features: token('SessionFeature'),
  conversations: token('Conversations'),
  querying: token('QueryService'),
};

/** The one place where ports meet adapters. Nothing is made before it is resolved. */
export function compose(parts: Parts = {}): DependencyContainer {
  const scope = createContainer();
  provide(scope, tokens.parser, () => parts.parser ?? wireParser);
  provide(scope, tokens.launcher, () => parts.launcher ?? toLaunch);
  provide(scope, tokens.clock, () => parts.clock ?? systemClock);
  provide(scope, tokens.ids, () => parts.ids ?? systemIds);
  provide(scope, tokens.observer, () => parts.observer);
  provide(scope, tokens.warn, () => warningListenerOf(parts));
  // The native face passes its own. The drop-in has no rules, and does not load the code that reads and compares them.
  const { gate, commands = anyCommand } = parts;
  if (gate !== undefined) provide(scope, tokens.gate, () => gate);
  provide(scope, tokens.commands, () => commands);
  provide(scope, tokens.dispatcher, () => parts.dispatcher ?? ((table) => new HookService(table)));
  provide(scope, tokens.features, () => parts.features ?? (() => []));
  provide(scope, tokens.transport, () => taped(parts.transport ?? new CliTransport()));
  provide(
    scope,
    tokens.protocol,
    (within) => parts.protocol ?? new JsonRpcProtocol({ parser: within.resolve(tokens.parser), ...commonOf(within) }),
  );
  provideServices(scope, parts);
  return scope;
}

/** The scope of one call: the shared one, unless the call names a transport or a program for itself. */
export function composeCall(shared: DependencyContainer, overrides: CallOverrides, parts: Parts): DependencyContainer {
  const { transport, spawn, executable, interpreter, interpreterArgs, onStderr, maxLineBytes } = overrides;
  const namesProgram =
    spawn !== undefined || executable !== undefined || interpreter !== undefined || interpreterArgs !== undefined;
  // A listener or a limit alone is no reason to give up a transport that was swapped in.
  const isAdjusted = (onStderr !== undefined || maxLineBytes !== undefined) && parts.transport === undefined;
  if (transport === undefined && !namesProgram && !isAdjusted) return shared;
  const scope = shared.createChildContainer();
  provide(scope, tokens.transport, (within) => taped(transportOf(overrides, within)));
  provideServices(scope, parts);
  return scope;
}

function transportOf(overrides: CallOverrides, within: DependencyContainer): Transport {
  const { transport, spawn, executable, interpreter, interpreterArgs, onStderr, maxLineBytes } = overrides;
  if (transport !== undefined) return transport;
  const listener = onStderr && guarded(onStderr, within.resolve(tokens.warn));
  const program = { executable, interpreter, interpreterArgs, onStderr: listener, maxLineBytes };
  return spawn === undefined ? new CliTransport(program) : new SpawnTransport({ spawn, ...program });
}

/** The services over the transport, made anew in each scope that has its own transport. */
function provideServices(scope: DependencyContainer, { conversations: wrap }: Parts): void {
  provide(scope, tokens.conversations, (within) => {
    const service = new ConversationService({
      transport: inspected(within.resolve(tokens.transport)),
      protocol: within.resolve(tokens.protocol),
      ...commonOf(within),
    });
    return wrap?.(service) ?? service;
  });
  provide(
    scope,
    tokens.querying,
    (within) => new QueryService({ conversations: within.resolve(tokens.conversations) }),
  );
}

/** The parts that nearly everything uses. */
function commonOf(within: DependencyContainer): {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly observer: Observer | undefined;
  readonly warn: WarningListener;
} {
  return {
    clock: within.resolve(tokens.clock),
    ids: within.resolve(tokens.ids),
    observer: within.resolve(tokens.observer),
    warn: within.resolve(tokens.warn),
  };
}
