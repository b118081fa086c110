import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { Chance } from '../support/chance.ts';
import { isOursOnPurpose, make, randomChanges } from './random-changes.ts';
import { RandomTranscript } from './random-transcript.ts';
import type { Side } from './sdks.ts';
import { comparable, filesIn, sessionId, StoredPlace } from './stored-places.ts';

/** As for reading: HEXAGENT_SEEDS=5000 for a long run, and HEXAGENT_FIRST_SEED for other ones. */
const count = Number(process.env['HEXAGENT_SEEDS'] ?? 60);
const first = Number(process.env['HEXAGENT_FIRST_SEED'] ?? 0);

describe('Any transcript is changed as in the official package', () => {
  const place = new StoredPlace();
  afterAll(() => place[Symbol.dispose]());

  it('by copies, titles, tags, marks of the archive and deletions, in the order that a seed decides', async () => {
    const differences: number[] = [];
    let copies = 0;
    for (let seed = first; seed < first + count; seed += 1) {
      const chance = new Chance(seed);
      const transcript = new RandomTranscript(chance);
      if (isOursOnPurpose(transcript.entries)) continue;
      rmSync(place.config, { recursive: true, force: true });
      // A line that was cut off is the business of another test.
      const content = Buffer.concat([transcript.content(), Buffer.from('\n')]);
      place.plant('-some-dir', `${sessionId}.jsonl`, content);
      if (chance.percent(30)) place.plant(`-some-dir/${sessionId}/subagents`, 'agent-a.jsonl', content);
      const changes = randomChanges(chance, transcript.uuids());
      const run = async (side: Side): Promise<unknown> =>
        comparable(
          await place.run(side, async (sdk, config) => {
            const made = await make(sdk, changes);
            copies += made.copies.length;
            return [made.outcomes, filesIn(config, made.copies)];
          }),
        );
      const official = await run('official');
      if (!isDeepStrictEqual(await run('ours'), official)) differences.push(seed);
    }
    expect(differences).toEqual([]);
    expect(copies).toBeGreaterThan(count / 2);
  }, 3_600_000);
});
