import { describe, expect, it } from 'vitest';
import { toLaunch } from '@hexagent/cli-launch';
import type { LaunchOptions, SessionStore, SessionStoreEntry } from '@hexagent/ports';
import {
  createSdk,
  openSession,
  type AskHandler,
  type ObservedEvent,
  type OutputSchema,
  type SessionOptions,
} from '@hexagent/sdk';
import {
  gate,
  HandClock,
  linkedTransport,
  microtasks,
  reply,
  scriptedAgent,
  type LinkedAgent,
} from '@hexagent/testing';
import { codePluginsOf } from '../src/skills/code-plugin.ts';

/** What the launcher is given for these options. */
async function launchOptionsWith(options: SessionOptions<OutputSchema>): Promise<LaunchOptions | undefined> {
  let given: LaunchOptions | undefined;
  const { transport } = linkedTransport(scriptedAgent());
  const sdk = createSdk({ transport, launcher: (launchOptions) => toLaunch((given = launchOptions)) });
  await (await sdk.openSession(options)).close();
  return given;
}

/** These do not become options of the launch alone. Tests below, and those of callbacks, servers, warnings and transports, show where they arrive. */
type Elsewhere =
  | 'signal'
  | 'initializeTimeoutMs'
  | 'stallAfterMs'
  | 'softMarkBytes'
  | 'hardMarkBytes'
  | 'hooks'
  | 'onAsk'
  | 'maxLineBytes'
  | 'executable'
  | 'onStderr'
  | 'strict'
  | 'toolOutput'
  | 'transport';

const id = '6f1c0d5e-0000-4000-8000-000000000001';
const prompt = { type: 'preset', preset: 'claude_code', append: 'Be brief.' } as const;
const agents = { reviewer: { description: 'Reviews', prompt: 'You review.' } };
const skills = [{ name: 'greet', description: 'How to greet', content: 'Say Moin.' }];
const commands = [{ name: 'shout', content: 'Shout.' }];
const allowBypass = { cliMode: 'bypassPermissions', allowBypass: true } as const;
const resumed = { resume: id };
const storeOf = (entries: readonly SessionStoreEntry[] | null): SessionStore => ({
  append: async () => {},
  load: async () => entries,
});
const exact = { policy: 'exact', set: { ONLY: 'this' } } as const;

/** What is passed, and what the launcher is given. A new option does not compile without its row, or its place among those above. */
const launched: Readonly<
  Record<
    Exclude<keyof SessionOptions, Elsewhere>,
    readonly (readonly [SessionOptions<OutputSchema>, Partial<LaunchOptions>])[]
  >
