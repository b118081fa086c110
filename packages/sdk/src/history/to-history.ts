import { copyOptions, type CopyOptions, type ForkParts } from './fork.ts';
import { Rewinder } from './rewind.ts';
import type { SessionHistory } from './session-history.ts';
import { SessionTurns, type ReadTurns } from './session-turns.ts';

interface Opened {
  readonly ready: Promise<unknown>;
  close(): Promise<void>;
}

export interface HistoryParts<Copy extends Opened> extends Omit<ForkParts, 'turns'> {
  readonly readTurns: ReadTurns;
  readonly openCopy: (changes: CopyOptions) => Promise<Copy>;
}

/** What a session can do with its history. */
export function toHistory<Copy extends Opened>(parts: HistoryParts<Copy>): SessionHistory<Copy> {
  const turns = new SessionTurns(parts.conversation, parts.readTurns);
  const rewinder = new Rewinder(parts.conversation, turns);
  return {
    rewind: async (names, options) => await rewinder.rewind(names, options),
    async fork(turn) {
      const copy = await parts.openCopy(await copyOptions({ ...parts, turns }, turn));
      try {
        await copy.ready;
        return copy;
      } catch (error) {
        await copy.close();
        throw error;
      }
    },
  };
}
