import { openSession, tool, toolResult } from '@hexagent/sdk';
import { systemText, toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

const lookUp = tool('look-up', 'Looks a word up', {}, () => toolResult.text('found'));
const agents = {
  'data clerk': { description: 'Looks up', prompt: 'You are the clerk.', tools: ['Read', lookUp] },
  data_clerk__2: { description: 'Looks up', prompt: 'You are the second.', tools: [lookUp] },
  other: { description: 'Works', prompt: 'You are the other.' },
};
const call = toolUse('mcp__data_clerk__look-up', {});
const delegateTo = (name: keyof typeof agents): TurnLike =>
  toolUse('Agent', { description: 'd', prompt: 'Go.', subagent_type: name, run_in_background: false });

/** The main agent calls the tool, and has each subagent call it. */
function callByAll(): {
  readonly model: (request: ModelRequest) => TurnLike;
  readonly seen: Record<string, unknown[][]>;
} {
  const seen: Record<string, unknown[][]> = {};
  const turns: Record<string, TurnLike[]> = {
    main: [call, delegateTo('data clerk'), delegateTo('data_clerk__2'), delegateTo('other'), 'Done.'],
    clerk: [call, 'Done.'],
    second: [toolUse('mcp__data_clerk__2__look-up', {}), 'Done.'],
    other: [call, 'Done.'],
  };
  const model = (request: ModelRequest): TurnLike => {
    const who = /You are the (clerk|second|other)\./.exec(systemText(request))?.[1] ?? 'main';
    const tools = request.body.tools ?? [];
    (seen[who] ??= []).push([toolResults(request)[0]?.text, tools.map((each) => each.name).join()]);
    return turns[who]?.shift() ?? 'Done.';
  };
  return { model, seen };
}

withCli('Tools of a subagent', () => {
  it('exist in full for it, and no other agent of the session can call them', async () => {
    const { model, seen } = callByAll();
    await using place = await stage(model);
    await using session = await openSession({ ...place.options, agents, permissions: { allowOwnTools: true } });
    expect(await session.send('Go.').text()).toBe('Done.');
    expect(seen['clerk']).toEqual([
      [undefined, expect.stringMatching(/^Read,(.*,)?mcp__data_clerk__look-up$/)],
      ['found', expect.anything()],
    ]);
    expect(seen['second']?.[1]?.[0]).toBe('found');
    const refused = expect.stringContaining('Only the agent data clerk can call mcp__data_clerk__look-up.');
    expect(seen['main']?.[1]).toEqual([refused, expect.not.stringContaining('mcp__')]);
    expect(seen['other']?.[1]).toEqual([refused, expect.not.stringContaining('mcp__')]);
  });
});
