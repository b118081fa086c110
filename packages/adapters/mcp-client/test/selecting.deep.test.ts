import { HandClock } from '@hexagent/testing';
import { describe, expect, it, vi } from 'vitest';
import { external, type StdioServer, type ToolSelection } from '../src/index.ts';
import { ToolView } from '../src/tool-view.ts';
import { hello, notes, openSession, type AgentSession } from './dialling.ts';

vi.setConfig({ testTimeout: 60_000 }); // a bound for real processes on a busy machine, never waited for

async function listed({ ask }: AgentSession): Promise<string[]> {
  const { result } = await ask('tools/list');
  return (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

async function selected(
  tools: ToolSelection,
  act: (agent: AgentSession) => Promise<void>,
  options: Partial<StdioServer> = {},
): Promise<void> {
  await using dialled = await notes([], { tools, ...options });
  await act(openSession(dialled.server));
}

describe('The tools of a server', () => {
  it('are those that were named, and no others', async () => {
    await selected({ only: ['look', 'echo'] }, async (agent) => {
      expect(await listed(agent)).toEqual(['echo', 'look']);
      expect(await agent.ask('tools/call', { name: 'boom' })).toMatchObject({
        error: { code: -32602, message: 'Unknown tool: boom' },
      });
      const { calls } = JSON.parse(await agent.call('look')) as { calls: number };
      expect(calls).toBe(1); // the other call did not reach the server
    });
  });

  it('are all but those that were left out, also where both lists have one', async () => {
    await selected({ only: ['look', 'echo'], without: ['echo'] }, async (agent) => {
      expect(await listed(agent)).toEqual(['look']);
      await expect(agent.call('echo')).rejects.toThrow('Unknown tool: echo');
    });
  });

  it('are hidden although their names are written with other capitals, and the program is warned', async () => {
    const notices: string[] = [];
    const view = new ToolView({ without: ['Delete-All'] }, (what) => notices.push(what));
    const tools = [{ name: 'delete_all' }, { name: 'echo' }];
    expect(view.list({ result: { tools } }, true)).toEqual({ result: { tools: [tools[1]] } });
    expect(view.prepare({ name: 'delete_all' })).toHaveProperty('refusal.error.code', -32602);
    expect(notices).toEqual([expect.stringContaining('tools.without names Delete-All')]);
  });

  it('are none, when none is named', () => {
    const view = new ToolView({ only: [] }, () => {});
    expect(view.list({ result: { tools: [{ name: 'echo' }] } }, true)).toEqual({ result: { tools: [] } });
    expect(view.prepare({ name: 'echo' })).toHaveProperty('refusal');
  });

  it('have the names that they were given, and no longer their own', async () => {
    await selected({ rename: { echo: 'repeat', look: 'echo' } }, async (agent) => {
      const names = await listed(agent);
      expect(names).toEqual(expect.arrayContaining(['repeat', 'echo', 'boom']));
      expect(names).not.toContain('look');
      expect(await agent.call('repeat', { a: 1 })).toBe('{"a":1}');
      expect(JSON.parse(await agent.call('echo'))).toHaveProperty('pid');
      await expect(agent.call('look')).rejects.toThrow('Unknown tool: look');
      expect(agent.notices).toEqual([]);
    });
  });

  it('keep their other fields', async () => {
    await selected({ only: ['echo'], rename: { echo: 'repeat' } }, async ({ ask }) => {
      expect((await ask('tools/list')).result).toEqual({
        tools: [{ name: 'repeat', inputSchema: { type: 'object' }, _meta: { 'notes/name': 'echo' } }],
      });
    });
  });

  it.each<[string, ToolSelection, string]>([
    ['in only', { only: ['ehco'] }, 'tools.only names ehco, which the server does not have. It has echo, '],
    ['in without', { without: ['ehco', 'bom', 'look'] }, 'tools.without names ehco, bom, which the server'],
    ['in rename', { rename: { ehco: 'x' } }, 'tools.rename names ehco, which'],
    ['in timeoutMs', { timeoutMs: { ehco: 5 } }, 'tools.timeoutMs names ehco, which'],
    ['that another tool has', { rename: { look: 'echo' } }, 'hides the tool of that name'],
  ])('are checked: the program is warned once of a name %s that is wrong', async (_, tools, message) => {
    await selected(tools, async (agent) => {
      await listed(agent);
      await listed(agent);
      expect(agent.notices).toEqual([expect.stringContaining(message)]);
    });
  });

  it('may be called as what every object has', () => {
    const view = new ToolView({ without: ['echo'], timeoutMs: {} }, () => {});
    const tools = [{ name: 'constructor' }, { name: 'echo' }, { name: '__proto__' }];
    expect(view.list({ result: { tools } }, true)).toEqual({ result: { tools: [tools[0], tools[2]] } });
    expect(view.prepare({ name: 'constructor' })).toMatchObject({ name: 'constructor', timeoutMs: undefined });
  });

  it('are not reached by an odd name', () => {
    const view = new ToolView({ only: ['look', 'boom'], rename: { boom: 'bang' } }, () => {});
    for (const name of ['__proto__', 'constructor', 'toString', '', 5, undefined, ['echo'], { toString: () => 'echo' }])
      expect(view.prepare({ name })).toHaveProperty('refusal.error.code', -32602);
  });

  it.each<[string, unknown]>([
    ['`external(notes).tools` must be a plain object, not a list.', ['echo']],
    ['`external(notes).tools.onyl` is not known. Did you mean `external(notes).tools.only`?', { onyl: ['echo'] }],
    ['`external(notes).tools.only` must be a list of names, not a string.', { only: 'echo' }],
    ['`external(notes).tools.rename.echo` must be a name of letters, digits, _ and -', { rename: { echo: 'my tool' } }],
    ['`external(notes).tools.rename` gives the name x twice', { rename: { echo: 'x', look: 'x' } }],
    ['`external(notes).tools.timeoutMs.echo` must be a number', { timeoutMs: { echo: -1 } }],
  ])('that cannot be meant are refused at the call: %s', (message, tools) => {
    const make = (): unknown => external({ name: 'notes', command: 'x', tools: tools as ToolSelection });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});

describe('The time of a tool', () => {
  it('#28 has no limit unless it was given one', async () => {
    const clock = new HandClock();
    await using dialled = await notes([], { clock, tools: { timeoutMs: { look: 5 } } });
    const { ask, next, send } = openSession(dialled.server);
    await ask('initialize', hello);
    const answer = ask('tools/call', { name: 'wait', _meta: { progressToken: 1 } }, { id: 7 });
    await next();
    expect(clock.waiting).toBe(0);
    await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    await answer;
  });

  it.each([[{ wait: 5000 }], [5000]])(
    'that was limited ends with an error, and the server is notified: %j',
    async (timeoutMs) => {
      const clock = new HandClock();
      await using dialled = await notes([], { clock, tools: { rename: { wait: 'sleep' }, timeoutMs } });
      const { ask, next, call } = openSession(dialled.server);
      await ask('initialize', hello);
      const answer = ask('tools/call', { name: 'sleep', _meta: { progressToken: 1 } });
      await next();
      clock.advance(5000);
      expect(await answer).toMatchObject({
        error: { code: -32001, message: 'The tool wait of the MCP server notes did not answer within 5000 ms.' },
      });
      expect(await next()).toMatchObject({ params: { data: 'stopped waiting' } });
      expect(await call('echo')).toBe('{}');
      expect(clock.waiting).toBe(0);
    },
  );

  it('#28 begins anew with each progress', async () => {
    const clock = new HandClock();
    await using dialled = await notes([], { clock, tools: { timeoutMs: 5000 } });
    const { ask, next } = openSession(dialled.server);
    await ask('initialize', hello);
    const answer = ask('tools/call', { name: 'steps', _meta: { progressToken: 1 } });
    for (let step = 0; step < 3; step += 1) {
      await next();
      clock.advance(4000);
      await ask('tools/call', { name: 'step' });
    }
    expect(await answer).toHaveProperty('result.content.0.text', 'three steps');
  });
});
