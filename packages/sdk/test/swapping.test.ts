import { describe, expect, it } from 'vitest';
import type { ObservedEvent, Parts } from '@hexagent/sdk';
import { ask, createSdk, openSession } from '@hexagent/sdk';
import { createQuery, query } from '@hexagent/sdk/claude-agent-sdk';
import { HandClock, linkedTransport, plainCommands, reply, scriptedAgent } from '@hexagent/testing';

const texts = async (messages: AsyncIterable<{ type: string }>): Promise<string[]> => {
  const seen: string[] = [];
  for await (const message of messages) seen.push(message.type);
  return seen;
};

describe('A transport of your own', () => {
  it('serves one session, one answer and one query', async () => {
    const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const session = await openSession({ transport });
    expect(await session.send('hi').result).toMatchObject({ kind: 'completed', text: 'hello' });
    await session.close();
    expect(await ask('hi', { transport }).result).toMatchObject({ text: 'hello' });
    expect(await texts(query({ prompt: 'hi', options: { transport } }))).toEqual(['system', 'assistant', 'result']);
  });

  it('serves everything an SDK made with it does', async () => {
    const { transport, agents } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const sdk = createSdk({ transport });
    const session = await sdk.openSession();
    await session.send('hi').result;
    await session.finish();
    await sdk.ask('hi').result;
    expect(agents).toHaveLength(2);
    await texts(createQuery({ transport })({ prompt: 'hi' }));
    expect(agents).toHaveLength(3);
  });

  it('gives way to programs that calls name, each to its own, however many', async () => {
    const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const sdk = createSdk({ transport });
    for (let round = 0; round < 2; round += 1) {
      for (let number = 0; number < 40; number += 1) {
        const executable = `/no/such/agent-${number}`;
        await expect(sdk.openSession({ executable })).rejects.toMatchObject({
          code: 'AGENT_NOT_FOUND',
          message: expect.stringMatching(new RegExp(`${executable}\\b`)),
        });
      }
    }
  });

  it('gives way to a program that a call names, and not to a mere listener', async () => {
    const { transport, agents } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const sdk = createSdk({ transport });
    await sdk.ask('hi', { onStderr: () => {} }).result;
    expect(agents).toHaveLength(1);
    await expect(sdk.openSession({ executable: '/no/such/agent' })).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
    const options = { pathToClaudeCodeExecutable: '/no/such/agent' };
    await expect(texts(createQuery({ transport })({ prompt: 'hi', options }))).rejects.toMatchObject({
      code: 'AGENT_NOT_FOUND',
    });
    expect(agents).toHaveLength(1);
  });

  it('is given every option in the launch, with nothing long or secret among the arguments', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const session = await openSession({
      transport,
      cwd: 'my-project',
      model: 'some-model',
      systemPrompt: 'Be brief.',
      permissions: { deny: ['Bash(rm *)'] },
      onAsk: () => null,
      tools: [{ dialled: { command: 'server', env: { TOKEN: 'made-up' } } }],
      env: { policy: 'exact', set: { ONLY: 'this' } },
      settings: 'project',
      budget: { turns: 3 },
    });
    await session.ready;
    expect(agent.launch).toMatchObject({ cwd: 'my-project', initialize: { systemPrompt: ['Be brief.'] } });
    expect(agent.launch?.env).toMatchObject({ ONLY: 'this', CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' });
    expect(agent.launch?.env).not.toHaveProperty('PATH');
    const args = agent.launch?.args ?? [];
    expect(args).toEqual(
      expect.arrayContaining([
        '--model=some-model',
        '--disallowedTools=Bash(rm *)',
        '--permission-prompt-tool=stdio',
        '--setting-sources=project,local',
        '--max-turns=3',
      ]),
    );
    expect(args.filter((argument) => typeof argument === 'string').join(' ')).not.toContain('made-up');
    expect(args.find((argument) => typeof argument === 'object')).toMatchObject({
      content: expect.stringContaining('made-up'),
    });
    await session.close();
  });

  it('is not reached with a mode in which every tool runs, unless that is allowed', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    await expect(openSession({ transport, permissions: { cliMode: 'bypassPermissions' } })).rejects.toThrow(
      /allowBypass: true/,
    );
    expect(agent.launch).toBeUndefined();
  });

  it('loads no settings and asks no person by default', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const session = await openSession({ transport });
    expect(agent.launch?.args).toContain('--setting-sources=');
    expect(agent.launch?.args).not.toContain('--permission-prompt-tool=stdio');
    await session.close();
  });
});

