import { JsonRpcProtocol, type ProtocolPorts } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import {
  SdkError,
  type Channel,
  type Connection,
  type Frame,
  type Host,
  type HostContext,
  type OutboundFrame,
  type ProtocolOptions,
} from '@hexagent/ports';
import { withFault, type PlantedFault, type ProtocolFixture } from '@hexagent/testing/contracts';

export type Fault = PlantedFault<ProtocolFixture>;
export type Given = Parameters<ProtocolFixture['createProtocol']>[0];

/** What of a protocol that keeps every promise is replaced. Each is called for each protocol, or for each channel. */
interface Changes {
  readonly ports?: (given: Given) => Partial<ProtocolPorts>;
  readonly connection?: (kept: Connection, options: ProtocolOptions) => Partial<Connection>;
  readonly options?: (options: ProtocolOptions, given: Given) => Partial<ProtocolOptions>;
  readonly channel?: (kept: Channel, connection: Connection, options: ProtocolOptions) => Partial<Channel>;
}

export const faulty = ({ ports, connection, options, channel }: Changes): ProtocolFixture => ({
  createProtocol(given) {
    const kept = new JsonRpcProtocol({ parser: wireParser, ...given, ...ports?.(given) });
    return {
      open(inner, asked) {
        const changed = withFault(inner, () => connection?.(inner, asked) ?? {});
        const opened = kept.open(changed, { ...asked, ...options?.(asked, given) });
        return withFault(opened, () => channel?.(opened, inner, asked) ?? {});
      },
    };
  },
});

type Ask = Channel['requestUntyped'];

/** Changes `request()` alone. */
export const asks = (change: (ask: Ask, options: ProtocolOptions) => Ask): ProtocolFixture =>
  faulty({
    channel: (kept, _, options) => ({
      request: change((...asked) => kept.requestUntyped(...asked), options),
    }),
  });

const { parse, stringify } = wireParser;

export const parses = (change: typeof parse): ProtocolFixture =>
  faulty({ ports: () => ({ parser: { parse: change, stringify } }) });
export const reads = (change: (frame: Frame) => Frame): ProtocolFixture =>
  parses((line, suspect) => {
    const frame = parse(line, suspect);
    return frame && change(frame);
  });
export const writes = (change: (frame: OutboundFrame) => OutboundFrame): ProtocolFixture =>
  faulty({ ports: () => ({ parser: { parse, stringify: (frame) => stringify(change(frame)) } }) });

export const hosts = (change: (host: Host, given: Given) => Partial<Host>): ProtocolFixture =>
  faulty({ options: ({ host }, given) => ({ host: { ...host, ...change(host, given) } }) });

type Decide = NonNullable<Host['can_use_tool']>;

export const decides = (change: (decide: Decide, given: Given) => Decide): ProtocolFixture =>
  hosts(({ can_use_tool: decide }, given) => (decide ? { can_use_tool: change(decide, given) } : {}));
/** Changes what a permission callback answers. */
export const decision = (change: (answer: never) => unknown): ProtocolFixture =>
  decides(
    (decide) =>
      async (...asked) =>
        change((await decide(...asked)) as never) as null,
  );
export const context = (change: (kept: HostContext) => Partial<HostContext>): ProtocolFixture =>
  decides((decide) => (request, kept) => decide(request, withFault(kept, change)));

/** A signal that aborts with what the change makes of the reason; not at all for `undefined`. */
export const signals = (change: (reason: unknown) => unknown): ProtocolFixture =>
  context(({ signal }: HostContext) => {
    const controller = new AbortController();
    signal.addEventListener('abort', () => {
      const reason = change(signal.reason);
      if (reason !== undefined) controller.abort(reason);
    });
    return { signal: controller.signal };
  });

/** Replaces what is at a place of a frame, if anything is. */
export function put(path: string, change: (value: never) => unknown): <T>(given: T) => T {
  const [name = '', ...rest] = path.split('.');
  return (given) => {
    if (typeof given !== 'object' || given === null || !(name in given)) return given;
    const value: unknown = Reflect.get(given, name);
    return { ...given, [name]: rest.length === 0 ? change(value as never) : put(rest.join('.'), change)(value) };
  };
}

export const without = (): undefined => undefined;

/** Rejects with another error. */
export async function failing<T>(asked: Promise<T>, change: (error: SdkError) => unknown): Promise<T> {
  return await asked.catch((error: unknown) => {
    throw SdkError.is(error) ? change(error) : error;
  });
}
export const isDelay = (ms: unknown): boolean => typeof ms === 'number' && ms >= 0;
