export { Deferred } from './deferred.ts';
export { guardedSignal } from './guarded-signal.ts';
export { attempt, handled, notify, withHandledPromises } from './handled.ts';
export { Inbox } from './inbox.ts';
export type { InboxEvents } from './inbox.ts';
export { onAbort } from './on-abort.ts';
export { LineSplitter } from './line-splitter.ts';
export type { LineSplitterOptions } from './line-splitter.ts';
