import type { SessionFunctions } from '@hexagent/official-api';

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** The function of this name, whose code is loaded by the first call: an import of the SDK does not read it. */
function loadOnCall<Name extends keyof SessionFunctions>(name: Name): SessionFunctions[Name] {
  const call: Call = async (...given) => {
    const { sessionFunctions } = await import('./compose-stored-sessions.ts');
    return await Reflect.apply(sessionFunctions[name], undefined, given);
  };
  return call as SessionFunctions[Name]; // it passes everything on
}

/** The stored sessions of one directory, or of all; the last written first. */
export const listSessions: SessionFunctions['listSessions'] = /* @__PURE__ */ loadOnCall('listSessions');

/** The facts about a stored session; `undefined` when there is none, or it has no message. */
export const getSessionInfo: SessionFunctions['getSessionInfo'] = /* @__PURE__ */ loadOnCall('getSessionInfo');

/** The messages of a stored session, in order; empty when there is none. */
export const getSessionMessages: SessionFunctions['getSessionMessages'] =
  /* @__PURE__ */ loadOnCall('getSessionMessages');

/** The ids of the subagents of a stored session. */
export const listSubagents: SessionFunctions['listSubagents'] = /* @__PURE__ */ loadOnCall('listSubagents');

/** The messages from and to a subagent; empty when there is none. */
export const getSubagentMessages: SessionFunctions['getSubagentMessages'] =
  /* @__PURE__ */ loadOnCall('getSubagentMessages');

/** Gives a stored session a title. @throws {SdkError} `SESSION_NOT_FOUND` */
export const renameSession: SessionFunctions['renameSession'] = /* @__PURE__ */ loadOnCall('renameSession');

/** Gives a stored session a tag; `null` takes it away. @throws {SdkError} `SESSION_NOT_FOUND` */
export const tagSession: SessionFunctions['tagSession'] = /* @__PURE__ */ loadOnCall('tagSession');

/** Marks a stored session as archived, until the next prompt. @throws {SdkError} `SESSION_NOT_FOUND` */
export const archiveSession: SessionFunctions['archiveSession'] = /* @__PURE__ */ loadOnCall('archiveSession');

/** Takes the mark away. @throws {SdkError} `SESSION_NOT_FOUND` */
export const unarchiveSession: SessionFunctions['unarchiveSession'] = /* @__PURE__ */ loadOnCall('unarchiveSession');

/** Deletes a stored session and the transcripts of its subagents. @throws {SdkError} `SESSION_NOT_FOUND` */
export const deleteSession: SessionFunctions['deleteSession'] = /* @__PURE__ */ loadOnCall('deleteSession');

/** Stores a copy of a session, which can be resumed by itself. @throws {SdkError} `SESSION_NOT_FOUND` */
export const forkSession: SessionFunctions['forkSession'] = /* @__PURE__ */ loadOnCall('forkSession');

/** Copies a session of the CLI's folder into a store. @throws {SdkError} `SESSION_NOT_FOUND` */
export const importSessionToStore: SessionFunctions['importSessionToStore'] =
  /* @__PURE__ */ loadOnCall('importSessionToStore');
