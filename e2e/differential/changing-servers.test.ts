import { join } from 'node:path';
import { toolUse } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { controlRequest, initMessage, obliging, resultMessage, stateMessage, subtypeOf } from './behaviours.ts';
import { stdinOf } from './comparable.ts';
import { runReal } from './real.ts';
import { compare, run, sides, type Program, type RunRecord, type Sdk } from './run.ts';
import type { Agent, Behaviour, WireFrame } from './stand-in.ts';

type Config = ReturnType<Sdk['createSdkMcpServer']>;

/** A server whose only tool is named for it. */
const serverOf = ({ createSdkMcpServer, tool }: Sdk, name: string, more: object = {}): Config => {
  const named = tool(name, 'Is called.', {}, async () => ({ content: [{ type: 'text', text: name }] }));
  return { ...createSdkMcpServer({ name, tools: [named] }), ...more };
};

/** Asks the server of this name for its tools, and calls back with the answer. */
function askForTools(agent: Agent, server_name: string, then: (answer: unknown) => void): void {
  const id = crypto.randomUUID();
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  agent.listen({
    frame: ({ response }) => {
      if ((response as WireFrame | undefined)?.['request_id'] === id) then(response);
    },
  });
  agent.write(controlRequest(id, { subtype: 'mcp_message', server_name, message }));
}

/** What a program learns by `mcpServerStatus()` here: the names of the tools of each of these servers, `null` where there is no such server. */
const listing = (...names: readonly string[]): Behaviour =>
  obliging({
    message: () => true,
    request: (frame, agent) => {
      const { request } = frame as { readonly request: WireFrame };
      if (request['subtype'] === 'mcp_set_servers' && 'refused' in (request['servers'] as object))
        return new Error('No.');
      if (request['subtype'] !== 'mcp_status') return undefined;
      const listed: Record<string, unknown> = {};
      for (const name of names)
        askForTools(agent, name, (answer) => {
          listed[name] = toolsOf(answer);
          if (Object.keys(listed).length < names.length) return;
          const response = { subtype: 'success', request_id: frame['request_id'], response: { mcpServers: [listed] } };
          agent.write({ type: 'control_response', response });
        });
      return null;
    },
  });

function toolsOf(answer: unknown): unknown {
  const { response } = answer as { readonly response?: { readonly mcp_response?: { readonly result?: WireFrame } } };
  const tools = response?.mcp_response?.result?.['tools'] as readonly { readonly name: string }[] | undefined;
  return tools?.map(({ name }) => name) ?? null;
}

const changesOf = ({ launches }: RunRecord): readonly unknown[] =>
  launches.flatMap(stdinOf).filter((frame) => subtypeOf(frame) === 'mcp_set_servers');

describe('setMcpServers() with servers of this process', () => {
  it('sends them to the agent as in the official package, beside those that it dials, and serves them', async () => {
    const tools = [{ name: 'a', permission_policy: 'always_deny' }];
    const program: Program = async (sdk, { options, note }) => {
      const running = sdk.query({
        prompt: 'hello',
        options: { ...options, mcpServers: { old: serverOf(sdk, 'old') } },
      });
      const status = async (): Promise<unknown> => (await running.mcpServerStatus())[0];
      note('at first', await status());
      await running.setMcpServers({ a: serverOf(sdk, 'a', { tools, timeout: 7 }), b: { command: 'x', args: [] } });
      note('replaced', await status());
      await running.setMcpServers({});
      note('removed', await status());
      await running.setMcpServers({ a: serverOf(sdk, 'again') });
      note('again', await status());
      running.close();
    };
    const { official, ours } = await compare(program, { standIn: listing('old', 'a') });
    expect(official.notes).toEqual({
      'at first': { old: ['old'], a: null },
      replaced: { old: null, a: ['a'] },
      removed: { old: null, a: null },
      again: { old: null, a: ['again'] },
    });
    expect(ours.notes).toEqual(official.notes);
    expect(changesOf(ours)).toEqual(changesOf(official));
    expect(changesOf(ours)[0]).toMatchObject({
      request: { servers: { a: { type: 'sdk', name: 'a', tools, timeout: 7 } } },
    });
  });

  it('keeps the one that has the name, as in the official package, and warns', async () => {
    const program: Program = async (sdk, { options, note }) => {
      const running = sdk.query({ prompt: 'hello', options });
      const first = serverOf(sdk, 'first');
      await running.setMcpServers({ a: first });
      await running.setMcpServers({ a: { ...first } });
      await running.setMcpServers({ a: serverOf(sdk, 'second') });
      note('status', (await running.mcpServerStatus())[0]);
      running.close();
    };
    const { official, ours } = await compare(program, { standIn: listing('a') });
    expect(official.notes).toEqual({ status: { a: ['first'] } });
    expect(ours.notes).toEqual(official.notes);
    expect(changesOf(ours)).toEqual(changesOf(official));
    expect(official.warnings).toEqual([]);
    expect(ours.warnings).toMatchObject([
      { code: 'HEXAGENT_SERVER_KEPT', message: expect.stringContaining('name a,') },
    ]);
  });

  it('changes nothing when the agent refuses it, while in the official package the servers before are lost', async () => {
    const program: Program = async (sdk, { options, note }) => {
      const running = sdk.query({ prompt: 'hello', options });
      await running.setMcpServers({ a: serverOf(sdk, 'a') });
      const refused = running.setMcpServers({ b: serverOf(sdk, 'b'), refused: { command: 'x' } });
      note('failure', await refused.catch(({ message }: Error) => message));
      note('status', (await running.mcpServerStatus())[0]);
      running.close();
    };
    const { official, ours } = await compare(program, { standIn: listing('a', 'b') });
    expect(official.notes).toEqual({ failure: 'No.', status: { a: null, b: ['b'] } });
    expect(ours.notes).toEqual({ failure: 'No.', status: { a: ['a'], b: null } });
  });

  it('is written in the order of the calls', async () => {
    const program: Program = async (sdk, { options }) => {
      const running = sdk.query({ prompt: 'hello', options });
      await running.initializationResult();
      const calls = [
        running.setMcpServers({ a: serverOf(sdk, 'a') }),
        running.setModel('m'),
        running.setMcpServers({}),
        running.setPermissionMode('plan'),
      ];
      await Promise.all(calls);
      running.close();
    };
    const ours = await run('ours', program, { standIn: obliging({ message: () => true }) });
    // In the official package the second change comes after the mode.
    expect(ours.launches.flatMap(stdinOf).map(subtypeOf).slice(2, 6)).toEqual([
      'mcp_set_servers',
      'set_model',
      'mcp_set_servers',
      'set_permission_mode',
    ]);
  });

  it.each(sides)(
    'has the input kept open until the agent is idle, which may still call the tools: %s',
    async (side) => {
      const seen: string[] = [];
      const standIn = obliging({
        message: () => true,
        inputEnded: (agent) => {
          seen.push('input ended');
          agent.exit(0);
          return true;
        },
        request: (frame, agent) => {
          if (subtypeOf(frame) !== 'mcp_set_servers') return undefined;
          for (const message of [stateMessage('running'), initMessage(), resultMessage()]) agent.write(message);
          askForTools(agent, 'a', (answer) => {
            seen.push(JSON.stringify(toolsOf(answer)));
            agent.write(stateMessage('idle'));
          });
          return {};
        },
      });
      const program: Program = async (sdk, { options }) => {
        const running = sdk.query({ prompt: 'hello', options });
        await running.setMcpServers({ a: serverOf(sdk, 'a') });
        return running;
      };
      const { thrown, hangs } = await run(side, program, { standIn });
      expect({ thrown, hangs, seen }).toEqual({ thrown: undefined, hangs: false, seen: ['["a"]', 'input ended'] });
    },
  );
});

