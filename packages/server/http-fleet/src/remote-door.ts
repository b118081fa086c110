import type { ChatDoor } from '@hexagent/ports';
import { toFlag, toPage, toSettlement, toStart, toStates, toStream, toSummaries, type ReadAnswer } from './answers.ts';
import type { CallName } from './calls.ts';

export type MakeCall = <T>(name: CallName, taken: object, read: ReadAnswer<T>) => Promise<T>;

/** The chats of another process: each method is one call. */
export function remoteDoor(make: MakeCall): ChatDoor {
  return {
    sessions: {
      start: (chatId, message, sendOptions, caller) => make('start', { chatId, message, sendOptions, caller }, toStart),
      stream: (chatId, caller, { after } = {}) => make('stream', { chatId, caller, after }, toStream),
      interrupt: (chatId, caller) => make('interrupt', { chatId, caller }, toFlag),
      restart: (chatId, caller) => make('restart', { chatId, caller }, toFlag),
      discard: (chatId, caller) => make('discard', { chatId, caller }, toFlag),
      list: ({ limit, offset }, caller) => make('list', { limit, offset, caller }, toSummaries),
      rename: (chatId, title, caller) => make('rename', { chatId, title, caller }, toFlag),
      delete: (chatId, caller) => make('delete', { chatId, caller }, toFlag),
    },
    history: {
      messages: (chatId, { limit, before }, caller) => make('messages', { chatId, limit, before, caller }, toPage),
    },
    approvals: {
      settle: (chatId, approvalId, answer, caller) =>
        make('settle', { chatId, approvalId, answer, caller }, toSettlement),
    },
    states: (chatIds, caller) => make('states', { chatIds, caller }, toStates(chatIds)),
  };
}
