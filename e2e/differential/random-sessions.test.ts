import { isDeepStrictEqual } from 'node:util';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Chance } from '../support/chance.ts';
import { RandomTranscript } from './random-transcript.ts';
import { sdks, type Sdk } from './sdks.ts';
import { sessionId, StoredPlace } from './stored-places.ts';

/** How many transcripts are read: HEXAGENT_SEEDS=20000 for a long run, and HEXAGENT_FIRST_SEED for other ones. */
const count = Number(process.env['HEXAGENT_SEEDS'] ?? 40);
const first = Number(process.env['HEXAGENT_FIRST_SEED'] ?? 0);

type Reading = (sdk: Sdk) => Promise<unknown>;

const messages: Readonly<Record<string, Reading>> = {
  messages: (sdk) => sdk.getSessionMessages(sessionId),
  'messages with those of the system': (sdk) => sdk.getSessionMessages(sessionId, { includeSystemMessages: true }),
  'a page': (sdk) => sdk.getSessionMessages(sessionId, { limit: 2, offset: 1 }),
  'an end': (sdk) => sdk.getSessionMessages(sessionId, { offset: 3, includeSystemMessages: true }),
};
const outlines: Readonly<Record<string, Reading>> = {
  'the facts': (sdk) => sdk.getSessionInfo(sessionId),
  'a list': (sdk) => sdk.listSessions(),
  'a list of people': (sdk) => sdk.listSessions({ includeProgrammatic: false }),
  'a list of a directory': (sdk) => sdk.listSessions({ dir: '/some/dir', includeWorktrees: false }),
};

/** The differences that are wanted are taken out: see docs/differences.md. */
function comparable(value: unknown): unknown {
  // A key without a value is none.
  const plain: unknown = value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  if (!Array.isArray(plain)) return plain;
  return plain.map((item: Record<string, unknown>) => {
    if (!('parent_tool_use_id' in item)) return item;
    const { session_id, timestamp, ...message } = item;
    return {
      ...message,
      session_id: typeof session_id === 'string' ? session_id : sessionId,
      timestamp: timeOf(timestamp),
    };
  });
}

/** In the official package messages of the system alone are a conversation, if a subagent's message is behind them. */
const isWithoutConversation = (ours: unknown, official: unknown): boolean =>
  Array.isArray(ours) &&
  ours.length === 0 &&
  Array.isArray(official) &&
  official.every((message: Record<string, unknown>) => message['type'] === 'system');

const timeOf = (timestamp: unknown): unknown => (typeof timestamp === 'string' ? timestamp : undefined);

describe('Any transcript is read as in the official package', () => {
  const place = new StoredPlace();
  const before = process.env['CLAUDE_CONFIG_DIR'];
  let both: readonly [official: Sdk, ours: Sdk];
  beforeAll(async () => {
    process.env['CLAUDE_CONFIG_DIR'] = place.config;
    both = [await sdks.official(), await sdks.ours()];
  });
  afterAll(() => {
    if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
    else process.env['CLAUDE_CONFIG_DIR'] = before;
    place[Symbol.dispose]();
  });

  async function differencesOver(isDamaged: boolean, readings: Readonly<Record<string, Reading>>) {
    const file = place.plant('-some-dir', `${sessionId}.jsonl`, '');
    const differences: string[] = [];
    const sizes = new Set<number>();
    for (let seed = first; seed < first + count; seed += 1) {
      writeFileSync(file, new RandomTranscript(new Chance(seed), { isDamaged }).content());
      for (const [name, read] of Object.entries(readings)) {
        const [official, ours] = await Promise.all(both.map(async (sdk) => comparable(await read(sdk))));
        if (!isDeepStrictEqual(ours, official) && !isWithoutConversation(ours, official))
          differences.push(`seed ${seed}: ${name}`);
        sizes.add(JSON.stringify(official ?? null).length);
      }
    }
    expect(sizes.size).toBeGreaterThan(count / 2); // not all of them empty
    return differences;
  }

  it('with as few or as many things wrong as a seed decides', async () => {
    expect(await differencesOver(false, { ...messages, ...outlines })).toEqual([]);
  }, 3_600_000);

  it('with lines that are cut off, glued together or full of other bytes', async () => {
    expect(await differencesOver(true, messages)).toEqual([]);
  }, 3_600_000);
});