describe('A part whose result is needed at once', () => {
  const parser = { parse: () => undefined, stringify: () => '{}' };
  const late = (): never => Promise.reject(new Error('late')) as never;
  it.each<[string, object, string]>([
    ['launcher', { launcher: late }, '`launcher` returned a promise. It must return its result at once.'],
    [
      'launcher',
      { launcher: () => undefined },
      '`launcher` must return a launch with a list of `args`, not undefined.',
    ],
    ['protocol', { protocol: { open: late } }, '`protocol.open` returned a promise.'],
    ['ids', { ids: { request: () => 'r', uuid: late } }, '`ids.uuid` returned a promise.'],
    [
      'ids',
      { ids: { request: () => 'r', uuid: () => 5 } },
      '`ids.uuid` must return a string that is not empty, not a number.',
    ],
    ['ids', { ids: { request: () => '', uuid: () => 'u' } }, '`ids.request` must return a string that is not empty'],
    ['parser', { parser: { ...parser, stringify: late } }, '`parser.stringify` returned a promise.'],
    ['parser', { parser: { ...parser, stringify: () => ({}) } }, '`parser.stringify` must return a string'],
  ])('fails with the name of the member when it is something else: %s %o', async (_, parts, message) => {
    const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const sdk = createSdk({ transport, onWarning: () => {}, ...parts });
    const failures: unknown[] = [];
    const failed = (error: unknown): void => void failures.push(error);
    const session = await sdk.openSession().catch(failed);
    try {
      await session?.ready.catch(failed);
      session?.send('hi').result.catch(() => {});
    } catch (error) {
      failed(error);
    }
    await session?.close();
    expect(failures.map(causesOf).join('\n')).toContain(message);
  });

  it('keeps its own `this`', async () => {
    class Ids {
      #count = 0;
      request(): string {
        return this.uuid();
      }
      uuid(): string {
        this.#count += 1;
        return `id ${this.#count}`;
      }
    }
    const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    expect(await createSdk({ transport, ids: new Ids() }).ask('hi').result).toMatchObject({ text: 'hello' });
  });
});

describe('A clock', () => {
  it.each<[object, string]>([
    [
      { after: () => setTimeout(() => {}, 0) },
      '`clock.after()` must be a function, not an object of the class Timeout.',
    ],
    [{ after: () => undefined }, '`clock.after()` must be a function, not undefined.'],
    [{ after: () => Promise.reject(new Error('late')) }, '`clock.after` returned a promise.'],
  ])('is refused at once, at both doors, when its answers cannot be used: %o', (wrong, message) => {
    const clock = { now: () => 0, after: () => () => {}, ...wrong } as NonNullable<Parts['clock']>;
    expect(() => createSdk({ clock })).toThrow(message);
    expect(() => createQuery({ clock })).toThrow(message);
  });

  it('is left without a call to wait for', () => {
    const clock = new HandClock();
    createSdk({ clock });
    expect(clock.waiting).toBe(0);
  });
});

