import { isList, list, oneOf, read, record, text, type Check } from '@hexagent/checks';
import { SdkError, type Conversation } from '@hexagent/ports';
import { notRestorable, notRewound, refused } from './refusals.ts';
import type { SessionTurns } from './session-turns.ts';
import type { RewindOptions, Rewound, RewoundFiles, TurnName } from './session-history.ts';

/** A turn, or its id. */
export const turnName: Check<string> = (value, place) =>
  text('a turn or its id')(typeof value === 'object' && value !== null ? read(value, 'id', place) : value, place);

const turnNames: Check<readonly string[]> = (value, place) =>
  isList(value, place) ? list(turnName, 'a turn, or a list of turns')(value, place) : [turnName(value, place)];

const rewindOptions = record<RewindOptions>({
  files: (value, place) => (typeof value === 'boolean' ? value : oneOf('only', 'preview')(value, place)),
});

/** Takes turns of one session back. */
export class Rewinder {
  readonly #conversation: Conversation;
  readonly #turns: SessionTurns;

  constructor(conversation: Conversation, turns: SessionTurns) {
    this.#conversation = conversation;
    this.#turns = turns;
  }

  async rewind(given: TurnName | readonly TurnName[], options: RewindOptions = {}): Promise<Rewound> {
    const names = turnNames(given, 'turns');
    const [first] = names;
    if (first === undefined) throw new TypeError('`turns` must name at least one turn, not none.');
    const { files: mode = false } = rewindOptions(options, 'options');
    const keepsConversation = mode === 'only' || mode === 'preview';
    const turns = keepsConversation ? [] : await this.#newest(names);
    const begin = turns[0]?.[0] ?? first;
    const files = mode === false ? undefined : await this.#filesSince(begin);
    if (mode === 'preview') return { prompt: undefined, files };
    let prompt: string | undefined;
    for (const turn of turns.toReversed()) prompt = await this.#takeBack(turn);
    if (files !== undefined) await this.#restore(begin, keepsConversation);
    return { prompt, files };
  }

  /**
   * The named turns in their order, each by its uuids.
   * @throws {SdkError} `HISTORY_REFUSED` unless they are the newest and nothing else would go with them.
   */
  async #newest(names: readonly string[]): Promise<readonly (readonly string[])[]> {
    const { turns, isStored } = await this.#turns.read();
    const start = turns.findIndex(({ ids }) => ids.some((id) => names.includes(id)));
    const newest = start === -1 ? [] : turns.slice(start).map(({ ids }) => ids);
    const known = newest.flat();
    const unknown = names.filter((name) => !known.includes(name));
    // Where the transcript cannot be read, the agent still has turns from before a resume.
    if (unknown.length > 0 && !isStored && names.length === 1) return [names];
    if (unknown.length > 0)
      throw refused(
        `The conversation has no turn ${unknown.join(', ')}: it was taken back or compacted, or another program has continued without it.`,
      );
    const lost = known.filter((id) => !names.includes(id));
    if (lost.length === 0) return newest;
    throw refused(
      `Messages would be lost that are not named, later ones or such that were answered together: ${lost.join(', ')}. Name these as well.`,
    );
  }

  /** Of messages that were merged, the agent knows the last; of those that it took up while it worked, the first begins the turn. */
  async #takeBack(uuids: readonly string[]): Promise<string | undefined> {
    for (const uuid of uuids) {
      const answer = await this.#conversation.control('rewind_conversation', { target_message_uuid: uuid });
      if (answer.rewound) {
        this.#turns.remove(uuids);
        return answer.prefillText ?? undefined;
      }
      if (answer.reason !== 'target_not_found' || uuid === uuids.at(-1)) throw notRewound(uuid, answer);
    }
    return undefined;
  }

  async #filesSince(turn: string): Promise<RewoundFiles> {
    const fields = { user_message_id: turn, dry_run: true };
    const { canRewind, error, filesChanged, insertions, deletions } = await this.#conversation.control(
      'rewind_files',
      fields,
    );
    if (!canRewind) throw notRestorable(turn, error);
    return { changed: filesChanged ?? [], insertions: insertions ?? 0, deletions: deletions ?? 0 };
  }

  async #restore(turn: string, keepsConversation: boolean): Promise<void> {
    const { canRewind, error } = await this.#conversation.control('rewind_files', { user_message_id: turn });
    if (canRewind) return;
    const done = keepsConversation
      ? ''
      : 'The conversation was rewound, but not the files. Try `files: "only"` again. ';
    throw new SdkError(
      'REQUEST_FAILED',
      `${done}The agent could not restore the files: ${error ?? 'it gave no reason'}`,
    );
  }
}
