import { describe, expect, it } from 'vitest';
import type { SessionFact } from '@hexagent/ports';
import { FakeAgent, fakeHost, follow } from './fake-agents.ts';

interface Followed extends AsyncDisposable {
  readonly agent: FakeAgent;
  readonly settle: () => Promise<void>;
  /** What was reported of turns. */
  readonly reports: readonly string[];
}

/** A session whose agent has the messages `one` and `two`. */
async function followed(microtasksPerRead = 0): Promise<Followed> {
  const of = fakeHost({
    open: async (request) => {
      agent = new FakeAgent(request);
      agent.microtasksPerRead = microtasksPerRead;
      return agent;
    },
  });
  let agent: FakeAgent | undefined;
  const reports: string[] = [];
  await of.host.create('a');
  void follow(of, 'a', (event) => reports.push(...reportOf(event)));
  await of.host.send('a', { uuid: 'one', content: 'first' });
  await of.host.send('a', { uuid: 'two', content: 'second', priority: 'next' });
  await of.settle();
  if (agent === undefined) throw new Error('No agent was started.');
  return { agent, settle: of.settle, reports, [Symbol.asyncDispose]: () => of[Symbol.asyncDispose]() };
}

function reportOf(event: SessionFact): readonly string[] {
  if (event.kind === 'turn_started' || event.kind === 'turn_ended') return [`${event.kind} ${event.turn}`];
  if (event.kind !== 'message' || event.message.type !== 'tool_use_summary') return [];
  return [`${event.turn}: ${event.message.summary}`];
}

describe('What a host reports of two turns', () => {
  it.each([0, 5, 100])(
    'is the whole of the first and then the second, also where both arrive together and are read in %i steps each',
    async (steps) => {
      await using of = await followed(steps);
      const { agent } = of;
      agent.start('one');
      agent.write('one', 'a', 'b', 'c', 'd');
      agent.end('one');
      agent.start('two');
      agent.write('two', 'e', 'f');
      agent.end('two');
      for (let round = 0; round < 100; round += 1) await of.settle();
      expect(of.reports).toEqual([
        'turn_started one',
        ...['a', 'b', 'c', 'd'].map((text) => `one: ${text}`),
        'turn_ended one',
        'turn_started two',
        ...['e', 'f'].map((text) => `two: ${text}`),
        'turn_ended two',
      ]);
    },
  );

  it('is the second within the first, where its message joins that', async () => {
    await using of = await followed();
    const { agent } = of;
    agent.start('one');
    agent.write('one', 'a');
    agent.start('two');
    await of.settle();
    expect(of.reports).toEqual(['turn_started one', 'one: a', 'turn_started two']);
    agent.write('one', 'b');
    agent.end('one', 'two');
    await of.settle();
    expect(of.reports.slice(3)).toEqual(['one: b', ...['one', 'two'].map((turn) => `turn_ended ${turn}`)]);
  });

  it('is the second, although the first brings nothing more', async () => {
    await using of = await followed();
    const { agent } = of;
    agent.start('one');
    agent.write('one', 'a');
    agent.start('two');
    agent.write('two', 'b');
    await of.settle();
    expect(of.reports).toEqual(['turn_started one', 'one: a', 'turn_started two', 'two: b']);
  });
});
