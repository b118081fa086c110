import type { ContentBlock, UserInput as UserInputOfPort } from '@hexagent/ports';

/** A piece of a message: text, or a block such as `image()` and `file()` make. */
export type InputPart = string | ContentBlock;

/** A message of the program to the agent, with what belongs to it beside its content. */
export interface UserInput extends Omit<UserInputOfPort, 'content'> {
  /** Text, or a list of texts and blocks. */
  readonly content: string | readonly InputPart[];
}

/** What is sent: text, a list of texts and blocks, or a whole message. */
export type Input = UserInput['content'] | UserInput;
