import { assert } from './assert.ts';
import type { ChatCaller } from '@hexagent/ports';
import {
  accepted,
  ada,
  alone,
  answerTo,
  ChatReading,
  count,
  message,
  of,
  reading,
  wholeTurn,
  type ChatPromises,
  type OpenedChats,
} from './chat-fixture.ts';

/** A chat whose agent has died in the turn of the message `one`. */
async function cut(chats: OpenedChats, caller: ChatCaller = ada): Promise<void> {
  const own = await accepted(chats, 'chat', { id: 'one', caller });
  const turn = await chats.turn('chat', caller);
  await turn.write('half of it.');
  await own.until('half of it.');
  await turn.die();
  await own.rest();
}

/** As the list and the history show it. */
async function statesOf({ sessions, history }: OpenedChats, caller: ChatCaller = ada): Promise<readonly unknown[]> {
  const [summary] = await sessions.list({ limit: 10, offset: 0 }, caller);
  return [summary?.state, (await history.messages('chat', { limit: 10 }, caller))?.state];
}

async function answer(chats: OpenedChats, stream: ChatReading): Promise<void> {
  const turn = await chats.turn('chat', ada);
  await turn.write(answerTo('one'));
  await turn.end();
  assert.equal(count(await stream.rest(), answerTo('one')), 1);
}

export const goingOn: ChatPromises = {
  async 'ends the stream of a turn whose agent dies, and holds its message'(chats) {
    await cut(chats);
    await untilHeld(chats);
    assert.deepEqual(await statesOf(chats), ['held', 'held']);
    assert.equal(await chats.sessions.stream('chat', ada), undefined);
    assert.deepEqual(chats.received('chat', ada), ['text of one']);
  },

  async 'continues a message that was cut off when it is restarted, and streams its turn'(chats) {
    await cut(chats);
    await untilHeld(chats);
    assert.equal(await chats.sessions.restart('chat', ada), true);
    const stream = await reading(chats, 'chat');
    assert.deepEqual(await statesOf(chats), ['running', 'running']);
    await answer(chats, stream);
    assert.deepEqual(await statesOf(chats), ['idle', 'idle']);
    assert.deepEqual(chats.received('chat', ada), ['text of one']);
    const page = await chats.history.messages('chat', { limit: 10 }, ada);
    assert.equal(page?.messages.length, 2);
  },

  async 'continues a message that was cut off when it is sent again'(chats) {
    await cut(chats);
    await untilHeld(chats);
    const again = await chats.sessions.start('chat', message('one'), alone, ada);
    assert.ok(again.kind === 'duplicate' && again.stream !== undefined, `It is ${JSON.stringify(again)}.`);
    await answer(chats, new ChatReading(again.stream));
    assert.deepEqual(chats.received('chat', ada), ['text of one']);
  },

  async 'gives up a message that was cut off when it is discarded, and takes the next one'(chats) {
    await cut(chats);
    await untilHeld(chats);
    assert.equal(await chats.sessions.discard('chat', ada), true);
    assert.deepEqual(await statesOf(chats), ['idle', 'idle']);
    assert.equal(await chats.sessions.restart('chat', ada), false);
    await wholeTurn(chats, 'chat', 'two');
    assert.deepEqual(chats.received('chat', ada), ['text of one', 'text of two']);
    assert.deepEqual(await chats.sessions.start('chat', message('one'), alone, ada), {
      kind: 'duplicate',
      stream: undefined,
    });
  },

  async 'leaves a chat alone in which nothing was cut off, and reports that'(chats) {
    const each = async (chatId: string, caller: ChatCaller): Promise<readonly boolean[]> => [
      await chats.sessions.restart(chatId, caller),
      await chats.sessions.discard(chatId, caller),
    ];
    assert.deepEqual(await each('chat', ada), [false, false]);
    await wholeTurn(chats, 'chat', 'one');
    assert.deepEqual(await each('chat', ada), [false, false]);
    const stream = await accepted(chats, 'chat', { id: 'two' });
    const turn = await chats.turn('chat', ada);
    assert.deepEqual(await each('chat', ada), [false, false]);
    await turn.write(answerTo('two'));
    await turn.end();
    assert.equal(count(await stream.rest(), answerTo('two')), 1);
    assert.deepEqual(chats.received('chat', ada), ['text of one', 'text of two']);
  },

  async 'continues no chat of another tenant, and discards nothing of it'(chats) {
    await cut(chats, of('north'));
    await untilHeld(chats, of('north'));
    for (const caller of [ada, of('south')]) {
      assert.equal(await chats.sessions.restart('chat', caller), false);
      assert.equal(await chats.sessions.discard('chat', caller), false);
    }
    assert.deepEqual(await statesOf(chats, of('north')), ['held', 'held']);
  },
};

/** A moment after the end of the stream, since what becomes of the message is stored first. */
async function untilHeld(chats: OpenedChats, caller: ChatCaller = ada): Promise<void> {
  for (let left = 10_000; left > 0; left -= 1) {
    if ((await statesOf(chats, caller)).every((state) => state === 'held')) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
