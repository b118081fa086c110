import type { SessionStore } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import type { Options } from '../src/official.ts';
import { PlayedConversations } from './played-conversations.ts';
import { collect, settle, start } from './start.ts';

const id = '11111111-2222-4333-8444-555555555555';
const store = { append: async () => {}, load: async () => null, listSessions: async () => [] };

/** Programs without types pass anything. */
const given = (options: object): Options => options;

describe('The option `sessionStore`', () => {
  it('is given to what mirrors the transcript, with when it is to be written, and the agent hands that over', async () => {
    const { seen, conversation } = start('Hello', { sessionStore: store });
    await settle();
    expect(seen.mirror).toEqual({ store, flush: 'batched' });
    expect(seen.launch).toMatchObject({ sessionMirror: true });
    expect(conversation.agent.launch).toBeDefined();
    const eager = start('Hello', { sessionStore: store, sessionStoreFlush: 'eager' });
    await settle();
    expect(eager.seen.mirror?.flush).toBe('eager');
  });

  it.each([undefined, null, false, 0, ''])('asks for nothing with %o', async (none) => {
    const { seen } = start('Hello', given({ sessionStore: none, sessionStoreFlush: 'odd', loadTimeoutMs: 'odd' }));
    await settle();
    expect(seen.mirror).toBeUndefined();
    expect(seen.launch).not.toHaveProperty('sessionMirror');
  });

  it.each<[string, object, RegExp]>([
    ['a text', { sessionStore: 'memory' }, /`sessionStore` must be a store/],
    ['no methods', { sessionStore: {} }, /`sessionStore` must be a store/],
    ['a list', { sessionStore: [store] }, /`sessionStore` must be a store/],
    ['persistSession: false', { sessionStore: store, persistSession: false }, /`persistSession: false`/],
    ['file checkpoints', { sessionStore: store, enableFileCheckpointing: true }, /`enableFileCheckpointing`/],
    ['nothing to load', { sessionStore: { append: store.append }, resume: id }, /must have load\(\)/],
    ['no list', { sessionStore: { append: store.append, load: store.load }, continue: true }, /listSessions\(\)/],
    ['another flush', { sessionStore: store, sessionStoreFlush: 'sometimes' }, /`sessionStoreFlush` must be batched/],
    ['no time', { sessionStore: store, resume: id, loadTimeoutMs: -1 }, /`loadTimeoutMs`/],
    ['a time as text', { sessionStore: store, resume: id, loadTimeoutMs: '5' }, /`loadTimeoutMs`/],
  ])('is refused with %s', (_, options, message) => {
    expect(() => start('Hello', given(options))).toThrow(message);
    expect(() => start('Hello', given(options))).toThrow(TypeError);
  });

  it('may be of a class', async () => {
    class Kept implements SessionStore {
      append = store.append;
      load(): Promise<null> {
        return store.load();
      }
    }
    const { seen } = start('Hello', given({ sessionStore: new Kept(), resume: id }));
    await settle();
    expect(seen.mirror?.store).toBeInstanceOf(Kept);
  });
});

describe('What is resumed from a store', () => {
  const conversations = (): PlayedConversations => new PlayedConversations();

  it('is loaded before the agent is started, and becomes its config folder', async () => {
    const restored = { sessionId: id, files: [{ path: 'projects/x/y.jsonl', lines: ['{}'] }] };
    const options = { sessionStore: store, resume: id, cwd: '/work', loadTimeoutMs: 5 };
    const { seen } = start('Hello', options, conversations(), {}, async () => restored);
    await settle();
    expect(seen.restoring).toMatchObject({ store, sessionId: id, cwd: '/work', timeoutMs: 5 });
    expect(seen.launch).toMatchObject({ resume: id, configFolder: { files: restored.files } });
  });

  it('is the newest session with `continue`, which the agent then does not receive', async () => {
    const restored = { sessionId: id, files: [] };
    const options = { sessionStore: store, continue: true, forkSession: true };
    const { seen } = start('Hello', options, conversations(), {}, async () => restored);
    await settle();
    expect(seen.restoring).toMatchObject({ sessionId: undefined, timeoutMs: 60_000 });
    expect(seen.launch).toMatchObject({ resume: id, continue: undefined, forkSession: true });
  });

  it('is left to the agent where the store has none: a session of that id in its own folder, or a new one', async () => {
    const resumed = start('Hello', { sessionStore: store, resume: id }, conversations(), {}, async () => undefined);
    await settle();
    expect(resumed.seen.launch).toMatchObject({ resume: id });
    expect(resumed.seen.launch).not.toHaveProperty('configFolder');
    const begun = start('Hello', { sessionStore: store, continue: true }, conversations(), {}, async () => undefined);
    await settle();
    expect(begun.seen.launch).toMatchObject({ continue: undefined, resume: undefined });
  });

  it('is not loaded where a session begins', async () => {
    const { seen } = start('Hello', { sessionStore: store });
    await settle();
    expect(seen.restoring).toBeUndefined();
  });

  it('fails with what the store throws, and no agent is started', async () => {
    const asked = conversations();
    const { query } = start('Hello', { sessionStore: store, resume: id }, asked, {}, async () => {
      throw new Error('no database');
    });
    await expect(collect(query)).rejects.toThrow('no database');
    expect(asked.conversation.agent.launch).toBeUndefined();
  });

  it('is not loaded any more when the query is closed', async () => {
    let signal: AbortSignal | undefined;
    const { query } = start('Hello', { sessionStore: store, resume: id }, conversations(), {}, async (request) => {
      signal = request.signal;
      return await new Promise(() => {});
    });
    const reading = collect(query);
    await settle();
    query.close();
    expect(signal?.aborted).toBe(true);
    await reading;
  });
});
