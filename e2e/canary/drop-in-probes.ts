import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createSdkMcpServer,
  prewarm,
  query,
  startup,
  tool,
  type CanUseTool,
  type Options,
  type Query,
  type SDKMessage,
  type SDKResultMessage,
} from '@hexagent/sdk/claude-agent-sdk';
import { toolUse, type Script } from '@hexagent/testing/loopback';
import { z } from 'zod';
import { byPrompt } from '../support/by-prompt.ts';
import { optionsOf, touch } from '../support/queries.ts';
import { stage, type Stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';
import { colours, greeter, includes, made, on, schema, type Probe } from './probe-tools.ts';

const allowing: CanUseTool = async (_, updatedInput) => ({ behavior: 'allow', updatedInput });

/** All messages of a query with these options. */
async function messagesOf(place: Stage, options: Options = {}, prompt = 'go'): Promise<readonly SDKMessage[]> {
  return await Array.fromAsync(query({ prompt, options: optionsOf(place, options) }));
}

async function resultOf(place: Stage, options: Options = {}, prompt = 'go'): Promise<SDKResultMessage> {
  const result = (await messagesOf(place, options, prompt)).findLast((message) => message.type === 'result');
  assert(result);
  return result;
}

async function answerOf(place: Stage, options: Options = {}, prompt = 'go'): Promise<string> {
  const result = await resultOf(place, options, prompt);
  return result.subtype === 'success' ? result.result : result.subtype;
}

/** What holds for the text of the answer where this option is given. */
const answering = (name: string, script: Script, options: Options, part: string): Probe =>
  on(name, script, async (place) => includes(await answerOf(place, options), part));

/** An option with which a call of Bash runs, or does not. */
const running = (name: string, options: Options, runs: boolean): Probe =>
  on(name, touch, async (place) => {
    const messages = await messagesOf(place, options);
    const mode = messages.find((message) => message.type === 'system' && message.subtype === 'init')?.permissionMode;
    assert.equal(made(place), runs, `The call ${runs ? 'did not run' : 'ran'} in the mode ${String(mode)}.`);
  });

const own = () => ({
  own: createSdkMcpServer({
    name: 'own',
    tools: [
      tool('greet', 'Greets.', { name: z.string() }, async ({ name }) => ({
        content: [{ type: 'text', text: `Hello ${name}` }],
      })),
    ],
  }),
});

const deny = { permissions: { deny: ['Bash(touch *)'] } };

const options: readonly Probe[] = [
  answering('a text', ['42'], {}, '42'),
  running('`canUseTool` that allows', { canUseTool: allowing }, true),
  running('`canUseTool` that denies', { canUseTool: async () => ({ behavior: 'deny', message: 'No.' }) }, false),
  running('`allowedTools`', { allowedTools: ['Bash(touch *)'] }, true),
  running('`disallowedTools`', { allowedTools: ['Bash'], disallowedTools: ['Bash(touch *)'] }, false),
  running('`settings`', { allowedTools: ['Bash'], settings: deny }, false),
  running('`managedSettings`', { allowedTools: ['Bash'], managedSettings: deny }, false),
  running('`permissionPrompts`', { permissionPrompts: 'none', canUseTool: allowing }, false),
  running('`permissionMode`', { permissionMode: 'dontAsk' }, false),
  running(
    '`hooks`',
    {
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ hooks: [async () => ({ decision: 'block', reason: 'No.' })] }] },
    },
    false,
  ),
  on('`hooks` with `onFailure`', touch, async (place) => {
    const fails = async () => {
      throw new Error('It fails.');
    };
    await messagesOf(place, {
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ hooks: [fails], onFailure: 'block' }] },
    });
    assert(!made(place));
  }),
  answering(
    'a server of this process',
    callOnce('mcp__own__greet', { name: 'Ada' }),
    { mcpServers: own(), allowedTools: ['mcp__own'] },
    'Hello Ada',
  ),
  answering(
    '`mcpServers`',
    callOnce('mcp__greeter__greet', { name: 'Ada' }),
    { mcpServers: { greeter }, allowedTools: ['mcp__greeter'] },
    'Hello Ada',
  ),
  answering(
    '`mcpServersDelivery`',
    callOnce('mcp__greeter__greet', { name: 'Ada' }),
    { mcpServers: { greeter }, mcpServersDelivery: 'initialize', allowedTools: ['mcp__greeter'] },
    'Hello Ada',
  ),
  answering(
    'a question',
    callOnce('AskUserQuestion', colours),
    {
      canUseTool: async (_, input) => ({
        behavior: 'allow',
        updatedInput: { ...input, answers: { 'Which colour?': 'red' } },
      }),
    },
    'red',
  ),
  on('`outputFormat`', [toolUse('StructuredOutput', { answer: 42 }), 'Done.'], async (place) => {
    const result = await resultOf(place, { outputFormat: { type: 'json_schema', schema } });
    assert.deepEqual(result.subtype === 'success' && result.structured_output, { answer: 42 });
  }),
  on('`includePartialMessages`', ['42'], async (place) => {
    const types = (await messagesOf(place, { includePartialMessages: true })).map(({ type }) => type);
    includes(types.join(), 'stream_event');
  }),
  on('`maxTurns`', touch, async (place) => {
    const types: unknown[] = [];
    const running = query({ prompt: 'go', options: optionsOf(place, { maxTurns: 1, allowedTools: ['Bash'] }) });
    const read = async () => {
      for await (const message of running) if (message.type === 'result') types.push(message.subtype);
    };
    await assert.rejects(read());
    assert.deepEqual(types, ['error_max_turns']);
  }),
  on('`systemPrompt`', ['42'], async (place) => {
    await messagesOf(place, { systemPrompt: 'Speak like a pirate.' });
    includes(JSON.stringify(place.loopback.requests), 'Speak like a pirate.');
  }),
  on(
    '`agents`',
    byPrompt({
      delegate: toolUse('Agent', { description: 'd', prompt: 'p', subagent_type: 'pirate', run_in_background: false }),
    }),
    async (place) => {
      const agents = { pirate: { description: 'A pirate.', prompt: 'Speak like one.' } };
      const messages = await messagesOf(place, { agents, canUseTool: allowing }, 'delegate');
      includes(
        messages.map((message) => ('subtype' in message ? message.subtype : message.type)).join(),
        'task_started',
      );
    },
  ),
  on('`resume`, `forkSession` and `continue`', ['one', 'two', 'three', 'four'], async (place) => {
    const { session_id: resume } = await resultOf(place);
    assert.equal((await resultOf(place, { resume })).session_id, resume);
    assert.notEqual((await resultOf(place, { resume, forkSession: true })).session_id, resume);
    includes(await answerOf(place, { continue: true }), 'four');
  }),
  on('`projectConfigRoot`', touch, async (place) => {
    const root = join(place.home.root, 'project');
    await mkdir(join(root, '.claude'), { recursive: true });
    await writeFile(join(root, '.claude/settings.json'), JSON.stringify(deny));
    await messagesOf(place, { projectConfigRoot: root, settingSources: ['project'], allowedTools: ['Bash'] });
    assert(!made(place));
  }),
  on('`plugins` in `initialize`', ['42'], async (place) => {
    const path = join(place.home.root, 'plugin');
    await mkdir(join(path, '.claude-plugin'), { recursive: true });
    await mkdir(join(path, 'commands'));
    await writeFile(join(path, '.claude-plugin/plugin.json'), '{"name":"mine"}');
    await writeFile(join(path, 'commands/hey.md'), 'Hey.');
    const plugins: Options['plugins'] = [{ type: 'local', path }];
    const messages = await messagesOf(place, { plugins, pluginDelivery: 'initialize' });
    includes(JSON.stringify(messages.filter(({ type }) => type === 'system')), 'mine:hey');
  }),
  on('`startup()`', ['42'], async (place) => {
    const warm = await startup({ options: optionsOf(place) });
    includes(JSON.stringify(await Array.fromAsync(warm.query('go'))), '42');
  }),
  on('`prewarm()`', ['42'], async (place) => {
    const { cwd: _, ...parked } = optionsOf(place);
    await using spare = await prewarm({ options: parked });
    const claimed = spare.claim({ prompt: 'go', options: { cwd: place.home.cwd } });
    includes(JSON.stringify(await Array.fromAsync(claimed)), '42');
  }),
];

