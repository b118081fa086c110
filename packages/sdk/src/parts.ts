import type { AgentProtocol, Clock, FrameParser, Ids, Launcher, Observer, Transport } from '@hexagent/ports';

/** The parts an SDK is made of. Each may be replaced by another that keeps its port's promises. */
export interface Parts {
  readonly transport?: Transport | undefined;
  readonly protocol?: AgentProtocol | undefined;
  readonly parser?: FrameParser | undefined;
  readonly launcher?: Launcher | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
  readonly observer?: Observer | undefined;
}
