import type { ContentBlock } from './content.ts';

/** A message of the program to the agent. */
export interface UserInput {
  /** Text, or blocks such as text and images. */
  readonly content: string | readonly ContentBlock[];
  /** Your own id for the message, a uuid. Without one the SDK makes it. A uuid already used is refused. */
  readonly uuid?: string | undefined;
  /** `now` stops the running turn, `next` waits for it (the default), `later` waits for everything queued. */
  readonly priority?: 'now' | 'next' | 'later' | undefined;
  /** More fields of the user frame, in the agent's spelling (`shouldQuery`, `isSynthetic`, …). They never replace those above. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}
