import type { Conversation } from '@hexagent/ports';
import type { SessionOptions } from '../session-options.ts';
import { refused } from './refusals.ts';
import { turnName } from './rewind.ts';
import type { SessionTurns } from './session-turns.ts';
import type { TurnName } from './session-history.ts';

/** What a copy is opened with, beside the options of the session. */
export type CopyOptions = Pick<
  SessionOptions,
  'resume' | 'fork' | 'sessionId' | 'continue' | 'interruptedTurn' | 'extraArgs'
>;

export interface ForkParts {
  readonly conversation: Conversation;
  readonly turns: SessionTurns;
  readonly options: Pick<SessionOptions, 'extraArgs' | 'persist'>;
  /** The id of the copy. */
  readonly uuid: () => string;
}

/**
 * The options by which a copy of the session is opened.
 * @throws {SdkError} `HISTORY_REFUSED` where there is nothing to copy, or a part of it is not stored yet.
 */
export async function copyOptions(parts: ForkParts, turn: TurnName | undefined): Promise<CopyOptions> {
  const { conversation, options, uuid } = parts;
  if (options.persist === false)
    throw refused('A session with `persist: false` is not stored, so it cannot be copied.');
  const { sessionId } = conversation;
  if (sessionId === undefined) throw refused('The session has no turn yet, so there is nothing to copy.');
  const last = turn === undefined ? undefined : await cutAfter(turnName(turn, 'turn'), parts);
  if (last === undefined) refuseWhileRunning(conversation);
  const { 'resume-session-at': _, 'resume-drops-turn': __, ...extraArgs } = options.extraArgs ?? {};
  return {
    resume: sessionId,
    fork: true,
    sessionId: uuid(),
    continue: undefined,
    interruptedTurn: undefined,
    extraArgs: last === undefined ? extraArgs : { ...extraArgs, 'resume-session-at': last },
  };
}

/** The last message of the turn, or `undefined` for the newest: behind it nothing is to be cut off. */
async function cutAfter(name: string, { turns: source, conversation }: ForkParts): Promise<string | undefined> {
  const { turns, isStored } = await source.read();
  const turn = turns.find(({ ids }) => ids.includes(name));
  if (turn !== undefined && turn === turns.at(-1)) return undefined;
  if (turn?.last !== undefined) return turn.last;
  refuseWhileRunning(conversation); // what runs is not known yet
  if (isStored) throw refused(`The conversation has no turn ${name} as it is stored.`);
  throw refused('The transcript cannot be read from here, so only the whole session can be copied: `fork()`.');
}

function refuseWhileRunning({ progress }: Conversation): void {
  if (progress !== undefined && progress.open > 0)
    throw refused('A turn runs, or a message is queued. Wait for its `result`, or name an earlier turn to copy.');
}
