import { assert } from './assert.ts';
import type { ChatCaller, ChatSummary } from '@hexagent/ports';
import { accepted, ada, laterMillisecond, of, wholeTurn, type ChatPromises, type OpenedChats } from './chat-fixture.ts';

const listed = (
  { sessions }: OpenedChats,
  caller: ChatCaller = ada,
  page: { limit?: number; offset?: number } = {},
): Promise<readonly ChatSummary[]> => sessions.list({ limit: 100, offset: 0, ...page }, caller);

const idsOf = async (...list: Parameters<typeof listed>): Promise<readonly string[]> =>
  (await listed(...list)).map(({ id }) => id);

export const listing: ChatPromises = {
  async 'lists nothing where there is no chat'(chats) {
    assert.deepEqual(await listed(chats), []);
    assert.deepEqual(await listed(chats, of('north')), []);
  },

  async 'lists chats by the page, and first the one that was used last'(chats) {
    for (const id of ['a', 'b', 'c', 'a']) {
      await wholeTurn(chats, id, `m${(await idsOf(chats)).length}`);
      await laterMillisecond();
    }
    assert.deepEqual(await idsOf(chats), ['a', 'c', 'b']);
    assert.deepEqual(await idsOf(chats, ada, { limit: 2 }), ['a', 'c']);
    assert.deepEqual(await idsOf(chats, ada, { limit: 2, offset: 2 }), ['b']);
    assert.deepEqual(await idsOf(chats, ada, { limit: 2, offset: 3 }), []);
  },

  async 'shows when a chat last changed, and whether something runs or waits in it'(chats) {
    const before = Date.now();
    const reading = await accepted(chats, 'chat', { id: 'one' });
    const turn = await chats.turn('chat', ada);
    const state = async (): Promise<unknown> => (await listed(chats))[0]?.state;
    assert.equal(await state(), 'running');
    const { id, answer } = await turn.ask({ kind: 'permission' });
    assert.equal(await state(), 'awaiting-approval');
    await chats.approvals.settle('chat', id, { approved: true }, ada);
    await answer;
    assert.equal(await state(), 'running');
    await turn.end();
    await reading.rest();
    const [summary] = await listed(chats);
    assert.ok(summary !== undefined);
    const { updatedAt, title, state: last } = summary;
    assert.equal(last, 'idle');
    assert.ok(updatedAt >= before && updatedAt <= Date.now(), `It changed at ${updatedAt}.`);
    assert.ok(title === undefined || title !== '', 'Its title is empty.');
  },

  async 'lists to a tenant its own chats only'(chats) {
    await wholeTurn(chats, 'of-nobody', 'one');
    for (const tenant of ['north', 'south', 'north.x']) await wholeTurn(chats, `of-${tenant[0]}`, 'one', of(tenant));
    assert.deepEqual(await idsOf(chats), ['of-nobody']);
    assert.deepEqual(await idsOf(chats, of('north')), ['of-n']);
    assert.deepEqual(await idsOf(chats, of('south')), ['of-s']);
    assert.deepEqual(await idsOf(chats, of('nort')), []);
  },

  async 'renames a chat, and no chat of another tenant'(chats) {
    assert.equal(await chats.sessions.rename('chat', 'The slow tests', ada), false);
    await wholeTurn(chats, 'chat', 'one');
    assert.equal(await chats.sessions.rename('chat', 'The slow tests', of('north')), false);
    assert.equal(await chats.sessions.rename('chat', 'The slow tests', ada), true);
    await wholeTurn(chats, 'chat', 'two');
    assert.deepEqual(
      (await listed(chats)).map(({ title }) => title),
      ['The slow tests'],
    );
  },

  async 'deletes a chat with its turn, and reports whether there was one'(chats) {
    assert.equal(await chats.sessions.delete('chat', ada), false);
    await wholeTurn(chats, 'other', 'one');
    const reading = await accepted(chats, 'chat', { id: 'one' });
    const turn = await chats.turn('chat', ada);
    await turn.write('so far.');
    await reading.until('so far.');
    assert.equal(await chats.sessions.delete('chat', ada), true);
    await reading.rest();
    assert.equal(await chats.sessions.stream('chat', ada), undefined);
    assert.equal(await chats.history.messages('chat', { limit: 10 }, ada), undefined);
    assert.deepEqual(await idsOf(chats), ['other']);
    assert.equal(await chats.sessions.delete('chat', ada), false);
  },

  async 'begins a new chat under the id of one that was deleted'(chats) {
    await wholeTurn(chats, 'chat', 'one');
    await wholeTurn(chats, 'chat', 'two');
    await chats.sessions.delete('chat', ada);
    await wholeTurn(chats, 'chat', 'one');
    assert.equal((await chats.history.messages('chat', { limit: 10 }, ada))?.messages.length, 2);
    assert.deepEqual(await idsOf(chats), ['chat']);
  },

  async 'deletes no chat of another tenant'(chats) {
    await wholeTurn(chats, 'chat', 'one', of('north'));
    assert.equal(await chats.sessions.delete('chat', ada), false);
    assert.equal(await chats.sessions.delete('chat', of('south')), false);
    assert.deepEqual(await idsOf(chats, of('north')), ['chat']);
  },
};
