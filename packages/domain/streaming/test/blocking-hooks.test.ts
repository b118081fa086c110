import { describe, expect, it } from 'vitest';
import type { HookDispatcher } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { answer, begin } from './support.ts';

const hooksWith = (onFailure: 'block' | 'continue'): HookDispatcher => ({
  registration: () => ({
    Stop: [{ hookCallbackIds: ['hook_0'] }],
    PreToolUse: [{ hookCallbackIds: ['hook_1'], onFailure }],
  }),
  dispatch: async () => ({}),
});

describe('A hook that must block when it fails', () => {
  it('is taken by the agent before anything is sent', async () => {
    const { conversation, agent } = await begin({ hooks: hooksWith('block') });
    conversation.send('go').result.catch(() => {});
    conversation.control('set_model', { model: 'm' }).catch(() => {});
    const request = await agent.next('initialize');
    await microtasks();
    expect(agent.received).toHaveLength(1);
    answer(agent, request, { hook_on_failure_supported: true, hooks_applied: true });
    await microtasks();
    expect(agent.received.map(({ type }) => type)).toEqual(['control_request', 'user', 'control_request']);
  });

  it.each([
    ['does not know onFailure', {}, /onFailure/],
    ['says that it does not', { hook_on_failure_supported: false, hooks_applied: true }, /onFailure/],
    ['says something else', { hook_on_failure_supported: 1, hooks_applied: true }, /onFailure/],
    ['did not take the hooks', { hook_on_failure_supported: true, hooks_applied: false }, /did not take/],
  ])('ends the conversation before it began when the agent %s', async (_, answered, message) => {
    const { conversation, agent } = await begin({ hooks: hooksWith('block') });
    const turn = conversation.send('go');
    answer(agent, await agent.next('initialize'), answered);
    const failure = { code: 'INITIALIZE_FAILED', message: expect.stringMatching(message) };
    await expect(turn.result).rejects.toMatchObject(failure);
    await expect(conversation.ready).rejects.toMatchObject(failure);
    await agent.ended;
    expect(agent.received.map(({ type }) => type)).not.toContain('user');
  });
});

describe('A hook that may fail', () => {
  it('holds nothing back, whatever the agent answers', async () => {
    const { conversation, agent } = await begin({ hooks: hooksWith('continue') });
    conversation.send('go').result.catch(() => {});
    const request = await agent.next('initialize');
    await microtasks();
    expect(agent.received.map(({ type }) => type)).toEqual(['control_request', 'user']);
    answer(agent, request);
    await expect(conversation.ready).resolves.toEqual({});
  });
});
