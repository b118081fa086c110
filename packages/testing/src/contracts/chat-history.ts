import { assert } from './assert.ts';
import type { ChatHistoryPage } from '@hexagent/ports';
import {
  accepted,
  ada,
  answerTo,
  ChatReading,
  count,
  of,
  runChatPromises,
  wholeTurn,
  type ChatPromises,
  type ChatsFixture,
  type OpenedChats,
} from './chat-fixture.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';

/** What every `ChatHistory` promises, beside the chats that it has the messages of. */
export function chatHistoryContract(runner: Runner, fixture: ChatsFixture): void {
  const limited = limitedRunner('chatHistoryContract', runner, fixture);
  const { open } = fixture;
  limited.describe('ChatHistory contract', () => runChatPromises(limited, open, promises));
}

interface Shown extends ChatHistoryPage {
  readonly ids: readonly string[];
  readonly texts: readonly string[];
}

async function page(chats: OpenedChats, asked: { limit?: number; before?: string } = {}, caller = ada): Promise<Shown> {
  const { history, textOf = textOfParts } = chats;
  const found = await history.messages('chat', { limit: 100, ...asked }, caller);
  assert.ok(found !== undefined, 'There is no such chat.');
  return { ...found, ids: found.messages.map((each) => idOf(each)), texts: found.messages.map((each) => textOf(each)) };
}

function idOf(message: unknown): string {
  const id: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'id') : undefined;
  assert.ok(typeof id === 'string' && id !== '', `A message has no id: ${JSON.stringify(message)}`);
  return id;
}

function textOfParts(message: unknown): string {
  const parts: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'parts') : undefined;
  assert.ok(Array.isArray(parts), `A message has no parts: ${JSON.stringify(message)}`);
  return parts.map((part: { readonly text?: string }) => part.text ?? '').join('');
}

const promises: ChatPromises = {
  async 'has nothing of a chat that is not there'(chats) {
    assert.equal(await chats.history.messages('chat', { limit: 10 }, ada), undefined);
    await wholeTurn(chats, 'another', 'one');
    assert.equal(await chats.history.messages('chat', { limit: 10 }, ada), undefined);
  },

  async 'has each message and its answer once, the oldest first'(chats) {
    for (const id of ['one', 'two', 'three']) await wholeTurn(chats, 'chat', id);
    const { texts, hasEarlier, isRunning } = await page(chats);
    assert.deepEqual(texts, [
      'text of one',
      answerTo('one'),
      'text of two',
      answerTo('two'),
      'text of three',
      answerTo('three'),
    ]);
    assert.deepEqual([hasEarlier, isRunning], [false, false]);
  },

  async 'has a message as soon as it is accepted, and leaves its answer to the stream of the turn'(chats) {
    await wholeTurn(chats, 'chat', 'one');
    const reading = await accepted(chats, 'chat', { id: 'two' });
    const early = await page(chats);
    assert.deepEqual([early.texts, early.isRunning], [['text of one', answerTo('one'), 'text of two'], true]);
    const turn = await chats.turn('chat', ada);
    await turn.write(answerTo('two'));
    await reading.until(answerTo('two'));
    const between = await page(chats);
    assert.deepEqual([between.texts, between.isRunning], [early.texts, true]);
    await turn.end();
    assert.equal(count(await reading.rest(), answerTo('two')), 1);
    const late = await page(chats);
    assert.deepEqual([late.texts, late.isRunning], [[...early.texts, answerTo('two')], false]);
  },

  async 'has a cursor, after which the stream of a turn that ends meanwhile is still there'(chats) {
    const reading = await accepted(chats, 'chat', { id: 'one' });
    const early = await page(chats);
    const turn = await chats.turn('chat', ada);
    await turn.write(answerTo('one'));
    await turn.end();
    await reading.rest();
    const { sessions } = chats;
    for (const after of [early.cursor, early.cursor]) {
      const missed = await sessions.stream('chat', ada, { after });
      assert.ok(missed !== undefined, 'The turn that has ended has no stream.');
      assert.equal(count(await new ChatReading(missed).rest(), answerTo('one')), 1);
    }
    const { cursor } = await page(chats);
    assert.equal(await sessions.stream('chat', ada, { after: cursor }), undefined);
    assert.equal(await sessions.stream('chat', ada), undefined);
  },

  async 'returns the last messages, and those before one of them, each once'(chats) {
    for (const id of ['one', 'two', 'three']) await wholeTurn(chats, 'chat', id);
    const { ids } = await page(chats);
    for (const limit of [1, 2, 4, 6]) {
      const seen: string[] = [];
      for (let before: string | undefined; ;) {
        const shown = await page(chats, { limit, ...(before === undefined ? {} : { before }) });
        assert.ok(shown.ids.length <= limit, `${shown.ids.length} came, where ${limit} were asked for.`);
        seen.unshift(...shown.ids);
        assert.equal(shown.hasEarlier, seen.length < ids.length);
        before = shown.ids[0];
        if (!shown.hasEarlier) break;
      }
      assert.deepEqual(seen, ids);
    }
  },

  async 'has nothing before the first message, and nothing before one that is not there'(chats) {
    await wholeTurn(chats, 'chat', 'one');
    const { ids } = await page(chats);
    for (const before of [ids[0] ?? '', 'no-such-message']) {
      const { messages, hasEarlier } = await page(chats, { before });
      assert.deepEqual([messages, hasEarlier], [[], false]);
    }
  },

  async 'calls a message by the same id each time, and no two alike'(chats) {
    for (const id of ['one', 'two']) await wholeTurn(chats, 'chat', id);
    const { ids } = await page(chats);
    await wholeTurn(chats, 'chat', 'three');
    const later = await page(chats);
    assert.deepEqual(later.ids.slice(0, ids.length), ids);
    assert.equal(new Set(later.ids).size, later.ids.length);
  },

  async 'shows a message once that was sent twice'(chats) {
    await wholeTurn(chats, 'chat', 'one');
    await chats.sessions.start('chat', { id: 'one', content: 'text of one' }, { steer: false }, ada);
    assert.deepEqual((await page(chats)).texts, ['text of one', answerTo('one')]);
  },

  async 'shows a tenant nothing of the chats of others'(chats) {
    await wholeTurn(chats, 'chat', 'one', of('north'));
    for (const caller of [ada, of('south')])
      assert.equal(await chats.history.messages('chat', { limit: 10 }, caller), undefined);
    assert.equal((await page(chats, {}, of('north'))).messages.length, 2);
  },
};
