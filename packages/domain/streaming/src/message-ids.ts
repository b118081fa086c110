import { SdkError, type Ids, type UserInput } from '@hexagent/ports';

/**
 * The uuids that messages have had. The agent drops a repeated one without a word, however long ago it was used, so
 * they are kept as long as the conversation: some hundred bytes for a message.
 */
export class MessageIds {
  readonly #ids: Ids;
  /** Whether it was made up here. */
  readonly #used = new Map<string, boolean>();

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** @throws {SdkError} `MESSAGE_REPEATED`. */
  take({ uuid }: UserInput): string {
    const taken = uuid ?? this.#ids.uuid();
    if (this.#used.has(taken))
      throw new SdkError('MESSAGE_REPEATED', `A message with the uuid ${taken} was sent before.`);
    this.#used.set(taken, uuid === undefined);
    return taken;
  }

  /** The message was never written: another may have its uuid. */
  giveBack(uuid: string): void {
    this.#used.delete(uuid);
  }

  /** Whether nobody outside knows it. */
  isOwn(uuid: string): boolean {
    return this.#used.get(uuid) === true;
  }
}