> = {
  cwd: [[{ cwd: '/' }, { cwd: '/' }]],
  model: [[{ model: 'opus' }, { model: 'opus' }]],
  fallbackModel: [[{ fallbackModel: 'other' }, { fallbackModel: 'other' }]],
  systemPrompt: [[{ systemPrompt: prompt }, { systemPrompt: prompt }]],
  permissions: [
    [{ permissions: { allow: ['Read'] } }, { asksPermission: true }],
    [{ permissions: { deny: ['Read'] } }, { disallowedTools: ['Read'] }],
    [{ permissions: { ask: ['Read'] } }, { askedTools: ['Read'] }],
    [{ permissions: { cliMode: 'plan' } }, { permissionMode: 'plan' }],
    [{ permissions: allowBypass }, { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true }],
  ],
  agents: [[{ agents }, { agents }]],
  skills: [[{ skills }, { privatePlugins: codePluginsOf({ skills }) }]],
  commands: [[{ skills, commands }, { privatePlugins: codePluginsOf({ skills, commands }) }]],
  plugins: [
    [
      { plugins: [{ name: 'greeting', skills, agents }] },
      {
        privatePlugins: codePluginsOf({ plugins: [{ name: 'greeting', skills }] }),
        agents: { 'greeting:reviewer': agents.reviewer },
      },
    ],
  ],
  tools: [
    [{ tools: ['Read'] }, { tools: ['Read'] }],
    [{ tools: ['none'] }, { tools: [] }],
    [{ tools: [{ out: { command: 'serve' } }] }, { mcpServers: { out: { command: 'serve' } } }],
  ],
  env: [[{ env: exact }, { env: { ONLY: 'this' } }]],
  settings: [
    [{ settings: 'user' }, { settingSources: ['user', 'project', 'local'] }],
    [{ settings: ['user'] }, { settingSources: ['user'] }],
  ],
  output: [
    [
      { output: { type: 'object', properties: { a: { type: 'string' } } } },
      { outputFormat: { type: 'json_schema', schema: { type: 'object', properties: { a: { type: 'string' } } } } },
    ],
  ],
  thinking: [[{ thinking: { type: 'disabled' } }, { thinking: { type: 'disabled' } }]],
  effort: [[{ effort: 'low' }, { effort: 'low' }]],
  budget: [[{ budget: { usd: 2, turns: 3 } }, { maxBudgetUsd: 2, maxTurns: 3 }]],
  maxRetries: [[{ maxRetries: 4, env: exact }, { env: { ONLY: 'this', CLAUDE_CODE_MAX_RETRIES: '4' } }]],
  partialMessages: [
    [
      { partialMessages: true, env: exact },
      { includePartialMessages: true, env: { ONLY: 'this' } },
    ],
  ],
  resume: [[resumed, resumed]],
  fork: [
    [
      { ...resumed, fork: true },
      { ...resumed, forkSession: true },
    ],
  ],
  interruptedTurn: [
    [
      { ...resumed, env: exact, interruptedTurn: 'continue' },
      {
        ...resumed,
        env: { ONLY: 'this', CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1', CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1' },
      },
    ],
  ],
  continue: [[{ continue: true }, { continue: true }]],
  sessionId: [[{ sessionId: id }, { sessionId: id }]],
  persist: [[{ persist: false }, { persistSession: false }]],
  checkpoints: [[{ checkpoints: true }, { enableFileCheckpointing: true }]],
  store: [
    [{ store: storeOf(null) }, { sessionMirror: true }],
    [
      { ...resumed, store: storeOf([{ type: 'user', uuid: 'u1' }]) },
      { ...resumed, sessionMirror: true, configFolder: { files: expect.any(Array) } },
    ],
  ],
  additionalDirectories: [[{ additionalDirectories: ['a', 'b'] }, { additionalDirectories: ['a', 'b'] }]],
  extraArgs: [[{ extraArgs: { 'some-flag': null } }, { extraArgs: { 'some-flag': null } }]],
  dialogKinds: [[{ dialogKinds: ['survey'], onAsk: () => null }, { supportedDialogKinds: ['survey'] }]],
  backgroundTasks: [[{ backgroundTasks: 'wait' }, { leftovers: 'wait' }]],
  leftovers: [
    [{ leftovers: 'leave' }, { leftovers: 'leave' }],
    [{ backgroundTasks: 'wait', leftovers: 'leave' }, { leftovers: 'leave' }],
  ],
};

describe('An option of a session', () => {
  it.each(Object.entries(launched).flatMap(([name, cases]) => cases.map((each) => [name, ...each] as const)))(
    'arrives in the options of the launch: %s',
    async (_, options, arrives) => {
      expect(await launchOptionsWith(options)).toMatchObject(arrives);
      expect(await launchOptionsWith({})).not.toMatchObject(arrives);
    },
  );

  it('that is left out ends the processes which outlive the agent', async () => {
    expect(await launchOptionsWith({})).toMatchObject({ leftovers: 'end' });
  });

  it('that means nothing is refused before an agent is started', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    // A program in JavaScript may pass anything; the CLI would load all settings here.
    const opening = openSession({ transport, settings: 'nothing' as never });
    await expect(opening).rejects.toThrow(/`settings` must be one of "none", "project", "user", not "nothing"/);
    expect(agent.launch).toBeUndefined();
  });
});

