import type { ApprovalRecord } from './approval-store.ts';
import type { ConversationFact } from './conversation-events.ts';
import type { OutboxEntry, OutboxState } from './outbox-store.ts';

/**
 * Where a hosted session stands.
 * - `parked`: it has no agent, and needs none.
 * - `starting`: an agent is being started.
 * - `idle`: its agent waits for a message.
 * - `running`: a turn or a task of the background runs.
 * - `awaiting-approval`: a person has to answer before the turn continues.
 * - `draining`: its agent is being ended on purpose.
 * - `crashed`: its agent ended by itself, or could not be started. What was to be run is kept.
 */
export type SessionState = 'parked' | 'starting' | 'idle' | 'running' | 'awaiting-approval' | 'draining' | 'crashed';

type TurnFact = Extract<ConversationFact, { readonly kind: 'turn_started' | 'message' | 'turn_ended' | 'turn_cut' }>;

/**
 * What happens in a hosted session, over all its agents. Each unfinished message is `accepted` before anything else is reported of
 * it, also by a process that takes the session up. A turn is named by the uuid of its message; that in which an agent continues a
 * message that was cut off, too, and of such a turn there is a second `turn_started`. An error is one that was thrown, or where the
 * fact was stored, its `code`, `message` and `remedy`.
 */
export type SessionFact =
  /** A message is stored and unfinished. `isCut`: an earlier agent may have been given it. */
  | {
      readonly kind: 'accepted';
      readonly uuid: string;
      readonly input: OutboxEntry['input'];
      readonly isCut: boolean;
    }
  /** The state of a message has changed. */
  | { readonly kind: 'outbox'; readonly uuid: string; readonly state: Exclude<OutboxState, 'queued'> }
  /** Whether what is unfinished waits until the program continues the session. At first it does not. */
  | { readonly kind: 'held'; readonly isHeld: boolean }
  | { readonly kind: 'state'; readonly state: SessionState }
  | TurnFact
  /** A person is asked. */
  | { readonly kind: 'ask_opened' | 'ask_settled'; readonly record: ApprovalRecord }
  /** The agent ended by itself. It is started again after `restartsInMs`; with `undefined` only on request. */
  | { readonly kind: 'crashed'; readonly error: unknown; readonly restartsInMs: number | undefined }
  /** Nothing more is run here: another process continues it, or it was deleted. */
  | { readonly kind: 'dropped'; readonly error: unknown };

/**
 * A fact and its place. Of two facts of a session, the later one has the greater `seq` as a text; otherwise it is opaque. Those of a
 * process are greater than those of an earlier one.
 */
export type SessionEvent = SessionFact & { readonly seq: string };
