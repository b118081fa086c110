import type { Subagent } from '../subagents.ts';

/** Skills, commands and subagents under one name, such as those of a library. */
export interface Plugin {
  /** Small letters, digits and dashes. The agent sees what is in it as `<name>:<skill>`. */
  readonly name: string;
  /** Instructions that the model reads when a task calls for them. */
  readonly skills?: readonly Skill[] | undefined;
  /** Prompts that a message calls by `/<command>` or `/<name>:<command>`. */
  readonly commands?: readonly Command[] | undefined;
  /** Subagents by name. */
  readonly agents?: Readonly<Record<string, Subagent>> | undefined;
}

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
