import { checkDelay } from '@hexagent/checks';
import type {
  AgentProtocol,
  Channel,
  Clock,
  Connection,
  FrameParser,
  Ids,
  Observer,
  ProtocolOptions,
  WarningListener,
} from '@hexagent/ports';
import { ControlChannel } from './control-channel.ts';
import { SafeObserver } from './safe-observer.ts';

export interface ProtocolPorts {
  readonly parser: FrameParser;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly observer?: Observer | undefined;
  /** Warned of callbacks that fail. */
  readonly warn?: WarningListener | undefined;
}

/** The control protocol of the Claude Code CLI, over any connection. */
export class JsonRpcProtocol implements AgentProtocol {
  readonly #ports: ProtocolPorts;

  constructor(ports: ProtocolPorts) {
    this.#ports = ports;
  }

  open(connection: Connection, options: ProtocolOptions): Channel {
    checkDelay('initializeTimeoutMs', options.initializeTimeoutMs);
    const { parser, ids, clock, warn } = this.#ports;
    const observer = new SafeObserver(this.#ports.observer, warn, options.conversation);
    return new ControlChannel({ connection, options, parser, ids, clock, observer });
  }
}
