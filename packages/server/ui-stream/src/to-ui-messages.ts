import type { StoredMessage } from '@hexagent/ports';
import { buildMessage } from './build-message.ts';
import { plainText, recordOf, recordsOf, textOr, type Fields } from './loose.ts';
import { answerIdOf, createUiTranslator } from './translation.ts';
import { commandOutputIn, isInterruption, userPartsOf } from './user-parts.ts';
import type { UiChunk } from './ui-chunk.ts';
import type { UiMessage } from './ui-message.ts';
import type { SubagentView, UiTranslator } from './ui-translator.ts';

/** How to show what was stored. */
export interface UiHistoryOptions {
  /** The view of subagents, as for a turn that runs. Default `flat`. */
  readonly subagents?: SubagentView | undefined;
  /** The messages of subagents, in order; each is shown behind the call that started its subagent. Without it, none is shown. */
  readonly subagentMessages?: Iterable<StoredMessage> | undefined;
}

/**
 * The history of a session for a page: the same messages, with the same ids, that the page had when the turns ran, as far
 * as they are stored. Read the messages with `includeToolUseResults`, or the outputs of tools are what the model read.
 */
export function toUiMessages(stored: Iterable<StoredMessage>, options: UiHistoryOptions = {}): UiMessage[] {
  const history = new History(options);
  for (const message of stored) history.add(message);
  return history.end();
}

class History {
  readonly #messages: UiMessage[] = [];
  readonly #view: SubagentView | undefined;
  readonly #ofSubagents = new Map<string, StoredMessage[]>();
  #answer: StoredAnswer | undefined;
  /** The last message, if nothing has answered it yet. */
  #asked: string | undefined;

  constructor({ subagents, subagentMessages = [] }: UiHistoryOptions) {
    this.#view = subagents;
    for (const message of subagentMessages) {
      const call = message.parent_tool_use_id;
      if (call === null) continue;
      const some = this.#ofSubagents.get(call);
      if (some === undefined) this.#ofSubagents.set(call, [message]);
      else some.push(message);
    }
  }

  add(stored: StoredMessage): void {
    if (stored.type === 'assistant') return this.#answered(stored);
    if (stored.type !== 'user') return;
    const { content } = recordOf(stored.message);
    const text = plainText(content);
    if (stored.isCompactSummary === true) return this.#compacted(stored);
    if (stored.is_meta === true) return;
    if (recordsOf(content).some(({ type }) => type === 'tool_result')) return this.#answer?.push(stored);
    if (isInterruption(text) || commandOutputIn(text) !== undefined) return this.#running(stored).push(stored);
    if (isOfNobody(stored)) return this.#begunByNobody(stored);
    if (stored.isQueuedCommand === true && this.#answer !== undefined) return this.#answer.push(stored);
    this.#finish();
    this.#asked = stored.uuid;
    this.#messages.push({ id: stored.uuid, role: 'user', parts: userPartsOf(content) });
  }

  end(): UiMessage[] {
    this.#finish();
    return this.#messages;
  }

  #answered(stored: StoredMessage): void {
    const answer = this.#running(stored);
    answer.push(stored);
    for (const { type, id } of recordsOf(recordOf(stored.message)['content']))
      if (type === 'tool_use' && typeof id === 'string') this.#addSubagent(id);
  }

  /** Adds all messages of a subagent behind the call that started it. */
  #addSubagent(call: string): void {
    const messages = this.#ofSubagents.get(call) ?? [];
    this.#ofSubagents.delete(call);
    for (const message of messages) {
      this.#answer?.push(message);
      for (const { type, id } of recordsOf(recordOf(message.message)['content']))
        if (type === 'tool_use' && typeof id === 'string') this.#addSubagent(id);
    }
  }

  #running(stored: StoredMessage): StoredAnswer {
    this.#answer ??= new StoredAnswer(answerIdOf(this.#asked ?? stored.uuid), stored.session_id, this.#view);
    this.#asked = undefined;
    return this.#answer;
  }

  /** A task that reports back begins a turn, or is read within one. */
  #begunByNobody(stored: StoredMessage): void {
    if (stored.isQueuedCommand === true) return;
    this.#finish();
    this.#asked = stored.uuid;
  }

  #compacted({ uuid }: StoredMessage): void {
    this.#finish();
    const parts: UiMessage['parts'] = [{ type: 'data-compaction', id: uuid, data: {} }];
    this.#messages.push({ id: answerIdOf(uuid), role: 'assistant', parts });
  }

  #finish(): void {
    if (this.#answer === undefined) return;
    this.#messages.push(this.#answer.end());
    this.#answer = undefined;
  }
}

/** An answer that is made of stored messages. */
class StoredAnswer {
  readonly #translator: UiTranslator;
  readonly #chunks: UiChunk[] = [];
  #isInterrupted = false;
  #isDescribed = false;
  /** The calls of the tool by which the model gives structured output. */
  readonly #outputs = new Map<unknown, unknown>();
  #output: { readonly value: unknown } | undefined;

  constructor(messageId: string, sessionId: string, subagents: SubagentView | undefined) {
    this.#translator = createUiTranslator({ messageId, subagents });
    // Only the id of the session is available before the first message.
    this.#send({ type: 'command_lifecycle', session_id: sessionId });
  }

  push(stored: StoredMessage): void {
    const message = recordOf(stored.message);
    this.#describe(message['model']);
    this.#note(message, stored);
    if (isInterruption(plainText(message['content']))) this.#isInterrupted = true;
    this.#send({ ...stored, agent_id: undefined });
  }

  end(): UiMessage {
    const output = this.#output && { structured_output: this.#output.value };
    if (output !== undefined) this.#send({ type: 'result', subtype: 'success', ...output });
    this.#add(this.#translator.end(this.#isInterrupted ? { kind: 'aborted' } : undefined));
    return buildMessage(this.#chunks);
  }

  #send(message: Fields & { readonly type: string }): void {
    this.#add(this.#translator.push(message));
  }

  /** One by one: a message may have more blocks than a call can have arguments. */
  #add(chunks: readonly UiChunk[]): void {
    for (const chunk of chunks) this.#chunks.push(chunk);
  }

  #describe(model: unknown): void {
    if (this.#isDescribed || typeof model !== 'string' || model === '<synthetic>') return;
    this.#isDescribed = true;
    this.#chunks.push({ type: 'message-metadata', messageMetadata: { model } });
  }

  #note(message: Fields, stored: StoredMessage): void {
    if (stored.parent_tool_use_id !== null) return;
    for (const block of recordsOf(message['content'])) {
      if (block['type'] === 'tool_use' && block['name'] === 'StructuredOutput')
        this.#outputs.set(block['id'], block['input']);
      const call = textOr(block['tool_use_id'], '');
      if (block['is_error'] !== true && this.#outputs.has(call)) this.#output = { value: this.#outputs.get(call) };
    }
  }
}

/** Whether it was not sent by a person, such as the report of a task. */
function isOfNobody({ origin }: StoredMessage): boolean {
  const { kind } = recordOf(origin);
  return typeof kind === 'string' && kind !== 'human' && kind !== 'channel' && kind !== 'peer';
}