type Method = (running: Query, place: Stage) => Promise<unknown>;

const methods: Readonly<Record<string, Method>> = {
  initializationResult: (running) => running.initializationResult(),
  supportedCommands: (running) => running.supportedCommands(),
  supportedModels: (running) => running.supportedModels(),
  supportedAgents: (running) => running.supportedAgents(),
  accountInfo: (running) => running.accountInfo(),
  mcpServerStatus: (running) => running.mcpServerStatus(),
  setModel: (running) => running.setModel('claude-sonnet-5'),
  setPermissionMode: (running) => running.setPermissionMode('acceptEdits'),
  setMaxThinkingTokens: (running) => running.setMaxThinkingTokens(4000),
  applyFlagSettings: (running) => running.applyFlagSettings(deny),
  getContextUsage: (running) => running.getContextUsage(),
  readFile: async (running) => assert(await running.readFile('read.txt')),
  seedReadState: (running, { home }) => running.seedReadState(join(home.cwd, 'read.txt'), 1),
  reloadPlugins: (running) => running.reloadPlugins(),
  reloadSkills: (running) => running.reloadSkills(),
  reloadOutputStyles: (running) => running.reloadOutputStyles(),
  backgroundTasks: (running) => running.backgroundTasks(),
  reconnectMcpServer: (running) => running.reconnectMcpServer('greeter'),
  toggleMcpServer: (running) => running.toggleMcpServer('greeter', false),
  setMcpServers: (running) => running.setMcpServers({}),
  interrupt: (running) => running.interrupt(),
  reinitialize: (running) => running.reinitialize(),
};

/** Each method, called on one query that waits for its next message. */
function methodProbes(): readonly Probe[] {
  let once: Promise<ReadonlyMap<string, Error>> | undefined;
  const failures = () => (once ??= failuresOfMethods());
  return Object.keys(methods).map((name) => ({
    name: `\`${name}()\``,
    run: async () => {
      const error = (await failures()).get(name);
      if (error !== undefined) throw error;
    },
  }));
}

async function failuresOfMethods(): Promise<ReadonlyMap<string, Error>> {
  await using place = await stage(['one']);
  await writeFile(join(place.home.cwd, 'read.txt'), 'hello');
  const waits = Promise.withResolvers<void>();
  async function* prompt() {
    yield { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null, session_id: '' } as const;
    await waits.promise;
  }
  const running = query({ prompt: prompt(), options: optionsOf(place, { mcpServers: { greeter } }) });
  const failures = new Map<string, Error>();
  for await (const { type } of running) {
    if (type !== 'result') continue;
    for (const [name, call] of Object.entries(methods))
      await call(running, place).catch((error: Error) => failures.set(name, error));
    break;
  }
  waits.resolve();
  return failures;
}

export const dropInProbes: readonly Probe[] = [...options, ...methodProbes()];
