import { describe, expect, it } from 'vitest';
import type { Transport } from '@hexagent/ports';
import { HandClock, microtasks } from '@hexagent/testing';
import { begin, collect, converse, result, says, lifecycle } from './support.ts';

const values: readonly unknown[] = [NaN, -1, -Infinity, '2000', '', null, {}, [], [5], true, 5n, () => 5, new Date()];
const sizes = ['softMarkBytes', 'hardMarkBytes'].flatMap((option) =>
  [...values, Infinity].map((value) => [option, value] as const),
);
const delays = values.map((value) => ['initializeTimeoutMs', value] as const);

describe('A conversation', () => {
  it.each([...sizes, ...delays])('is not opened with %s of %s: a TypeError names both', async (option, value) => {
    const unused: Transport = { connect: () => expect.unreachable() };
    const opening = begin({ [option]: value }, { through: () => unused });
    await expect(opening).rejects.toThrow(TypeError);
    await expect(opening).rejects.toThrow(`\`${option}\` must be a number`);
  });

  it.each([0, 0.5, 1, Number.MAX_SAFE_INTEGER])('with marks of %s delivers everything', async (mark) => {
    const { conversation, agent } = await converse({ softMarkBytes: mark, hardMarkBytes: mark });
    const turn = conversation.send('go');
    agent.write(lifecycle(turn.id, 'started'), says('a'), says('b'), result());
    expect(await collect(turn)).toHaveLength(3);
    expect(await turn.result).toMatchObject({ kind: 'completed' });
  });

  it.each([2 ** 31, 2 ** 40, Infinity])('waits for `initialize` as long as %s ms', async (initializeTimeoutMs) => {
    const clock = new HandClock();
    const { conversation, agent } = await begin({ initializeTimeoutMs }, { clock });
    clock.advance(2 ** 31 - 1);
    await microtasks();
    agent.write({
      type: 'control_response',
      response: { subtype: 'success', request_id: (await agent.next('initialize')).request_id, response: { a: 1 } },
    });
    expect(await conversation.ready).toEqual({ a: 1 });
  });

  it.each(values)('does not ask the agent with `timeoutMs` of %s: a TypeError names both', async (value) => {
    const { conversation, agent } = await converse();
    const written = agent.lines.length;
    const asking = conversation.control('mcp_status', {}, { timeoutMs: value as number });
    await expect(asking).rejects.toThrow(TypeError);
    await expect(asking).rejects.toThrow('`timeoutMs` must be a number');
    expect(agent.lines).toHaveLength(written);
  });
});
