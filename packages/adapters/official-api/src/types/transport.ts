import type { ControlCancel, KeepAlive, SDKControlRequest, SDKControlResponse } from './control-frames.ts';
import type { SDKActiveGoalMessage, SDKMessage } from './messages.ts';

/** What a line of the agent holds. */
type Line = SDKMessage | SDKActiveGoalMessage | SDKControlRequest | SDKControlResponse | ControlCancel | KeepAlive;

/**
 * The inside of an official query. No option takes one; `transport` in `OwnOptions` takes the port of
 * `@hexagent/ports`, which has the same name there.
 */
export interface Transport {
  write(data: string): void | Promise<void>;
  close(): void;
  isReady(): boolean;
  readMessages(): AsyncGenerator<Line, void, unknown>;
  expectControlResponse?(requestId: string): void;
  markDelivered?(message: object): void;
  endInput(): void;
  waitForExit?(): Promise<void>;
  [Symbol.dispose]?(): void;
}
