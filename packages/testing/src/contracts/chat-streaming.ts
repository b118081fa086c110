import { assert } from './assert.ts';
import { accepted, ada, answerTo, count, of, reading, wholeTurn, type ChatPromises } from './chat-fixture.ts';

export const streaming: ChatPromises = {
  async 'has no stream for a chat that is not there, and none where no turn runs'(chats) {
    assert.equal(await chats.sessions.stream('chat', ada), undefined);
    await wholeTurn(chats, 'chat', 'one');
    assert.equal(await chats.sessions.stream('chat', ada), undefined);
    assert.equal(await chats.sessions.stream('another', ada), undefined);
  },

  async 'has a stream from the moment at which a message is accepted'(chats) {
    const own = await accepted(chats, 'chat', { id: 'one' });
    const other = await reading(chats, 'chat');
    const turn = await chats.turn('chat', ada);
    await turn.write(answerTo('one'));
    await turn.end();
    for (const each of [own, other]) assert.equal(count(await each.rest(), answerTo('one')), 1);
  },

  async 'gives every reader the whole turn, whenever it came'(chats) {
    const readers = [await accepted(chats, 'chat', { id: 'one' })];
    const turn = await chats.turn('chat', ada);
    const pieces = ['one, ', 'two, ', 'three, ', 'four.'];
    for (const piece of pieces) {
      readers.push(await reading(chats, 'chat'));
      await turn.write(piece);
      await readers.at(-1)?.until(piece);
    }
    await turn.end();
    for (const each of readers) {
      const whole = await each.rest();
      assert.deepEqual(
        pieces.map((piece) => count(whole, piece)),
        [1, 1, 1, 1],
      );
    }
  },

  async 'leaves a turn running for the others when a reader goes'(chats) {
    const [first, second] = [await accepted(chats, 'chat', { id: 'one' }), await reading(chats, 'chat')];
    const turn = await chats.turn('chat', ada);
    await turn.write('before, ');
    await first.until('before, ');
    await first.cancel();
    await turn.write('after.');
    await turn.end();
    const whole = await second.rest();
    assert.deepEqual([count(whole, 'before, '), count(whole, 'after.')], [1, 1]);
  },

  async 'leaves a turn running when all readers go, for those who come back'(chats) {
    const first = await accepted(chats, 'chat', { id: 'one' });
    const turn = await chats.turn('chat', ada);
    await first.cancel();
    await turn.write('meanwhile, ');
    const back = await reading(chats, 'chat');
    await turn.write('and now.');
    await turn.end();
    const whole = await back.rest();
    assert.deepEqual([count(whole, 'meanwhile, '), count(whole, 'and now.')], [1, 1]);
  },

  async 'holds up neither the agent nor other readers for one that does not read'(chats) {
    const idle = await accepted(chats, 'chat', { id: 'one' });
    const reader = await reading(chats, 'chat');
    const turn = await chats.turn('chat', ada);
    const piece = `${'word '.repeat(800)}\n`;
    for (let left = 100; left > 0; left -= 1) await turn.write(piece);
    await turn.write('the last.');
    await turn.end();
    assert.equal(count(await reader.rest(), 'the last.'), 1);
    const late = await idle.rest();
    assert.equal(count(late, 'the last.'), 1);
    assert.equal(count(late, 'word '), 80_000);
  },

  async 'stops a turn that runs, ends its streams, and takes the next message'(chats) {
    const [own, other] = [await accepted(chats, 'chat', { id: 'one' }), await reading(chats, 'chat')];
    const turn = await chats.turn('chat', ada);
    await turn.write('so far.');
    await own.until('so far.');
    assert.equal(await chats.sessions.interrupt('chat', ada), true);
    for (const each of [own, other]) assert.equal(count(await each.rest(), 'so far.'), 1);
    await wholeTurn(chats, 'chat', 'two');
    assert.deepEqual(chats.received('chat', ada), ['text of one', 'text of two']);
  },

  async 'reports that there was no turn to stop'(chats) {
    assert.equal(await chats.sessions.interrupt('chat', ada), false);
    await wholeTurn(chats, 'chat', 'one');
    assert.equal(await chats.sessions.interrupt('chat', ada), false);
    assert.equal(await chats.sessions.interrupt('another', ada), false);
  },

  async 'stops no turn of another chat, nor of another tenant'(chats) {
    const own = await accepted(chats, 'chat', { id: 'one' });
    const turn = await chats.turn('chat', ada);
    assert.equal(await chats.sessions.interrupt('another', ada), false);
    assert.equal(await chats.sessions.interrupt('chat', of('north')), false);
    await turn.write('goes on.');
    await turn.end();
    assert.equal(count(await own.rest(), 'goes on.'), 1);
  },
};
