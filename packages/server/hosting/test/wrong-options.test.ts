import { describe, expect, it } from 'vitest';
import { fakeHost } from './fake-agents.ts';

describe('An option or a message that cannot be meant', () => {
  it.each([
    ['maxLive', { maxLive: 0 }],
    ['idleMs', { idleMs: -1 }],
    ['autoResume', { autoResume: 'always' as 'wait' }], // an untyped program may pass any value
  ])('is refused by name: %s', (name, options) => {
    expect(() => fakeHost(options)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(name) }),
    );
  });

  it('is refused before anything is stored', async () => {
    await using of = fakeHost();
    await of.host.create('a');
    for (const wrong of [5, null, {}, { content: 5 }, { content: 'x', uuid: '' }])
      await expect(of.host.send('a', wrong as string)).rejects.toThrow(TypeError); // as above
    // Half of a surrogate pair becomes another character in a path or an address, and the same one as that of others.
    for (const name of ['', 'half \ud83d', '\ude00']) {
      await expect(of.host.create(name)).rejects.toThrow(TypeError);
      await expect(of.host.create('b', { tenant: name })).rejects.toThrow(TypeError);
      await expect(of.host.send('a', { content: 'x', uuid: name })).rejects.toThrow(TypeError);
    }
    expect((await of.host.list()).map(({ id }) => id)).toEqual(['a']);
    expect(await Array.fromAsync(of.outbox.claimable())).toEqual([]);
  });
});
