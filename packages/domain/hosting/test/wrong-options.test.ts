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
    await expect(of.host.create('')).rejects.toThrow(TypeError);
    expect(await of.outbox.unfinished()).toEqual([]);
  });
});
