import { openSession, type AgentMessage } from '@hexagent/sdk';
import { gate, lastUserText, text } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { collect } from '../support/collect.ts';
import { stage } from '../support/stage.ts';
import { untilItStreams } from '../support/until-it-streams.ts';

withCli('#17 A local command', () => {
  it('is a turn of its own, and changes neither the costs nor the result of other turns', async () => {
    await using place = await stage((request) => `fine ${lastUserText(request)}`);
    await using session = await openSession(place.options);
    const words = ['one', '/cost', 'two', '/clear', 'three'];
    const outcomes = [];
    for (const word of words) outcomes.push(await session.send(word).result);
    expect(outcomes.map(({ kind }) => kind)).toEqual(words.map(() => 'completed'));
    const costs = outcomes.map((outcome) => ('cost' in outcome ? outcome.cost : Number.NaN));
    expect(costs[0]).toBeGreaterThan(0);
    expect(costs).toEqual([costs[0], 0, costs[0], 0, costs[0]]);
    const ids = outcomes.map((outcome) => 'result' in outcome && outcome.result?.session_id);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids[4]).not.toBe(ids[0]);
    await session.idle();
  });

  it('that resets the conversation does not affect a message that is queued behind it', async () => {
    const held = gate();
    await using place = await stage((request) =>
      lastUserText(request) === 'hold' ? text(['held ', held]) : `fine ${lastUserText(request)}`,
    );
    await using session = await openSession({ ...place.options, partialMessages: true });
    const running = session.send('hold');
    await untilItStreams(running);
    const [clear, after] = [session.send('/clear'), session.send('after')];
    held.open();
    expect(await running.result).toMatchObject({ kind: 'completed', text: 'held ' });
    expect((await collect(clear)).map((message: AgentMessage): string => message.type)).toContain('conversation_reset');
    expect(await after.result).toMatchObject({ kind: 'completed', text: 'fine after' });
  });
});
