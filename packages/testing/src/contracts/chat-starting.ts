import { assert } from './assert.ts';
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
  steering,
  wholeTurn,
  type ChatPromises,
} from './chat-fixture.ts';

export const starting: ChatPromises = {
  async 'accepts a message, and streams its turn to the end'(chats) {
    const whole = await wholeTurn(chats, 'chat', 'one');
    assert.equal(count(whole, answerTo('one')), 1);
    assert.deepEqual(chats.received('chat', ada), ['text of one']);
  },

  async 'begins no chat with a message that continues one, such as one that was deleted'(chats) {
    const continuing = { steer: false, continues: true };
    const send = (id: string) => chats.sessions.start('chat', message(id), continuing, ada);
    assert.deepEqual(await send('one'), { kind: 'unknown' });
    await wholeTurn(chats, 'chat', 'one');
    const reading = await accepted(chats, 'chat', { id: 'two', sendOptions: continuing });
    await (await chats.turn('chat', ada)).end();
    await reading.rest();
    await chats.sessions.delete('chat', ada);
    assert.deepEqual(await send('three'), { kind: 'unknown' });
    assert.deepEqual(await chats.sessions.list({ limit: 9, offset: 0 }, ada), []);
    assert.equal(await chats.sessions.stream('chat', ada), undefined);
  },

  async 'accepts the next message as soon as the stream of the turn has ended'(chats) {
    const ids = ['one', 'two', 'three', 'four'];
    for (const id of ids) assert.equal(count(await wholeTurn(chats, 'chat', id), answerTo(id)), 1);
    assert.deepEqual(
      chats.received('chat', ada),
      ids.map((id) => `text of ${id}`),
    );
  },

  async 'streams the turn of a message again that is sent again while it runs, and runs it once'(chats) {
    const first = await accepted(chats, 'chat', { id: 'one' });
    const turn = await chats.turn('chat', ada);
    await turn.write('so far, ');
    await first.until('so far, ');
    const again = await chats.sessions.start('chat', message('one'), alone, ada);
    assert.ok(again.kind === 'duplicate' && again.stream !== undefined, `It is ${JSON.stringify(again)}.`);
    await turn.write('and the rest.');
    await turn.end();
    const whole = await new ChatReading(again.stream).rest();
    assert.deepEqual([count(whole, 'so far, '), count(whole, 'and the rest.')], [1, 1]);
    assert.deepEqual(chats.received('chat', ada), ['text of one']);
  },

  async 'runs no message again that is sent again after its turn'(chats) {
    await wholeTurn(chats, 'chat', 'one');
    assert.deepEqual(await chats.sessions.start('chat', message('one'), alone, ada), {
      kind: 'duplicate',
      stream: undefined,
    });
    await wholeTurn(chats, 'chat', 'two');
    assert.deepEqual(await chats.sessions.start('chat', message('one'), alone, ada), {
      kind: 'duplicate',
      stream: undefined,
    });
    assert.deepEqual(chats.received('chat', ada), ['text of one', 'text of two']);
  },

  async 'runs a message once that is sent by many at the same time'(chats) {
    const starts = await Promise.all([1, 2, 3, 4].map(() => chats.sessions.start('chat', message('one'), alone, ada)));
    const readings = starts.map((started) => {
      assert.ok('stream' in started && started.stream !== undefined, `One of them is ${started.kind}.`);
      return new ChatReading(started.stream);
    });
    const turn = await chats.turn('chat', ada);
    await turn.write('for all.');
    await turn.end();
    for (const each of readings) assert.equal(count(await each.rest(), 'for all.'), 1);
    assert.equal(starts.filter(({ kind }) => kind === 'accepted').length, 1);
    assert.deepEqual(chats.received('chat', ada), ['text of one']);
  },

  async 'refuses another message while a turn runs, which may be sent again when it has ended'(chats) {
    const first = await accepted(chats, 'chat', { id: 'one' });
    assert.deepEqual(await chats.sessions.start('chat', message('two'), alone, ada), { kind: 'busy' });
    const turn = await chats.turn('chat', ada);
    assert.deepEqual(await chats.sessions.start('chat', message('two'), alone, ada), { kind: 'busy' });
    await turn.end();
    await first.rest();
    await wholeTurn(chats, 'chat', 'three');
    assert.deepEqual(chats.received('chat', ada), ['text of one', 'text of three']);
    await wholeTurn(chats, 'chat', 'two');
    assert.deepEqual(chats.received('chat', ada), ['text of one', 'text of three', 'text of two']);
  },

  async 'accepts one of several messages at the same time'(chats) {
    const ids = ['one', 'two', 'three', 'four'];
    const starts = await Promise.all(ids.map((id) => chats.sessions.start('chat', message(id), alone, ada)));
    assert.deepEqual(starts.map(({ kind }) => kind).toSorted(), ['accepted', 'busy', 'busy', 'busy']);
    const turn = await chats.turn('chat', ada);
    await turn.end();
    const winner = ids.find((_, at) => starts[at]?.kind === 'accepted');
    assert.deepEqual(chats.received('chat', ada), [`text of ${winner}`]);
  },

  async 'lets a message join the turn that runs, when it is to'(chats) {
    const first = await accepted(chats, 'chat', { id: 'one' });
    const turn = await chats.turn('chat', ada);
    await turn.write('before, ');
    await first.until('before, ');
    const joined = await accepted(chats, 'chat', { id: 'two', sendOptions: steering });
    await turn.write('after.');
    await joined.until('after.');
    await turn.end();
    // The agent may take it up in this turn or in one behind it; it runs once, and nothing of the first turn is missing.
    const whole = await first.rest();
    assert.deepEqual([count(whole, 'before, '), count(whole, 'after.')], [1, 1]);
    const behind = await chats.sessions.stream('chat', ada);
    if (behind !== undefined) {
      await (await chats.turn('chat', ada)).end();
      await new ChatReading(behind).rest();
    }
    assert.deepEqual(await chats.sessions.start('chat', message('two'), steering, ada), {
      kind: 'duplicate',
      stream: undefined,
    });
    assert.deepEqual(chats.received('chat', ada), ['text of one', 'text of two']);
  },

  async 'begins a turn with a message that is to join one where none runs'(chats) {
    const first = await accepted(chats, 'chat', { id: 'one', sendOptions: steering });
    await (await chats.turn('chat', ada)).end();
    await first.rest();
    assert.deepEqual(chats.received('chat', ada), ['text of one']);
  },

  async 'takes the same id in another chat for another message'(chats) {
    for (const chat of ['chat', 'chat-2', 'Chat']) await wholeTurn(chats, chat, 'one');
    for (const chat of ['chat', 'chat-2', 'Chat']) assert.deepEqual(chats.received(chat, ada), ['text of one']);
  },

  async 'runs turns of several chats at the same time'(chats) {
    const ids = ['a', 'b', 'c'];
    const readings = await Promise.all(ids.map((id) => accepted(chats, id, { id: 'one' })));
    const turns = await Promise.all(ids.map((id) => chats.turn(id, ada)));
    for (const [at, turn] of turns.entries()) await turn.write(`only of ${ids[at]}.`);
    for (const turn of turns.toReversed()) await turn.end();
    for (const [at, each] of readings.entries()) {
      const whole = await each.rest();
      assert.deepEqual(
        ids.map((id) => count(whole, `only of ${id}.`)),
        ids.map((_, other) => (other === at ? 1 : 0)),
      );
    }
  },

  async 'keeps chats apart that different tenants call by the same id'(chats) {
    // The last two look like each other, where a tenant and an id are joined with a dot.
    const callers = [ada, of('north'), of('south'), of('north.chat')];
    const readings = await Promise.all(callers.map((caller) => accepted(chats, 'chat', { id: 'one', caller })));
    for (const [at, caller] of callers.entries()) {
      const turn = await chats.turn('chat', caller);
      await turn.write(`for ${at}.`);
      await readings[at]?.until(`for ${at}.`);
    }
    for (const [at, caller] of callers.entries()) {
      const other = await reading(chats, 'chat', caller);
      assert.equal(await chats.sessions.interrupt('chat', caller), true);
      const whole = await other.rest();
      assert.deepEqual(
        callers.map((_, each) => count(whole, `for ${each}.`)),
        callers.map((_, each) => (each === at ? 1 : 0)),
      );
      assert.equal(await chats.sessions.stream('chat', caller), undefined);
    }
  },
};

export const whereFewFit: ChatPromises = {
  async 'takes a message that found no room for one that was never sent'(chats) {
    const { sessions } = chats;
    const running: string[] = [];
    for (const id of Array.from({ length: 10 }, (_, at) => `chat-${at}`)) {
      const started = await sessions.start(id, message('one'), alone, ada);
      if (started.kind === 'full') break;
      assert.equal(started.kind, 'accepted');
      running.push(id);
    }
    const last = `chat-${running.length}`;
    assert.ok(running.length > 0 && running.length < 10, `${running.length} chats fit.`);
    assert.equal(await sessions.stream(last, ada), undefined);
    for (const id of running) {
      const left = await reading(chats, id);
      await (await chats.turn(id, ada)).end();
      await left.rest();
    }
    await wholeTurn(chats, last, 'one');
    assert.deepEqual(chats.received(last, ada), ['text of one']);
  },
};
