import { SpareAgents } from '@hexagent/hosting';
import { systemClock } from '@hexagent/processes';
import { openSession } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { storedTexts } from '../support/stored-texts.ts';
import { askedAgain } from './asked-again.ts';
import { agentsOf, hostOf, killAgents } from './hosts.ts';

const outcomeOf = { state: 'completed', outcome: { kind: 'completed' } } as const;

withCli('A hosted session', () => {
  it('starts an agent for its first message, resumes it after it was parked, and is found by the id of the application', async () => {
    await using place = await stage((request) => `${request.body.messages.length} messages`);
    await using host = hostOf(place);
    await host.create('chat 1', { facts: { title: 'a chat' } });
    expect(agentsOf(place)).toEqual([]);
    const first = await host.send('chat 1', 'one');
    expect(first).toMatchObject({ kind: 'accepted', state: 'queued' });
    expect(await first.done).toMatchObject(outcomeOf);
    await expect.poll(async () => (await host.get('chat 1'))?.state).toBe('idle');
    expect(await host.get('chat 1')).toMatchObject({
      state: 'idle',
      begun: 'yes',
      facts: { title: 'a chat' },
      pending: 0,
    });
    killAgents(place);
    const second = await (await host.send('chat 1', 'two')).done;
    expect(second).toMatchObject(outcomeOf);
    expect(place.loopback.requests.at(-1)?.body.messages.filter(({ role }) => role === 'assistant')).toHaveLength(1);
    expect(await storedTexts(place)).toEqual(['one', 'two']);
  });
});

withCli('A program that is killed while an approval waits', () => {
  it('and resumed is asked again by the model, and offers that nothing was answered', () => askedAgain());
});

withCli('A spare agent', () => {
  it('is taken by a new session of its kind, which is resumed by the id that the spare has', async () => {
    await using place = await stage((request) => `${request.body.messages.length} messages`);
    const open: SpareAgents['open'] = ({ options }) => openSession({ ...place.options, ...options });
    await using spares = new SpareAgents({
      open,
      openSpare: (_, options) => openSession({ ...place.options, ...options }),
      kindOf: () => 'any',
      clock: systemClock,
      ids: { uuid: () => crypto.randomUUID() },
    });
    spares.keep('any');
    await spares.ready();
    const [spare] = agentsOf(place);
    await using host = hostOf(place, { open: spares.open });
    const { sessionId } = await host.create('chat');
    expect(await (await host.send('chat', 'one')).done).toMatchObject({ outcome: { kind: 'completed' } });
    expect(agentsOf(place)).toContain(spare);
    const record = await host.get('chat');
    expect(record?.sessionId).not.toBe(sessionId);
    await spares.ready();
    killAgents(place);
    await expect.poll(async () => (await host.get('chat'))?.state, { timeout: 20_000 }).toMatch(/crashed|parked/);
    expect(await (await host.send('chat', 'two')).done).toMatchObject({ outcome: { kind: 'completed' } });
    expect((await host.get('chat'))?.sessionId).toBe(record?.sessionId);
    expect(place.loopback.requests.at(-1)?.body.messages.filter(({ role }) => role === 'assistant')).toHaveLength(1);
  });
});