describe('What a session receives about its own behaviour', () => {
  const asks = (agent: LinkedAgent, request: object): void =>
    agent.write({ type: 'control_request', request_id: 'q', request });

  it('is how long the agent may take to introduce itself', async () => {
    const clock = new HandClock();
    const { transport } = linkedTransport();
    const session = await createSdk({ transport, clock }).openSession({ initializeTimeoutMs: 50 });
    clock.advance(50);
    await expect(session.ready).rejects.toMatchObject({ code: 'INITIALIZE_TIMEOUT' });
    await session.close();
  });

  it('is a signal that ends it', async () => {
    const controller = new AbortController();
    const { transport } = linkedTransport(scriptedAgent({ turns: [[reply.hold(gate())]] }));
    const session = await openSession({ transport, signal: controller.signal });
    const turn = session.send('hi');
    controller.abort('enough');
    await expect(turn.result).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' });
    await session.close();
  });

  it('is who answers what servers and the agent ask of a person', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const onAsk: AskHandler = ({ kind }) =>
      kind === 'dialog' ? { behavior: 'completed', result: 'yes' } : { action: 'accept', content: { a: 1 } };
    const session = await openSession({ transport, onAsk, dialogKinds: ['some_dialog'] });
    await session.ready;
    expect(agent.received[0]?.request).toMatchObject({ supportedDialogKinds: ['some_dialog'] });
    asks(agent, { subtype: 'elicitation', mcp_server_name: 's', message: 'm' });
    expect(await agent.next('control_response')).toMatchObject({ response: { response: { action: 'accept' } } });
    asks(agent, { subtype: 'request_user_dialog', dialog_kind: 'some_dialog' });
    expect(await agent.next('control_response')).toMatchObject({ response: { response: { result: 'yes' } } });
    await session.close();
  });

  it('may leave that open, to be answered by its id', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const session = await openSession({ transport, onAsk: () => null });
    await session.ready;
    asks(agent, { subtype: 'elicitation', mcp_server_name: 's', message: 'm' });
    await expect.poll(() => session.pending.list()).toMatchObject([{ kind: 'elicitation', request: { message: 'm' } }]);
    for (const { id } of session.pending.list()) session.pending.answer(id, { action: 'accept', content: { a: 1 } });
    expect(await agent.next('control_response')).toMatchObject({ response: { response: { content: { a: 1 } } } });
    await session.close();
  });

  it('is hooks, which are registered with the agent and called by it', async () => {
    const { transport, agent } = linkedTransport(scriptedAgent());
    const hooks = { Stop: [{ hooks: [() => ({ systemMessage: 'hooked' })] }] };
    const session = await openSession({ transport, hooks });
    await session.ready;
    const [callback_id] = JSON.stringify(agent.received[0]).match(/(?<="hookCallbackIds":\[")[^"]+/) ?? [];
    const input = { hook_event_name: 'Stop', session_id: 's', transcript_path: '/t', cwd: '/' };
    asks(agent, { subtype: 'hook_callback', callback_id, input });
    const answer = await agent.next('control_response');
    expect(answer).toMatchObject({ response: { response: { systemMessage: 'hooked' } } });
    await session.close();
  });

  it.each([
    ['stop', 1],
    ['wait', 0],
  ] as const)('is whether finish() is to %s for background shells', async (backgroundTasks, stops) => {
    const { transport, agent } = linkedTransport(scriptedAgent({ turns: [[reply.shell('tail -f x'), 'started']] }));
    const session = await openSession({ transport, backgroundTasks });
    await session.send('go').result;
    const finished = session.finish();
    await agent.ended;
    expect(agent.received.filter(({ request }) => request?.subtype === 'stop_task')).toHaveLength(stops);
    agent.exit();
    await finished;
  });

  it('is how much may lie unread, with and without callbacks', async () => {
    const events: ObservedEvent[] = [];
    const observer = { observe: (event: ObservedEvent) => void events.push(event) };
    const marks = { softMarkBytes: 1000, hardMarkBytes: 3000 };
    for (const callback of [{}, { onAsk: () => null }]) {
      const { transport, agent } = linkedTransport(scriptedAgent());
      const session = await createSdk({ transport, observer }).openSession({ ...marks, ...callback });
      await session.ready;
      const reading = session.messages[Symbol.asyncIterator]();
      const first = reading.next();
      for (let count = 0; count < 9; count += 1) agent.write({ type: 'news', text: 'x'.repeat(500) });
      await first;
      await microtasks();
      await session.close();
    }
    const marked = events.flatMap((event) =>
      event.kind === 'paused' || event.kind === 'stalled' ? [[event.kind, Math.floor(event.unreadBytes / 1000)]] : [],
    );
    expect(marked).toEqual([
      ['paused', 1],
      ['stalled', 3],
    ]);
  });
});
