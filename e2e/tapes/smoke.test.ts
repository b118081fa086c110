import path from 'node:path';
import { replayFrom } from '@hexagent/tapes';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { converse, recorded } from './conversation.ts';
import { testFolder } from './place.ts';

withCli('A recorded conversation with tools, hooks, questions and an interrupt', () => {
  it('has the same messages, outcomes and callbacks when it is replayed without the CLI', async () => {
    const tape = path.join(testFolder(), 'a.tape');
    const { live, cwd } = await recorded(tape);
    expect(live.outcomes.map(({ kind }) => kind)).toEqual(['completed', 'interrupted']);
    expect(live.called).toEqual([
      ...['hook echo allowed > made.txt', 'ask echo allowed > made.txt'],
      ...['hook rm made.txt', 'ask rm made.txt'],
    ]);
    const replay = replayFrom(tape);
    const again = await converse({ transport: replay, cwd });
    expect(replay.departures).toEqual([]);
    expect(replay.missing).toEqual([]);
    expect(again).toEqual(live);
  });
});
