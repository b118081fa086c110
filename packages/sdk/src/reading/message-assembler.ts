import { isRecord } from '@hexagent/checks';
import type { AnyMessage } from '@hexagent/ports';
import { AssembledBlock, recordOf, stringOf, type Fields } from './assembled-block.ts';
import type { MessageSnapshot } from './message-snapshot.ts';

/** The answer that arrives. */
interface Assembled {
  readonly id: string;
  blocks: AssembledBlock[];
  /** Its blocks by their place in the stream of the model. */
  readonly streamed: Map<unknown, AssembledBlock>;
}

/**
 * Puts the answers of the main thread together from messages in any of their orders: a whole block comes before the end of its
 * stream, without any stream, or behind the results of tools. Keeps the answer that arrives, and of earlier ones only their ids.
 */
export class MessageAssembler {
  #current: Assembled | undefined;
  /** The model's message of each message of the agent, which takes messages back by their uuids. */
  readonly #ids = new Map<string, string>();

  /** The snapshots that change with a message: usually one or none. */
  push(message: AnyMessage): readonly MessageSnapshot[] {
    // A message is read field by field, since it may lack any of them.
    const fields = message as object as Fields;
    if (typeof fields['parent_tool_use_id'] === 'string') return [];
    switch (fields['type']) {
      case 'stream_event':
        return this.#event(recordOf(fields['event']), recordOf(fields['abandoned_blocks']));
      case 'assistant':
        return [...this.#takeBack(fields['supersedes']), ...this.#whole(fields)];
      case 'system':
        return this.#takeBack(fields['retracted_message_uuids']);
      default:
        return [];
    }
  }

  #event(event: Fields, { from_block_index: abandonedFrom }: Fields): readonly MessageSnapshot[] {
    const { type, index, delta, content_block: block, message } = event;
    if (type === 'message_start') {
      this.#current = { id: stringOf(recordOf(message)['id']), blocks: [], streamed: new Map() };
      return [];
    }
    const current = this.#current;
    if (current === undefined) return []; // reading began in the middle of an answer, whose whole blocks follow
    if (type === 'content_block_start' && isRecord(block)) {
      const started = new AssembledBlock(block);
      current.streamed.set(index, started);
      current.blocks.push(started);
      return [snapshotOf(current)];
    }
    const changed = current.streamed.get(index);
    if (type === 'content_block_delta') return changed?.append(recordOf(delta)) ? [snapshotOf(current)] : [];
    if (type === 'content_block_stop') return changed?.complete() ? [snapshotOf(current)] : [];
    return type === 'message_stop' && typeof abandonedFrom === 'number' ? this.#abandon(current, abandonedFrom) : [];
  }

  #whole({ message, uuid }: Fields): readonly MessageSnapshot[] {
    const { id: named, content } = recordOf(message);
    const [id, name] = [stringOf(named) || stringOf(uuid), stringOf(uuid)];
    const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
    if (blocks.length === 0) return [];
    if (this.#current?.id !== id) this.#current = { id, blocks: [], streamed: new Map() };
    const current = this.#current;
    this.#ids.set(name, id);
    for (const block of blocks) {
      let place = current.blocks.find((each) => each.isSame(block));
      if (place === undefined) current.blocks.push((place = new AssembledBlock(block)));
      place.completeWith(block, name);
    }
    return [snapshotOf(current)];
  }

  /** The stream broke off: what is not complete is not part of the conversation, and the agent asks again. */
  #abandon(current: Assembled, from: number): readonly MessageSnapshot[] {
    return this.#remove(
      current,
      new Set([...current.streamed].flatMap(([at, block]) => (Number(at) >= from ? block : []))),
    );
  }

  /** Another model answers in place of the one whose messages these are. */
  #takeBack(uuids: unknown): readonly MessageSnapshot[] {
    if (!Array.isArray(uuids)) return [];
    const ids = new Set<string>();
    for (const uuid of uuids) {
      const id = this.#ids.get(String(uuid));
      if (id !== undefined) ids.add(id);
      this.#ids.delete(String(uuid)); // they are named twice
    }
    const [current, named] = [this.#current, new Set<unknown>(uuids)];
    return [...ids].flatMap((id) =>
      id === current?.id
        ? this.#remove(current, new Set(current.blocks.filter(({ uuid }) => named.has(uuid))))
        : [{ id, text: '', blocks: [], isTakenBack: true }],
    );
  }

  #remove(current: Assembled, removed: ReadonlySet<AssembledBlock>): readonly MessageSnapshot[] {
    const kept = current.blocks.filter((block) => !removed.has(block));
    if (kept.length === current.blocks.length) return [];
    current.blocks = kept;
    return [{ ...snapshotOf(current), isTakenBack: true }];
  }
}

function snapshotOf({ id, blocks }: Assembled): MessageSnapshot {
  const snapshots = blocks.map(({ snapshot }) => snapshot);
  return {
    id,
    text: snapshots.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    blocks: snapshots,
    isTakenBack: false,
  };
}
