import type { Turn } from '@hexagent/ports';

/** A turn, or the uuid of the message that began it, which a program keeps to name the turn of a session that it resumes. */
export type TurnName = Pick<Turn, 'id'> | string;

/** Takes turns back, and continues in a copy. `Copy` is the session that a copy is. */
export interface SessionHistory<Copy> {
  /**
   * Takes back the newest turn, or the named ones if they are the newest: the model does not see them any more, also after a later
   * `resume`. The session stays open and continues from there. It is one request to the agent that runs, so nothing is started and the session
   * keeps its object; what was taken back stays in the transcript as a branch that is not read.
   *
   * With `files`, files are restored as they were before these turns. The agent records what its tools `Write`, `Edit` and `NotebookEdit` change, in
   * sessions with the option `checkpoints`. What a command (`Bash`) or a program did to files is not recorded, and stays; what was written to
   * a recorded file since is lost. `files: 'preview'` only lists them and changes nothing.
   *
   * @throws {SdkError} `HISTORY_REFUSED`, before anything has changed: while a turn runs; when a turn would be lost that is not named, such as a
   * later one, one of another program, or a message that was answered together with the named one; for files that were not recorded.
   */
  rewind(turns: TurnName | readonly TurnName[], options?: RewindOptions): Promise<Rewound>;
  /**
   * Opens a copy of the session under an id of its own, with the same options, and resolves when its agent is ready: as it is now, or as it was
   * after a turn. This session continues as well; neither sees what the other does from then on. Both work in the same folder, so files are not
   * copied. Rules and mode of `session.permissions` are copied as they stand; what was changed by `setModel()` and the like begins anew.
   *
   * @throws {SdkError} `HISTORY_REFUSED` while the turn that is copied, or without one any turn, runs or is queued; for a turn that is not
   * in the stored conversation; for a session that is not kept.
   */
  fork(turn?: TurnName): Promise<Copy>;
}

/** What `rewind()` takes. */
export interface RewindOptions {
  /**
   * Whether files are restored too. `only`: files alone, to before any turn, and the conversation stays. `preview`: nothing is changed, and the
   * files are listed. Default: `false`.
   */
  readonly files?: boolean | 'only' | 'preview' | undefined;
}

/** What was taken back. */
export interface Rewound {
  /** The text of the first message that was taken back, to change it and send it again. */
  readonly prompt: string | undefined;
  /** Which files were restored, or would be; `undefined` without `files`. */
  readonly files: RewoundFiles | undefined;
}

/** Files that the agent's own tools changed. What a command did to files is not among them. */
export interface RewoundFiles {
  /** Their paths. One that a turn made is removed. */
  readonly changed: readonly string[];
  /** How many lines are added by it. */
  readonly insertions: number;
  /** How many lines are removed by it. */
  readonly deletions: number;
}
