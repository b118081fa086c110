import { kindOf } from '@hexagent/checks';
import { SdkError, type AgentMessage, type Ids, type UserInput } from '@hexagent/ports';

/**
 * The uuids of all messages. The agent drops a message with a repeated uuid silently, however long ago it was used, so
 * they are kept as long as the conversation lives: some hundred bytes for each message.
 */
export class MessageIds {
  readonly #ids: Ids;
  /** Whether each uuid was made here. */
  readonly #used = new Map<string, boolean>();

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /**
   * @throws {SdkError} `MESSAGE_REPEATED`.
   * @throws {TypeError} for what is not a text: the agent takes it and names the message by a converted copy, which matches no id here.
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

  /** Frees the uuid of a message that was never written. */
  giveBack(uuid: string): void {
    this.#used.delete(uuid);
  }

  /** Whether the uuid was made here, and so was never given to the program. */
  isOwn(uuid: string): boolean {
    return this.#used.get(uuid) === true;
  }
}

/** Frames that exist only because of how the SDK drives the agent are withheld. */
export function isForReaders(message: AgentMessage, ids: Pick<MessageIds, 'isOwn'>): boolean {
  if (message.type === 'command_lifecycle') return !ids.isOwn(message.command_uuid);
  // The SDK asked for this one. Other frames for hosts are delivered, as unknown frames are.
  return !(message.type === 'system' && message.subtype === 'session_state_changed' && message.sdk_host_only);
}

/** The id of the session that a turn begins in; `undefined` for other messages, and where it is not a text. */
export function sessionIdOf(message: AgentMessage): string | undefined {
  if (message.type !== 'system' || message.subtype !== 'init') return undefined;
  const { session_id: id }: { readonly session_id?: unknown } = message;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
