/** Instructions that the model reads when a task calls for them. */
export interface Skill {
  /** Small letters, digits and dashes. The model sees it as `hexagent:<name>`. */
  readonly name: string;
  /** By which the model decides whether a task calls for it. It is always in the prompt. */
  readonly description: string;
  /** What the model reads then, in Markdown. `$ARGUMENTS` is what the call passes. */
  readonly content: string;
}

/** A prompt that a message calls by `/<name>`. The model is not offered it. */
export interface Command {
  /** Small letters, digits and dashes. */
  readonly name: string;
  /** For lists of commands, such as `session.ready` has. Default: the name. */
  readonly description?: string | undefined;
  /** What the model reads in place of `/<name> …`, in Markdown. `$ARGUMENTS` is what follows the name. */
  readonly content: string;
}
