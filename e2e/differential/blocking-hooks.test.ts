import { toolUse } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { obliging } from './behaviours.ts';
import { orderOf } from './comparable.ts';
import { runReal } from './real.ts';
import { compare, sides, type Program, type Side } from './run.ts';
import type { WireFrame } from './stand-in.ts';

const hooking =
  (onFailure: 'block' | 'continue'): Program =>
  ({ query }, { options }) =>
    query({
      prompt: 'hello',
      options: {
        ...options,
        hooks: { PreToolUse: [{ hooks: [async () => Promise.reject(new Error('It fails.'))], onFailure }] },
      },
    });

describe('A hook that must block when it fails', () => {
  it.each<readonly [string, WireFrame, boolean]>([
    ['honours onFailure', { hook_on_failure_supported: true, hooks_applied: true }, true],
    ['does not say whether it took the hooks', { hook_on_failure_supported: true }, true],
    ['is too old to know onFailure', {}, false],
    ['does not honour onFailure', { hook_on_failure_supported: false, hooks_applied: true }, false],
    ['did not take the hooks', { hook_on_failure_supported: true, hooks_applied: false }, false],
  ])(
    'has the prompt wait for an agent, and sends none to one that cannot hold to it: the agent %s',
    async (_, introduction, goesOn) => {
      const { official, ours } = await compare(hooking('block'), { standIn: obliging({ introduction }) });
      for (const { launches, thrown } of [official, ours]) {
        expect(launches.map(orderOf)).toEqual([goesOn ? ['initialize', 'user'] : ['initialize']]);
        expect(thrown === undefined).toBe(goesOn);
      }
    },
  );
});

withCli('A hook that must block and fails', () => {
  it.each(sides)('keeps the tool from running: %s', async (side) => {
    const program: Program = (sdk, place) =>
      hooking('block')(sdk, { ...place, options: { ...place.options, allowedTools: ['Bash'] } });
    const { files, thrown } = await runReal(side, program, [toolUse('Bash', { command: 'touch denied' }), 'done']);
    expect(thrown).toBeUndefined();
    expect(files).not.toContain('denied');
  });
});

withCli('A hook that answers nothing', () => {
  it.each<readonly [side: Side, answer: undefined | null, reported: readonly string[]]>([
    ['official', undefined, ['hook_callback_failed']],
    ['official', null, ['hook_callback_failed']],
    ['ours', undefined, []],
    ['ours', null, []],
  ])(
    'lets the agent continue, which in the official package reports a failure: %s, %s',
    async (side, answer, reported) => {
      const program: Program = ({ query }, { options }) =>
        query({
          prompt: 'go',
          // Only untyped code returns nothing: the official types ask for an object.
          options: {
            ...options,
            allowedTools: ['Bash'],
            hooks: { PreToolUse: [{ hooks: [async () => answer as never] }] },
          },
        });
      const { files, messages } = await runReal(side, program, [toolUse('Bash', { command: 'touch made' }), 'done']);
      expect(files).toEqual(['made']);
      expect(messages.flatMap(({ tag }) => (tag === undefined ? [] : [tag]))).toEqual(reported);
    },
  );
});
