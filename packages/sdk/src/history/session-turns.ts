import type { Conversation } from '@hexagent/ports';
import type { StoredTurns } from '@hexagent/transcripts';

/** The turns of a session as they are stored; `undefined` where they cannot be read from here. */
export type ReadTurns = (sessionId: string) => Promise<StoredTurns | undefined>;

/** A turn of the agent, of this session or from before it was resumed. */
interface KnownTurn {
  /** The messages that it answers. */
  readonly ids: readonly string[];
  /** Its last message, where that is stored. */
  readonly last: string | undefined;
}

interface KnownTurns {
  /** In their order. */
  readonly turns: readonly KnownTurn[];
  /** Whether the transcript was read: without it, turns from before a resume are not known. */
  readonly isStored: boolean;
}

/** The turns that the agent of a session has. */
export class SessionTurns {
  readonly #conversation: Conversation;
  readonly #readTurns: ReadTurns;
  readonly #rewound = new Set<string>();

  constructor(conversation: Conversation, readTurns: ReadTurns) {
    this.#conversation = conversation;
    this.#readTurns = readTurns;
  }

  /** The agent stores turns, and what was taken back, a moment after it has reported them, so the session's own are added. */
  async read(): Promise<KnownTurns> {
    const { sessionId, progress: { answered = [] } = {} } = this.#conversation;
    const stored = sessionId === undefined ? undefined : await this.#readTurns(sessionId);
    const { turns = [], messages = new Set() } = stored ?? {};
    const together = (id: string): readonly string[] => answered.find((ids) => ids.includes(id)) ?? [id];
    const known = turns.map(({ ids, last }) => ({ ids: [...new Set(ids.flatMap(together))], last }));
    const notStored = answered.filter((ids) => !ids.some((id) => messages.has(id)));
    const all: readonly KnownTurn[] = [...known, ...notStored.map((ids) => ({ ids, last: undefined }))];
    return { turns: all.filter(({ ids }) => !ids.some((id) => this.#rewound.has(id))), isStored: stored !== undefined };
  }

  /** Notes what was taken back. */
  remove(ids: readonly string[]): void {
    for (const id of ids) this.#rewound.add(id);
  }
}
