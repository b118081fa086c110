import { describe, expect, it } from 'vitest';
import { completed, FakeAgent, fakeHost, follow, type FakeHost } from './fake-agents.ts';

/** A host of agents whose events take long to be read. */
function slowHost(): FakeHost & { readonly agent: () => FakeAgent } {
  const agents: FakeAgent[] = [];
  const of = fakeHost({
    open: async (request) => {
      const agent = new FakeAgent(request);
      agent.microtasksPerRead = 1000;
      agents.push(agent);
      return agent;
    },
  });
  const agent = (): FakeAgent => {
    const [first] = agents;
    if (first === undefined) throw new Error('No agent was started.');
    return first;
  };
  return { ...of, agent };
}

async function settleAll({ settle }: FakeHost): Promise<void> {
  for (let round = 0; round < 100; round += 1) await settle();
}

describe('A host that reads an agent late', () => {
  it('does not take a session for idle whose next message was sent meanwhile', async () => {
    await using of = slowHost();
    const states: string[] = [];
    await of.host.create('a');
    void follow(of, 'a', (event) => event.kind === 'state' && states.push(event.state));
    await of.host.send('a', { uuid: 'one', content: 'go' });
    const second = await of.host.send('a', { uuid: 'two', content: 'more' });
    await settleAll(of);
    of.agent().answer();
    await settleAll(of);
    // A task of the second runs on in the background.
    of.agent().report({ kind: 'turn_ended', turn: 'two', outcome: completed });
    await settleAll(of);
    expect(await second.done).toMatchObject({ state: 'completed' });
    expect(states.at(-1)).toBe('running');
    of.agent().report({ kind: 'idle' });
    await settleAll(of);
    expect(states.at(-1)).toBe('idle');
  });

  it('gives a message that was called repeated the outcome of the turn that the agent continued with', async () => {
    await using of = slowHost();
    await of.host.create('a');
    const { done } = await of.host.send('a', { uuid: 'one', content: 'go' });
    await settleAll(of);
    const agent = of.agent();
    // It is by the time that it is asked, although the host has not read so.
    agent.idle = () => Promise.resolve();
    const result = { ...completed.result, user_message_uuids: ['one'] };
    agent.report({ kind: 'turn_started', turn: 'own', isUnsolicited: true, within: undefined });
    agent.report({ kind: 'turn_ended', turn: 'one', outcome: { kind: 'cancelled', why: 'repeated' } });
    agent.report({ kind: 'turn_ended', turn: 'own', outcome: { ...completed, result } });
    agent.report({ kind: 'idle' });
    await settleAll(of);
    expect(await done).toMatchObject({ state: 'completed', outcome: { text: 'ok' } });
  });
});
