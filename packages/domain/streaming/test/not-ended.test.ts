import { describe, expect, it } from 'vitest';
import type { Warning } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { converse } from './support.ts';

const named = expect.stringMatching(/\b12\b.*\b34\b/);

describe('Processes of an agent that could not be ended', () => {
  it('are what finish() rejects with', async () => {
    const { conversation, agent } = await converse();
    const finished = conversation.finish();
    await agent.ended;
    agent.exit({ code: 0, notEnded: [12, 34] });
    await expect(finished).rejects.toMatchObject({ code: 'AGENT_NOT_ENDED', message: named });
    expect(await conversation.exited).toMatchObject({ code: 0, notEnded: [12, 34] });
  });

  it('are no unhandled rejection of a finish() that nobody awaits', async () => {
    const unhandled: unknown[] = [];
    const listener = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', listener);
    const { conversation, agent } = await converse();
    void conversation.finish();
    await agent.ended;
    agent.exit({ code: 0, notEnded: [12, 34] });
    await conversation.exited;
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listener);
    expect(unhandled).toEqual([]);
  });

  it('are warned of once when close() resolves all the same', async () => {
    const warnings: Warning[] = [];
    const { conversation, agent } = await converse({}, { warn: (warning) => warnings.push(warning) });
    agent.exit({ code: null, notEnded: [12, 34] });
    await conversation.close();
    await microtasks();
    expect(warnings).toEqual([expect.objectContaining({ code: 'HEXAGENT_AGENT_NOT_ENDED', message: named })]);
  });

  it('are nothing to speak of where there are none', async () => {
    const warnings: Warning[] = [];
    const { conversation, agent } = await converse({}, { warn: (warning) => warnings.push(warning) });
    const finished = conversation.finish();
    await agent.ended;
    agent.exit({ code: 0, notEnded: [] });
    expect(await finished).toMatchObject({ code: 0 });
    await microtasks();
    expect(warnings).toEqual([]);
  });
});