describe('A part that makes another for each session', () => {
  const late = (): never => Promise.reject(new Error('late')) as never;
  it.each<[string, object, string]>([
    ['gate', { gate: () => undefined }, '`gate()` must be an object with the method decide, not undefined.'],
    ['gate', { gate: late }, '`gate` returned a promise.'],
    [
      'dispatcher',
      { dispatcher: () => ({ dispatch: () => ({}) }) },
      '`dispatcher()` must be an object with the methods registration, dispatch, not an object.',
    ],
    ['dispatcher', { dispatcher: late }, '`dispatcher` returned a promise.'],
    ['features', { features: () => ({ name: 'one' }) }, '`features()` must be a list of features, not an object.'],
    ['features', { features: () => [() => {}] }, '`features()[0]` must be a feature, not a function.'],
    ['features', { features: late }, '`features` returned a promise.'],
  ])('is refused by its name when it makes something else, at both doors: %s %o', async (_, given, message) => {
    const { transport, agent } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const parts: Parts = { transport, ...given };
    const refusal = async () => ({ behavior: 'deny', message: 'no' }) as const;
    const hooks = { Stop: [{ hooks: [() => ({})] }] };
    const opening = createSdk(parts).openSession({ onAsk: refusal, hooks });
    await expect(opening).rejects.toThrow(message);
    const asking = { prompt: 'hi', options: { canUseTool: refusal, hooks: { Stop: [] } } };
    expect(() => createQuery(parts)(asking)).toThrow(message);
    expect(agent.launch).toBeUndefined();
  });
});

