import { describe, expect, it } from 'vitest';
import { openSession, type AgentMessage, type Session } from '@hexagent/sdk';
import { gate, linkedTransport, reply, scriptedAgent, type AgentScript, type LinkedAgent } from '@hexagent/testing';

async function session(
  script: AgentScript = { turns: () => 'hello' },
): Promise<{ session: Session; agent: LinkedAgent }> {
  const { transport, agent } = linkedTransport(scriptedAgent(script));
  return { session: await openSession({ transport, softMarkBytes: 8000 }), agent };
}

describe('A session', () => {
  it.each(['close()', 'its signal'])('that finishes waits for a callback that never returns, until %s', async (way) => {
    const { transport } = linkedTransport(
      scriptedAgent({ turns: [[reply.tool('Bash', { command: 'ls' }, { asks: true }), 'Done.']] }),
    );
    const aborting = new AbortController();
    let wasAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (wasAsked = resolve));
    let given: AbortSignal | undefined;
    const whole = await openSession({
      transport,
      signal: aborting.signal,
      onAsk: ({ signal }) => {
        given = signal;
        wasAsked();
        return new Promise(() => {});
      },
    });
    whole.send('go').result.catch(() => {});
    const finished = whole.finish().then(
      () => 'finished',
      () => 'failed',
    );
    await asked;
    expect(await Promise.race([finished, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits');
    if (way === 'close()') await whole.close();
    else aborting.abort();
    expect(await finished).toBe('finished');
    expect(given?.aborted).toBe(true);
  });

  it('may be taken apart: what is not read does not hold the agent up', async () => {
    const { session: whole, agent } = await session();
    const { messages, turns, send, close } = whole;
    expect([messages, turns].every((each) => Symbol.asyncIterator in each)).toBe(true);
    for (let count = 0; count < 30; count += 1) agent.write({ type: 'news_of_no_turn', text: 'x'.repeat(1000) });
    expect(await send('hi').result).toMatchObject({ kind: 'completed', text: 'hello' });
    await close();
  });

  it('reports what happens in one order, also beside the program', async () => {
    const { session: whole } = await session();
    const beside = whole.events({ mayMiss: true });
    const kinds: string[] = [];
    const reading = (async () => {
      for await (const { kind } of beside) kinds.push(kind);
    })();
    const messages: AgentMessage[] = [];
    for await (const message of whole.send('hi')) messages.push(message);
    await whole.finish();
    await reading;
    expect(messages).toHaveLength(3);
    expect(kinds.filter((kind) => kind !== 'message')).toEqual([
      'turn_sent',
      'turn_started',
      'turn_ended',
      'idle',
      'exited',
    ]);
  });

  it('refuses an option of `events()` that does not exist', async () => {
    const { session: whole } = await session();
    // What only a program without types passes.
    expect(() => whole.events({ misses: true } as never)).toThrow(/misses/);
    await whole.close();
  });

  it('gives what belongs to no turn to one reader', async () => {
    const { session: whole, agent } = await session();
    await whole.ready;
    agent.write({ type: 'news_of_no_turn' });
    await whole.send('hi').result;
    await whole.finish();
    const seen: AgentMessage[] = [];
    for await (const message of whole.messages) seen.push(message);
    expect(seen).toEqual([{ type: 'news_of_no_turn' }]);
  });

  it('gives the unsolicited turns', async () => {
    const until = gate();
    const { session: whole, agent } = await session({
      turns: [[reply.subagent('look around', { until, report: 'the report' }), 'started']],
    });
    await whole.send('delegate').result;
    until.open();
    await whole.finish();
    const texts: unknown[] = [];
    for await (const turn of whole.turns) texts.push(await turn.result);
    expect(texts).toEqual([expect.objectContaining({ kind: 'completed', text: 'the report' })]);
    expect(agent.inputEnded).toBe(true);
  });

  it('is closed by `await using`', async () => {
    const { session: whole, agent } = await session();
    {
      await using _ = whole;
    }
    expect(agent.inputEnded).toBe(true);
    expect(await whole.exited).toMatchObject({ closed: true });
  });
});
