import { describe, expect, it } from 'vitest';
import type { SessionFeature } from '@hexagent/ports';
import { answering, HandClock, microtasks } from '@hexagent/testing';
import { begin, init, lifecycle, result } from './support.ts';

const setsUp: SessionFeature = { name: 'test', initialize: { title: 'A' } };
const checks: SessionFeature = { name: 'test', checkInitialize: () => {} };
const refusal = (request_id: string | undefined): object => ({
  type: 'control_response',
  response: { subtype: 'error', request_id, error: 'refused' },
});

describe('#29 An agent that never answers `initialize`', () => {
  it('is ended although it works when a feature registers something, which it then lacks', async () => {
    const clock = new HandClock();
    const { conversation, agent } = await begin({ features: [setsUp], initializeTimeoutMs: 50 }, { clock });
    const turn = conversation.send('go');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id));
    await microtasks();
    clock.advance(50);
    await expect(turn.result).rejects.toMatchObject({ code: 'INITIALIZE_TIMEOUT' });
  });
});

describe('An agent that refuses `initialize`', () => {
  it.each([
    ['sets something up', setsUp],
    ['checks what it took', checks],
  ])('is ended when a feature %s', async (_, feature) => {
    const { conversation, agent } = await begin({ features: [feature] });
    const turn = conversation.send('go');
    agent.write(refusal((await agent.next('initialize')).request_id));
    await expect(turn.result).rejects.toMatchObject({ code: 'INITIALIZE_FAILED' });
    await agent.ended;
  });

  it.each([
    ['there are no features', []],
    ['no feature sets anything up', [answering({ can_use_tool: async () => null })]],
  ])('keeps working when %s', async (_, features) => {
    const { conversation, agent } = await begin({ features });
    const turn = conversation.send('go');
    agent.write(refusal((await agent.next('initialize')).request_id));
    await expect(conversation.ready).rejects.toMatchObject({ code: 'INITIALIZE_FAILED' });
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), result({ result: 'done' }));
    expect(await turn.result).toMatchObject({ text: 'done' });
  });

  it('rejects `ready` with its exit when it exits instead', async () => {
    const { conversation, agent } = await begin({ features: [setsUp] });
    const turn = conversation.send('go');
    agent.exit({ code: 1, stderr: 'boom\n' });
    await expect(conversation.ready).rejects.toMatchObject({
      code: 'AGENT_EXITED',
      message: expect.stringMatching(/before it was ready.*boom/s),
    });
    await expect(turn.result).rejects.toMatchObject({ code: 'AGENT_EXITED', stderr: 'boom\n' });
  });
});
