import { createSdk, createHooks, hooks, openSession, type HookTable, type Observer } from '@hexagent/sdk';
import { createQuery, HOOK_EVENTS, type Options } from '@hexagent/sdk/claude-agent-sdk';
import { linkedTransport, reply, scriptedAgent } from '@hexagent/testing';
import type { Warning } from '@hexagent/ports';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { refusalOf } from './refusals.ts';

const hook = async (): Promise<object> => ({});
const twoSets = (): ReturnType<typeof createHooks> =>
  createHooks({ Stop: [{ hooks: [hook] }] }, hooks.onlyTools('Read')).on('PreToolUse', 'Bash', hook, { timeout: 5 });
const registered = {
  Stop: [{ hookCallbackIds: ['hook_0'] }],
  PreToolUse: [
    { hookCallbackIds: ['hook_1'], onFailure: 'block' },
    { matcher: 'Bash', hookCallbackIds: ['hook_2'], timeout: 5 },
  ],
};

afterEach(() => void vi.restoreAllMocks());

async function warningsOf(table: HookTable): Promise<readonly Warning[]> {
  const seen: Warning[] = [];
  const { transport } = linkedTransport(scriptedAgent());
  const session = await createSdk({ transport, onWarning: (warning) => void seen.push(warning) }).openSession({
    hooks: table,
  });
  await session.close();
  return seen;
}

async function queryWarningsOf(table: NonNullable<Options['hooks']>): Promise<readonly Warning[]> {
  const seen: Warning[] = [];
  const { transport } = linkedTransport(scriptedAgent({ turns: () => ['Done.'] }));
  const query = createQuery({ transport, onWarning: (warning) => void seen.push(warning) });
  for await (const _ of query({ prompt: 'go', options: { hooks: table } }));
  return seen;
}

describe('A set of hooks', () => {
  it('is taken by openSession() where a table is', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const session = await openSession({ transport, hooks: twoSets() });
    await session.close();
    expect(agent.received[0]?.request).toMatchObject({ hooks: registered });
  });

  it('is taken by query() where a table is', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent({ turns: () => ['Done.'] }));
    for await (const _ of createQuery({ transport })({ prompt: 'go', options: { hooks: twoSets() } }));
    expect(agent.received[0]?.request).toMatchObject({ hooks: registered });
  });

  it('is read when the session is opened', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const set = createHooks().on('Stop', hook);
    const session = await openSession({ transport, hooks: set });
    set.on('PreToolUse', hook);
    await session.close();
    expect(agent.received[0]?.request).toMatchObject({ hooks: { Stop: [{ hookCallbackIds: ['hook_0'] }] } });
    expect(JSON.stringify(agent.received[0]?.request)).not.toContain('PreToolUse');
  });

  it('reports a ready-made hook that fails, although it has answered', async () => {
    const { transport } = linkedTransport(
      scriptedAgent({ turns: () => [reply.tool('Bash', { command: 'ls' }), 'Done.'] }),
    );
    const warnings: Warning[] = [];
    const sdk = createSdk({ transport, onWarning: (warning) => void warnings.push(warning) });
    const session = await sdk.openSession({
      hooks: createHooks().on(
        'PreToolUse',
        hooks.modify(() => {
          throw new Error('broken');
        }),
      ),
    });
    const outcome = await session.send('go').result;
    await session.close();
    expect(outcome).toMatchObject({ kind: 'completed' });
    expect(warnings).toMatchObject([{ code: 'HEXAGENT_CALLBACK_FAILED', source: 'hook for PreToolUse' }]);
  });
});

describe('The option `hooks`', () => {
  it.each<readonly [unknown, string]>([
    [[{ Stop: [] }], '`hooks` must be one table, not a list. Join several: createHooks(first, second).'],
    [hooks.deny('no'), '`hooks` must be an object with events as its keys, not a function.'],
    [
      { Stop: [{ matcher: 'Bash', hooks: [hook] }] },
      '`hooks.Stop[0].matcher` is "Bash", but the CLI ignores matchers of Stop',
    ],
    [{ PreToolUse: [{ matcher: '[', hooks: [hook] }] }, '`hooks.PreToolUse[0].matcher` is "[", which matches nothing'],
    [
      { PreToolUse: [{ matcher: 'mcp__a', hooks: [hook] }] },
      '`hooks.PreToolUse[0].matcher` names "mcp__a", which matches no tool',
    ],
  ])('throws for a table that would never call a hook: %o', (given, message) => {
    expect(refusalOf({ hooks: given })).toContain(message);
  });
});

describe('What the agent does not do about hooks', () => {
  it('is warned of by both faces in the same words', async () => {
    const table = { SessionStart: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }] };
    const [warning, ...others] = await warningsOf(table);
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: 'HEXAGENT_HOOK_WITHOUT_EFFECT', source: 'hook for SessionStart' });
    expect(await queryWarningsOf(table)).toEqual([warning]);
  });

  it('is warned of in query() where openSession() refuses, in the same words', async () => {
    const table = { PreToolUse: [{ matcher: 'bash', hooks: [hook] }] };
    const wrong = 'names "bash", which matches no tool: capitals count. Did you mean "Bash"?';
    expect(refusalOf({ hooks: table })).toBe(`\`hooks.PreToolUse[0].matcher\` ${wrong}`);
    expect(await queryWarningsOf(table)).toMatchObject([{ message: `The matcher of a hook for PreToolUse ${wrong}` }]);
  });

  it('is shown by the process, also where an observer sees what fails', async () => {
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { transport } = linkedTransport(scriptedAgent());
    const observer: Observer = { observe: () => {} };
    const session = await createSdk({ transport, observer }).openSession({ hooks: { Setup: [{ hooks: [hook] }] } });
    await session.close();
    expect(emitted).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('hook for Setup'), {
      type: 'HexagentWarning',
      code: 'HEXAGENT_HOOK_WITHOUT_EFFECT',
    });
  });

  it('exists for each event of the agent', () => {
    for (const event of HOOK_EVENTS) expect(Object.keys(createHooks().on(event, () => {}))).toEqual([event]);
  });
});
