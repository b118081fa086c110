import type { MessagesBody } from './requests.ts';

/** Tells requests of the CLI's own from those of the conversation, so that an ordered script answers only the latter. */
export function isSideRequest(_body: MessagesBody): boolean {
  return false;
}
