import type { SessionFunctions } from '@hexagent/official-api';

/** Loaded on demand, so that an import of the SDK does not read the code of stored sessions. */
const functions = async (): Promise<SessionFunctions> =>
  (await import('./compose-stored-sessions.ts')).sessionFunctions;

/** The sessions that are stored, the one that was written to last first: of one directory, or of all. */
export const listSessions: SessionFunctions['listSessions'] = async (...args) =>
  await (await functions()).listSessions(...args);

/** The facts about a stored session; `undefined` when there is none, or it has no message. */
export const getSessionInfo: SessionFunctions['getSessionInfo'] = async (...args) =>
  await (await functions()).getSessionInfo(...args);

/** The messages of a stored session, in order; empty when there is none. */
export const getSessionMessages: SessionFunctions['getSessionMessages'] = async (...args) =>
  await (await functions()).getSessionMessages(...args);

/** The ids of the subagents of a stored session. */
export const listSubagents: SessionFunctions['listSubagents'] = async (...args) =>
  await (await functions()).listSubagents(...args);

/** The messages from and to a subagent; empty when there is none. */
export const getSubagentMessages: SessionFunctions['getSubagentMessages'] = async (...args) =>
  await (await functions()).getSubagentMessages(...args);

/** Gives a stored session a title. @throws {SdkError} `SESSION_NOT_FOUND` */
export const renameSession: SessionFunctions['renameSession'] = async (...args) =>
  await (await functions()).renameSession(...args);

/** Gives a stored session a tag; `null` takes it away. @throws {SdkError} `SESSION_NOT_FOUND` */
export const tagSession: SessionFunctions['tagSession'] = async (...args) =>
  await (await functions()).tagSession(...args);

/** Marks a stored session as archived, until the next prompt. @throws {SdkError} `SESSION_NOT_FOUND` */
export const archiveSession: SessionFunctions['archiveSession'] = async (...args) =>
  await (await functions()).archiveSession(...args);

/** Takes the mark away. @throws {SdkError} `SESSION_NOT_FOUND` */
export const unarchiveSession: SessionFunctions['unarchiveSession'] = async (...args) =>
  await (await functions()).unarchiveSession(...args);

/** Deletes a stored session and the transcripts of its subagents. @throws {SdkError} `SESSION_NOT_FOUND` */
export const deleteSession: SessionFunctions['deleteSession'] = async (...args) =>
  await (await functions()).deleteSession(...args);

/** Stores a copy of a session, which can be resumed by itself. @throws {SdkError} `SESSION_NOT_FOUND` */
export const forkSession: SessionFunctions['forkSession'] = async (...args) =>
  await (await functions()).forkSession(...args);

/** Copies a session of the CLI's folder into a store. @throws {SdkError} `SESSION_NOT_FOUND` */
export const importSessionToStore: SessionFunctions['importSessionToStore'] = async (...args) =>
  await (await functions()).importSessionToStore(...args);
