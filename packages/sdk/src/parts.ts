import type {
  AgentProtocol,
  Clock,
  FrameParser,
  Ids,
  Launcher,
  Observer,
  Transport,
  WarningListener,
} from '@hexagent/ports';

/** The parts an SDK is made of. Each may be replaced by another that keeps its port's promises. */
export interface Parts {
  readonly transport?: Transport | undefined;
  readonly protocol?: AgentProtocol | undefined;
  readonly parser?: FrameParser | undefined;
  readonly launcher?: Launcher | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
  readonly observer?: Observer | undefined;
  /**
   * Receives what no promise tells: callbacks that fail, servers that fail, callbacks that cannot be reached. Default:
   * `process.emitWarning`, once for each source; with an `observer`, which sees these failures, only its own.
   */
  readonly onWarning?: WarningListener | undefined;
}
