import { isRecord, kindOf } from '@hexagent/checks';

/** Options that would be ignored, since something else decides them: by each, what does. */
export type DecidedElsewhere = Readonly<Record<string, string>>;

const answered = 'calls, questions and plans go to the page, and to `chat.approvals`';
const conversation = 'which conversation an agent continues is decided for each';
const ofEveryHost = {
  resume: conversation,
  sessionId: conversation,
  continue: conversation,
  fork: conversation,
  persist: 'what is not stored cannot be continued',
  signal: 'the host ends its agents',
};

/** Options that a chat decides. */
export const decidedByChat: DecidedElsewhere = {
  ...ofEveryHost,
  onAsk: answered,
  dialogKinds: 'a page shows no dialogs of the agent',
  partialMessages: 'a page always gets them',
};

/** Options that a host decides. */
export const decidedByHost: DecidedElsewhere = {
  ...ofEveryHost,
  interruptedTurn: 'it follows from `autoResume` of the host',
};

/**
 * What a function of the program returned. Without the check, one that forgets its `return` would have its agents run without
 * any of its options.
 * @throws {TypeError} for what can be no options, and for an option that would be ignored.
 */
export function checkedOptions<T>(found: T, decided: DecidedElsewhere): T {
  if (!isRecord(found)) throw new TypeError(`\`session\` must return options of openSession(), not ${kindOf(found)}.`);
  refuseDecided(found, decided);
  return found;
}

/** @throws {TypeError} for a value that is not options or a function, and for an option that would be ignored. */
export function checkSource(session: unknown, decided: DecidedElsewhere): void {
  if (typeof session === 'function') return;
  if (!isRecord(session))
    throw new TypeError(
      `\`session\` must be options of openSession(), or a function that returns them, not ${kindOf(session)}.`,
    );
  checkedOptions(session, decided);
}

function refuseDecided(options: Readonly<Record<string, unknown>>, decided: DecidedElsewhere): void {
  const name = Object.keys(decided).find((key) => options[key] !== undefined);
  if (name !== undefined) throw new TypeError(`\`session.${name}\` would be ignored: ${decided[name]}. Leave it out.`);
}
