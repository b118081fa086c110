import type { ContentBlock } from '@hexagent/ports';

/**
 * An answer of the model as far as it has arrived. A turn has several when tools are called; those of one answer have the same `id`,
 * and each takes the place of the one before.
 */
export interface MessageSnapshot {
  /** The id of the model's message. */
  readonly id: string;
  /** All of its text so far. */
  readonly text: string;
  /** What it is made of so far. Empty when all of it was taken back. */
  readonly blocks: readonly SnapshotBlock[];
  /**
   * Something of it was taken back since the last snapshot: the connection to the model broke and the agent asks again, or another
   * model answers in its place. Set on one snapshot.
   */
  readonly isTakenBack: boolean;
}

/** A piece of a {@link MessageSnapshot}. Narrow it by `type`. */
export type SnapshotBlock = SnapshotText | SnapshotThinking | SnapshotToolUse | SnapshotOther;

interface Growing {
  /** All of it has arrived. */
  readonly isComplete: boolean;
}

/** What the model answers. */
export interface SnapshotText extends Growing {
  readonly type: 'text';
  /** As far as it has arrived. */
  readonly text: string;
}

/** What the model thinks, as far as it shows it. */
export interface SnapshotThinking extends Growing {
  readonly type: 'thinking';
  /** As far as it has arrived. */
  readonly thinking: string;
}

/** The call of a tool, whose input grows. */
export interface SnapshotToolUse extends Growing {
  readonly type: 'tool_use';
  /** The id of the call, which its result names. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  /** As far as it has arrived: fields may be missing, and the last text may be cut off, until `isComplete`. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** A block of any other type. */
export interface SnapshotOther extends Growing {
  readonly type: 'other';
  /** As the agent sent it. */
  readonly block: ContentBlock;
}
