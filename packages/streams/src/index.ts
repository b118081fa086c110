export { Deferred } from './deferred.ts';
export { Inbox } from './inbox.ts';
export type { InboxEvents } from './inbox.ts';
export { LineSplitter } from './line-splitter.ts';
export type { LineSplitterOptions } from './line-splitter.ts';
