const isTouch = (): boolean => window.matchMedia('(pointer: coarse)').matches;

/**
 * Where the focus goes when what had it is gone: the message field, or on a touch screen the conversation, since there a
 * keyboard would cover the answer.
 */
export function focusField(): void {
  document.getElementById(isTouch() ? 'conversation' : 'message')?.focus({ preventScroll: true });
}

/**
 * A chat that has loaded can be written in at once, where that opens no keyboard. A person who has begun to write elsewhere
 * meanwhile, such as in the search, is left there.
 */
export function focusFieldAtFirst(): void {
  if (!isTouch() && !(document.activeElement instanceof HTMLInputElement)) focusField();
}
