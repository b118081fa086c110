import { kindOf, SdkError, type Ids, type UserInput } from '@hexagent/ports';

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

  /**
   * @throws {SdkError} `MESSAGE_REPEATED`.
   * @throws {TypeError} for what is no text: the agent takes it and names the message by a copy, which is nobody's.
   */
  take({ uuid }: UserInput): string {
    const taken: unknown = uuid ?? this.#ids.uuid();
    if (typeof taken !== 'string')
      throw new TypeError(`The \`uuid\` of a message must be a text, not ${kindOf(taken)}.`);
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
