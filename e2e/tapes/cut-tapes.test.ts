import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SdkError } from '@hexagent/ports';
import { parseTape, replayFrom } from '@hexagent/tapes';
import { expect, it } from 'vitest';
import { Chance } from '../support/chance.ts';
import { withCli } from '../support/cli.ts';
import { converse, recorded } from './conversation.ts';
import { testFolder } from './place.ts';

withCli('A tape that was cut at any line, or within one', () => {
  it('ends the program that replays it, with the exit of the agent where an answer is missing', async () => {
    const tape = path.join(testFolder(), 'a.tape');
    await recorded(tape);
    const lines = readFileSync(tape, 'utf8').split('\n').slice(0, -1);
    const chance = new Chance(22);
    const ends: string[] = [];
    for (let seed = 0; seed < 60; seed += 1) {
      const kept = 2 + chance.below(lines.length - 2);
      const half = lines[kept]?.slice(0, chance.below(2) * chance.below(40)) ?? '';
      const cut = parseTape(`${lines.slice(0, kept).join('\n')}\n${half}`);
      expect(cut.isCut).toBe(half !== '');
      // Only a program that waits for ever needs the limit, which is an error of its own.
      ends.push(await endOf(converse({ transport: replayFrom(cut, { waitMs: 5000 }) })));
    }
    expect(new Set(ends)).toEqual(new Set(['AGENT_EXITED', 'CONVERSATION_CLOSED', 'completed, interrupted']));
    expect(ends.filter((end) => end === 'AGENT_EXITED').length).toBeGreaterThan(40);
  });
});

async function endOf(conversation: ReturnType<typeof converse>): Promise<string> {
  try {
    return (await conversation).outcomes.map(({ kind }) => kind).join(', ');
  } catch (error) {
    return SdkError.is(error) ? error.code : String(error);
  }
}
