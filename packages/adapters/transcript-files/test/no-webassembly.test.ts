import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { headsIn, plainHeads } from './heads-in.ts';
import { OddTranscript } from './odd-transcript.ts';
import { id, Place } from './place.ts';

beforeAll(() => void vi.stubGlobal('WebAssembly', undefined));
afterAll(() => void vi.unstubAllGlobals());

describe('Where a system has no WebAssembly', () => {
  it('an index says the same of odd transcripts', async () => {
    const { quoteSearch } = await import('../src/quote-search.ts');
    expect(quoteSearch()).toBeUndefined();
    for (let seed = 100; seed < 110; seed += 1) {
      using place = new Place();
      const content = new OddTranscript(seed).content(150);
      place.store('/p', id(1), content);
      const transcript = await place.transcripts.find(id(1), {});
      const index = await transcript?.index();
      expect(index && headsIn(index), `seed ${seed}`).toEqual(plainHeads(content));
    }
  });
});