/** The messages of an error and of its causes. */
function causesOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${causesOf(error.cause)}` : '';
}

describe('Two sessions', () => {
  it('share nothing: each has its own agent, permissions, messages and end', async () => {
    const ask = reply.tool('Bash', { command: 'touch x' }, { asks: true });
    const { transport, agents } = linkedTransport(scriptedAgent({ turns: [[ask, 'done']] }));
    const sdk = createSdk({ transport });
    const asked: string[] = [];
    const open = (name: string) =>
      sdk.openSession({ onAsk: () => (asked.push(name), { behavior: 'deny', message: name }) });
    const [first, second] = await Promise.all([open('first'), open('second')]);
    await Promise.all([first.send('go').result, second.send('go').result]);
    expect(asked.toSorted()).toEqual(['first', 'second']);
    await first.close();
    expect(agents[0]?.inputEnded).toBe(true);
    expect(agents[1]?.inputEnded).toBe(false);
    expect(() => first.send('late')).toThrow(expect.objectContaining({ code: 'CONVERSATION_CLOSED' }));
    await second.close();
  });
});

describe('A permission gate of your own', () => {
  const ask = reply.tool('Bash', { command: 'touch x' }, { asks: true });
  const gate: Parts['gate'] = ({ approver }) => ({
    decide: async (request, context) => {
      const answer = await approver?.(request, context);
      return answer?.behavior === 'deny'
        ? { behavior: 'deny', message: `${answer.message}, audited` }
        : (answer ?? null);
    },
  });
  const refusal = async () => ({ behavior: 'deny', message: 'no' }) as const;

  it('decides in place of the rules, at both doors', async () => {
    const { transport, agents } = linkedTransport(scriptedAgent({ turns: [[ask, 'done']] }));
    await createSdk({ transport, gate }).ask('go', { onAsk: refusal }).result;
    await texts(createQuery({ transport, gate })({ prompt: 'go', options: { canUseTool: refusal } }));
    for (const agent of agents) {
      expect(agent.launch?.args).toContain('--permission-prompt-tool=stdio');
      expect(JSON.stringify(agent.received)).toContain('no, audited');
    }
    expect(agents).toHaveLength(2);
  });
});

describe('A reader of commands of your own', () => {
  it('decides which commands a rule covers', async () => {
    const { transport } = linkedTransport(scriptedAgent({}));
    const options = { permissions: { deny: ['Bash(rm *)'], mode: 'allow' } } as const;
    const decisions: string[] = [];
    for (const sdk of [createSdk({ transport }), createSdk({ transport, commands: plainCommands })]) {
      const session = await sdk.openSession(options);
      for (const command of ['ls -l', 'ls | wc', 'rm x'])
        decisions.push(session.permissions.explain('Bash', { command }).decision);
      await session.close();
    }
    expect(decisions).toEqual(['allow', 'allow', 'deny', 'allow', 'deny', 'deny']);
  });
});

describe('A hook dispatcher of your own', () => {
  it('is given the hooks, at both doors', async () => {
    const { transport, agents } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const tables: object[] = [];
    const dispatcher: Parts['dispatcher'] = (table) => {
      tables.push(table);
      return { registration: () => ({ Stop: [{ hookCallbackIds: ['mine'] }] }), dispatch: async () => ({}) };
    };
    const hooks = { Stop: [{ hooks: [() => ({})] }] };
    await createSdk({ transport, dispatcher }).ask('hi', { hooks }).result;
    await texts(createQuery({ transport, dispatcher })({ prompt: 'hi', options: { hooks: { Stop: [] } } }));
    expect(tables).toEqual([hooks, { Stop: [] }]);
    for (const { received } of agents)
      expect(received[0]?.request).toMatchObject({ hooks: { Stop: [{ hookCallbackIds: ['mine'] }] } });
  });
});

describe('A feature of your own', () => {
  it('is made for each session, answers the agent and is awaited, at both doors', async () => {
    const stored: string[] = [];
    let sessions = 0;
    // Stores the agent's messages, and finishes before a result is delivered; answers a request that the SDK does not handle.
    const features: Parts['features'] = () => {
      let storing = Promise.resolve();
      sessions += 1;
      return [
        {
          name: 'store',
          untypedHandlers: { open_file: async ({ path }) => ({ opened: path }) },
          receive(message) {
            storing = storing.then(() => void stored.push(message.type));
            return message.type === 'result' ? storing : undefined;
          },
        },
      ];
    };
    const asks = reply.ask({ subtype: 'open_file', path: 'a' });
    const { transport, agents } = linkedTransport(scriptedAgent({ turns: [[asks, 'hello']] }));
    const session = await createSdk({ transport, features }).openSession();
    const seenStored: boolean[] = [];
    for await (const message of session.send('hi')) seenStored.push(stored.includes(message.type));
    expect(seenStored.at(-1)).toBe(true);
    await session.close();
    expect(await texts(createQuery({ transport, features })({ prompt: 'hi' }))).toContain('result');
    expect(sessions).toBe(2);
    for (const { received } of agents) expect(JSON.stringify(received)).toContain('"opened":"a"');
  });
});

describe('A feature of a session that never begins', () => {
  it('is closed for each failure of the start, at both doors', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    let open = 0;
    const features: Parts['features'] = () => {
      open += 1;
      return [{ name: 'file', close: async () => void (open -= 1) }];
    };
    const [sdk, query] = [createSdk({ transport, features }), createQuery({ transport, features })];
    const refused = { model: 'one', fallbackModel: 'one' }; // by the launcher
    const signal = AbortSignal.abort();
    const [abortController, stopped] = [new AbortController(), { name: 'AbortError' }];
    abortController.abort();
    await expect(sdk.openSession(refused)).rejects.toThrow('fallbackModel');
    await expect(sdk.openSession({ signal })).rejects.toMatchObject(stopped);
    expect(() => sdk.ask('hi', refused)).toThrow('fallbackModel');
    await expect(sdk.ask('hi', { signal }).result).rejects.toMatchObject(stopped);
    expect(() => query({ prompt: 'hi', options: refused })).toThrow('fallbackModel');
    expect(() => query({ prompt: 'hi', options: { abortController } })).toThrow(expect.objectContaining(stopped));
    expect(open).toBe(0);
    expect(agent.launch).toBeUndefined();
  });
});

describe('An observer', () => {
  it('sees what happens, and changes nothing when it fails', async () => {
    const kinds = new Set<ObservedEvent['kind']>();
    const { transport } = linkedTransport(scriptedAgent({ turns: () => 'hello' }));
    const observer = {
      observe(event: ObservedEvent): void {
        kinds.add(event.kind);
        throw new Error('an observer fails');
      },
    };
    const warned = new Set<string>();
    const sdk = createSdk({ transport, observer, onWarning: ({ message }) => warned.add(message) });
    expect(await sdk.ask('hi').result).toMatchObject({ text: 'hello' });
    expect([...warned]).toEqual(['The observer failed: an observer fails']);
    expect([...kinds]).toEqual(expect.arrayContaining(['sent', 'received', 'turn_started', 'turn_ended', 'exited']));
  });
});
