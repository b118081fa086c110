import { describe, expect, it } from 'vitest';
import type { HookDispatcher, HookRequest } from '@hexagent/ports';
import { hooksFeature } from '../src/index.ts';

const hooksWith = (onFailure: 'block' | 'continue' | undefined): HookDispatcher => ({
  registration: () => ({
    Stop: [{ hookCallbackIds: ['hook_0'] }],
    PreToolUse: [{ hookCallbackIds: ['hook_1'], onFailure }],
  }),
  dispatch: async ({ callback_id }) => ({ reason: callback_id }),
});

const request: HookRequest = {
  callback_id: 'hook_0',
  input: { hook_event_name: 'Stop', session_id: 's', transcript_path: '', cwd: '', stop_hook_active: false },
};

describe('Hooks as a feature', () => {
  it('are registered by `initialize`, and run when the agent asks for them', async () => {
    const feature = hooksFeature(hooksWith(undefined));
    expect(feature?.initialize).toEqual({ hooks: hooksWith(undefined).registration() });
    const context = { requestId: 'r', signal: new AbortController().signal };
    expect(await feature?.handlers?.hook_callback?.(request, context)).toEqual({ reason: 'hook_0' });
  });

  it('are not a feature when nothing is registered', () => {
    expect(hooksFeature({ ...hooksWith('block'), registration: () => undefined })).toBeUndefined();
  });

  it('need no confirmation of the agent when they may fail', () => {
    expect(hooksFeature(hooksWith('continue'))?.checkInitialize).toBeUndefined();
    expect(hooksFeature(hooksWith(undefined))?.checkInitialize).toBeUndefined();
  });
});

describe('A hook that must block when it fails', () => {
  const check = hooksFeature(hooksWith('block'))?.checkInitialize;

  it('accepts an agent that reports that it does', () => {
    expect(() => check?.({ hook_on_failure_supported: true, hooks_applied: true })).not.toThrow();
  });

  it.each([
    ['does not support onFailure', {}, /onFailure/],
    ['says that it does not', { hook_on_failure_supported: false, hooks_applied: true }, /onFailure/],
    ['says something else', { hook_on_failure_supported: 1 as never, hooks_applied: true }, /onFailure/],
    ['did not take the hooks', { hook_on_failure_supported: true, hooks_applied: false }, /did not take/],
  ])('refuses an agent that %s', (_, answered, message) => {
    expect(() => check?.(answered)).toThrow(
      expect.objectContaining({ code: 'INITIALIZE_FAILED', message: expect.stringMatching(message) }),
    );
  });
});
