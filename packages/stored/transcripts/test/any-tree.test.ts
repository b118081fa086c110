import type { TranscriptEntry } from '@hexagent/ports';
import { seededRandom } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { assistant, attachment, boundary, call, progress, result, summary, system, user } from './entries.ts';
import { plainOrder } from './plain-order.ts';
import { uuidsOf } from './sessions.ts';

/** A transcript that mostly grows, and in which everything occurs that a tree must not have: versions, circles, missing parents. */
function anyTree(seed: number): readonly TranscriptEntry[] {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const may = (percent: number): boolean => below(100) < percent;
  const size = 1 + below(30);
  // The fewer names there are, the more versions and circles.
  const names = 2 + below(2 * size);
  const name = (number: number): string => `n${number % names}`;
  const entries: TranscriptEntry[] = [];
  for (let number = 0; number < size; number += 1) {
    const uuid = may(90) ? name(number) : name(below(names));
    const parent = may(75) ? name(number + names - 1) : may(80) ? name(below(names)) : 'missing';
    const odd = {
      ...(may(8) && { isSidechain: true }),
      ...(may(8) && { isMeta: true }),
      ...(may(4) && { teamName: 'x' }),
    };
    const later = { ...odd, ...(may(10) && { timestamp: `2020-01-0${1 + below(9)}` }) };
    const kept = Array.from({ length: below(4) }, () => name(below(names)));
    const makes = [
      () => user(uuid, may(10) ? null : parent, later),
      () => assistant(uuid, parent, later),
      () => call(uuid, parent, `m${below(3)}`, later),
      () => call(uuid, parent, `m${below(3)}`, later),
      () => result(uuid, may(70) ? parent : name(below(names)), later),
      () => result(uuid, parent, { ...later, parentUuid: name(below(names)) }),
      () => system(uuid, parent, later),
      () => attachment(uuid, parent, { type: 'date' }, later),
      () => attachment(uuid, parent, { type: 'queued_command', prompt: 'x', source_uuid: `sent-${number}` }, later),
      () => progress(uuid, parent),
      () => (may(30) ? boundary(uuid, name(below(names)), kept) : summary(uuid, parent)),
      () => ({
        ...boundary(uuid),
        compactMetadata: {
          preservedSegment: { anchorUuid: name(below(names)), headUuid: name(below(names)), tailUuid: parent },
        },
      }),
    ];
    const make = makes[below(makes.length)];
    if (make !== undefined) entries.push(make());
  }
  return entries;
}

describe('The conversation of any tree', () => {
  it.each(Array.from({ length: 10 }, (_, block) => block * 200))(
    'is what plain code finds, from seed %i on',
    async (first) => {
      const sizes = new Set<number>();
      for (let seed = first; seed < first + 200; seed += 1) {
        const entries = anyTree(seed);
        const order = plainOrder(entries);
        expect(await uuidsOf(entries), `seed ${seed}`).toBe(order.join(' '));
        sizes.add(order.length);
      }
      // Not all of them empty.
      expect(sizes.size).toBeGreaterThan(5);
    },
  );
});
