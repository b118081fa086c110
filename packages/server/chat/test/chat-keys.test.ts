import { describe, expect, it } from 'vitest';
import { chatIdOf, chatKey, isOwn, messageUuid } from '../src/chat-keys.ts';

describe('The key of a chat', () => {
  const tenants = [undefined, '', 'a', 'a.b', '.', 'a%2Eb', '../x', 'é', 'b.chat1'];
  const ids = ['chat1', 'a', 'a-b', 'b:chat1'];

  it('differs for each tenant and each id, and contains the id', () => {
    const keys = tenants.flatMap((tenant) => ids.map((id) => chatKey(id, tenant)));
    expect(new Set(keys).size).toBe(tenants.length * ids.length);
    expect(keys.map(chatIdOf)).toEqual(tenants.flatMap(() => ids));
  });

  it('belongs to callers of its tenant alone', () => {
    for (const tenant of tenants)
      expect(tenants.filter((other) => isOwn(chatKey('chat1', tenant), { name: 'x', tenant: other }))).toEqual([
        tenant,
      ]);
  });
});

describe('The uuid of a message', () => {
  it('is the same for the same message of the same chat, and another one for each other', async () => {
    const messages = [
      ['chat1', 'm1'],
      ['chat1', 'm2'],
      ['chat2', 'm1'],
      ['chat1', 'm1'],
      ['chat1"', ',"m1'],
    ] as const;
    const uuids = await Promise.all(messages.map(([key, id]) => messageUuid(key, id)));
    expect(uuids[3]).toBe(uuids[0]);
    expect(new Set(uuids).size).toBe(4);
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('is its id where that is a uuid, as of a message that was stored', async () => {
    const uuid = '11111111-2222-4333-8444-555555555555';
    expect(await messageUuid('chat1', uuid)).toBe(uuid);
  });
});
