import type { Channel, Connection, Exit, FrameParser, Host, ObservedEvent, ProtocolOptions } from '@hexagent/ports';
import { Deferred, Inbox } from '@hexagent/async';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import { ManualClock } from '@hexagent/testing/contracts';

/** A connection of which the test decides every step, in an order that no real pipe would have. */
export class SteppedConnection implements Connection {
  readonly frames: Inbox<readonly string[]>;
  readonly leaving: Deferred<Exit> = new Deferred();
  readonly exit: Promise<Exit> = this.leaving.promise;
  readonly log: string[] = [];
  /** How the next lines are taken. */
  sending: () => Promise<void> = () => Promise.resolve();

  constructor(frames: Inbox<readonly string[]> = new Inbox()) {
    this.frames = frames;
  }

  async send(line: string): Promise<void> {
    await this.sending();
    this.log.push(line);
  }

  async end(): Promise<void> {
    this.log.push('end');
  }

  async close({ atOnce = false }: { readonly atOnce?: boolean | undefined } = {}): Promise<void> {
    this.log.push(atOnce ? 'close at once' : 'close');
    this.frames.end();
  }

  pause(): void {
    this.log.push('pause');
  }

  resume(): void {
    this.log.push('resume');
  }
}

export interface Stepped {
  readonly channel: Channel;
  readonly connection: SteppedConnection;
  readonly clock: ManualClock;
  readonly exits: Exit[];
  readonly observed: ObservedEvent[];
}

export function openStepped(
  options: Partial<ProtocolOptions> = {},
  host: Partial<Host> = {},
  parser: FrameParser = wireParser,
  frames?: Inbox<readonly string[]>,
): Stepped {
  const connection = new SteppedConnection(frames);
  const clock = new ManualClock();
  const exits: Exit[] = [];
  const observed: ObservedEvent[] = [];
  let count = 0;
  const ids = { request: () => `r${(count += 1)}`, uuid: () => `u${(count += 1)}` };
  const protocol = new JsonRpcProtocol({
    parser,
    ids,
    clock,
    observer: { observe: (event) => observed.push(event) },
  });
  const channel = protocol.open(connection, {
    conversation: 'c',
    initialize: {},
    ...options,
    host: { message: () => {}, exited: (exit) => exits.push(exit), ...host },
  });
  return { channel, connection, clock, exits, observed };
}
