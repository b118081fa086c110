import type { Frame, OutboundFrame } from './frames.ts';
import type { TurnOutcome } from './turn-outcome.ts';
import type { Exit } from './exit.ts';

/** Sees everything that happens, synchronously. What it throws is caught; absent, it costs nothing. */
export interface Observer {
  /** Called once for each event, in order. */
  observe(event: ObservedEvent): void;
}

/** What happened, and in which conversation. */
export type ObservedEvent = ObservedFact & {
  /** The `id` of the conversation. */
  readonly conversation: string;
};

/** What happened. */
export type ObservedFact =
  | { readonly kind: 'received'; readonly frame: Frame; readonly bytes: number }
  | { readonly kind: 'sent'; readonly frame: OutboundFrame }
  /** A line was skipped (`skipped`), or passed on although it fails its check. */
  | { readonly kind: 'bad_line'; readonly line: string; readonly reason: string; readonly skipped: boolean }
  /** A callback of the program's failed; the agent received an error. */
  | { readonly kind: 'callback_failed'; readonly subtype: string; readonly error: unknown }
  /** An MCP server in this process, or one that this process started, does not work; `mcp_status` reports the same. */
  | { readonly kind: 'server_failed'; readonly name: string; readonly reason: string }
  | { readonly kind: 'turn_started'; readonly id: string }
  | { readonly kind: 'turn_ended'; readonly id: string; readonly outcome: TurnOutcome }
  /** It will have no outcome: the conversation broke, was closed, or its message could not be written. */
  | { readonly kind: 'turn_failed'; readonly id: string; readonly error: unknown }
  | { readonly kind: 'paused'; readonly unreadBytes: number }
  /** Paused although callbacks are registered: what the agent asks now waits until the reader catches up. */
  | { readonly kind: 'stalled'; readonly unreadBytes: number }
  | { readonly kind: 'resumed'; readonly unreadBytes: number }
  | { readonly kind: 'exited'; readonly exit: Exit };
