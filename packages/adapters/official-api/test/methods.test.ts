import { describe, expect, it } from 'vitest';
import { settle, start } from './start.ts';

describe('A method of a query', () => {
  it('works when it is taken off the query', async () => {
    const { query, conversation } = start();
    const { interrupt } = query;
    await interrupt();
    expect(conversation.asked).toHaveLength(1);
  });

  it('is the same function each time it is read, and needs no query to be called on', async () => {
    const { query, conversation } = start();
    const { setModel } = query;
    expect(query.setModel).toBe(setModel);
    await settle();
    setModel('opus').catch(() => {});
    await settle();
    expect(conversation.asked.at(-1)).toMatchObject({ subtype: 'set_model' });
  });

  it('may be replaced by a function of the program', async () => {
    const { query } = start();
    const own = async (): Promise<undefined> => undefined;
    query.interrupt = own;
    expect(query.interrupt).toBe(own);
  });

  it('is a member of its prototype, as of an instance of a class: there tracers look for what they wrap', () => {
    const { query } = start();
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(query));
    expect(names).toEqual(expect.arrayContaining(['interrupt', 'setModel', 'close', 'return', 'throw']));
  });

  it('is found on a query that is wrapped in a proxy', async () => {
    const { query } = start();
    const wrapped = new Proxy(query, {});
    expect('interrupt' in wrapped).toBe(true);
    await expect(wrapped.return()).resolves.toEqual({ done: true, value: undefined });
    expect(wrapped[Symbol.asyncIterator]()).toBe(wrapped);
  });
});