withCli('A server that is set while the agent runs', () => {
  const setting =
    (more: object): Program =>
    async (sdk, { options, note }) => {
      let release = (): void => {};
      const isSet = new Promise<void>((resolve) => (release = resolve));
      const running = sdk.query({
        prompt: (async function* () {
          await isSet;
          yield { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null } as const;
        })(),
        options: { ...options, allowedTools: ['mcp__late__late'] },
      });
      const server = serverOf(sdk, 'late', more);
      note('change', await running.setMcpServers({ late: server }));
      release();
      return running;
    };

  it.each(sides)('has its tools called, although the agent was started without any: %s', async (side) => {
    const { messages, notes } = await runReal(side, setting({}), [toolUse('mcp__late__late', {}), 'done']);
    expect(notes).toEqual({ change: { added: ['late'], removed: [], errors: {} } });
    expect(messages.find(({ subtype }) => subtype === 'init')).toMatchObject({
      tools: expect.arrayContaining(['mcp__late__late']),
    });
    expect(JSON.stringify(messages.filter(({ type }) => type === 'user'))).toContain('"text":"late"');
  });

  it('may be a program without arguments, which in the official package the agent cannot start', async () => {
    const program: Program = async (sdk, { options, note }) => {
      const running = sdk.query({ prompt: 'go', options });
      note(
        'change',
        await running.setMcpServers({
          greeter: { command: join(import.meta.dirname, '../fixtures/greeting-server.mjs') },
        }),
      );
      return running;
    };
    const script = ['done'];
    const [official, ours] = [await runReal('official', program, script), await runReal('ours', program, script)];
    expect(official.notes).toMatchObject({ change: { errors: { greeter: expect.stringContaining('iterable') } } });
    expect(ours.notes).toEqual({ change: { added: ['greeter'], removed: [], errors: {} } });
  });

  it.each(sides)('is held to its policies: %s', async (side) => {
    const tools = [{ name: 'late', permission_policy: 'always_deny' }];
    const { messages } = await runReal(side, setting({ tools }), [toolUse('mcp__late__late', {}), 'done']);
    expect(messages.find(({ subtype }) => subtype === 'init')).toMatchObject({
      tools: expect.not.arrayContaining(['mcp__late__late']),
    });
    expect(JSON.stringify(messages.filter(({ type }) => type === 'user'))).not.toContain('"text":"late"');
  });
});

withCli('reinitialize() of the real CLI', () => {
  it.each(sides)('answers in full, in mid-session, and keeps hooks and servers of this process: %s', async (side) => {
    const program: Program = async (sdk, { options, note }) => {
      const running = sdk.query({
        prompt: 'go',
        options: {
          ...options,
          mcpServers: { mine: serverOf(sdk, 'mine') },
          allowedTools: ['mcp__mine__mine'],
          hooks: {
            PreToolUse: [
              {
                hooks: [
                  async () => {
                    note('hook', true);
                    return {};
                  },
                ],
              },
            ],
          },
        },
      });
      const first = await running.initializationResult();
      const again = await running.reinitialize();
      note('commands', again.commands.length === first.commands.length);
      return running;
    };
    const { messages, notes } = await runReal(side, program, [toolUse('mcp__mine__mine', {}), 'done']);
    expect(notes).toMatchObject({ hook: true, commands: true });
    expect(JSON.stringify(messages.filter(({ type }) => type === 'user'))).toContain('"text":"mine"');
  });
});
