export { Deferred } from './deferred.ts';
export { attempt, handled, notify } from './handled.ts';
export { Inbox } from './inbox.ts';
export type { InboxEvents } from './inbox.ts';
export { LineSplitter } from './line-splitter.ts';
export type { LineSplitterOptions } from './line-splitter.ts';
