import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlSubtype } from '@hexagent/ports';
import {
  type Ask,
  allow,
  answerQuestions,
  approvePlan,
  ask,
  deny,
  openSession,
  storedSessions,
  textDeltaOf,
  tool,
  type SessionOptions,
  type Turn,
} from '@hexagent/sdk';
import { gate, text, toolUse } from '@hexagent/testing/loopback';
import { z } from 'zod';
import { byPrompt } from '../support/by-prompt.ts';
import { requests, type Asked } from '../support/control-requests.ts';
import { stage, type Stage } from '../support/stage.ts';
import { touch } from '../support/queries.ts';
import { callOnce } from '../support/tool-calls.ts';
import { colours, greeter, includes, made, on, type Probe } from './probe-tools.ts';

/** The text of the answer to one message of a session with these options. */
async function answerOf(place: Stage, options: SessionOptions = {}, prompt = 'go'): Promise<string> {
  await using session = await openSession({ ...place.options, ...options });
  return await textOf(session.send(prompt));
}

async function textOf(turn: Turn): Promise<string> {
  const outcome = await turn.result;
  return outcome.kind === 'completed' ? outcome.text : outcome.kind;
}

const greet = tool('greet', 'Greets.', { name: z.string() }, async ({ name }) => ({
  content: [{ type: 'text', text: `Hello ${name}` }],
}));

const turns: readonly Probe[] = [
  on('a turn', ['42'], async (place) => includes(await answerOf(place), '42')),
  on('`ask()`', ['42'], async (place) => includes((await ask('go', place.options).result).kind, 'completed')),
  on('two turns of one session', ['one', 'two'], async (place) => {
    await using session = await openSession(place.options);
    includes(await textOf(session.send('go')), 'one');
    includes(await textOf(session.send('go on')), 'two');
  }),
  on('partial messages', ['a text in parts'], async (place) => {
    await using session = await openSession({ ...place.options, partialMessages: true });
    let streamed = '';
    for await (const message of session.send('go')) streamed += textDeltaOf(message) ?? '';
    includes(streamed, 'a text in parts');
  }),
  on('a message that waits behind a turn', byPrompt({ first: 'one', second: 'two' }), async (place) => {
    await using session = await openSession(place.options);
    const [first, second] = [session.send('first'), session.send('second')];
    includes(await textOf(first), 'one');
    includes(await textOf(second), 'two');
  }),
  on('an interrupt', byPrompt({ wait: text(['partial ', gate()]) }), async (place) => {
    await using session = await openSession({ ...place.options, partialMessages: true });
    const turn = session.send('wait');
    for await (const message of turn) if (textDeltaOf(message)) void turn.interrupt();
    assert.equal((await turn.result).kind, 'interrupted');
    includes(await textOf(session.send('go on')), 'ok');
  }),
  on('a resumed session, and a copy of one', ['one', 'two', 'three'], async (place) => {
    const first = await ask('one', place.options).result;
    assert.equal(first.kind, 'completed');
    const id = first.kind === 'completed' ? first.result.session_id : '';
    const { kind } = await ask('two', { ...place.options, resume: id }).result;
    const copy = await ask('three', { ...place.options, resume: id, fork: true }).result;
    assert.deepEqual([kind, copy.kind], ['completed', 'completed']);
    const stored = storedSessions({ configDir: join(place.home.home, '.claude') });
    assert.equal((await stored.list()).length, 2);
  }),
];

const policies: readonly Probe[] = [
  on('`onAsk` that allows', touch, async (place) => {
    await answerOf(place, { onAsk: () => allow() });
    assert(made(place));
  }),
  on('`onAsk` that denies', touch, async (place) => {
    includes(await answerOf(place, { onAsk: () => deny('Not today.') }), 'Not today.');
    assert(!made(place));
  }),
  on('an allow rule with content', touch, async (place) => {
    await answerOf(place, { permissions: { allow: ['Bash(touch *)'] } });
    assert(made(place));
  }),
  on('a deny rule with content', touch, async (place) => {
    await answerOf(place, { permissions: { allow: ['Bash'], deny: ['Bash(touch *)'] } });
    assert(!made(place));
  }),
  on('rules that change while it runs', touch, async (place) => {
    await using session = await openSession({ ...place.options, onAsk: () => allow() });
    await session.permissions.add({ deny: ['Bash(touch *)'] });
    await session.send('go').result;
    assert(!made(place));
  }),
  on('a question', callOnce('AskUserQuestion', colours), async (place) => {
    const onAsk = (ask: Ask) => (ask.kind === 'question' ? answerQuestions(ask, { 'Which colour?': 'red' }) : allow());
    includes(await answerOf(place, { onAsk }), 'red');
  }),
  on('a plan', [toolUse('EnterPlanMode', {}), toolUse('ExitPlanMode', {}), 'planned'], async (place) => {
    let plans = 0;
    const onAsk = (ask: Ask) => (ask.kind === 'plan' ? ((plans += 1), approvePlan(ask)) : allow());
    await answerOf(place, { onAsk });
    assert.equal(plans, 1);
  }),
  on('a hook that denies', touch, async (place) => {
    const PreToolUse = () => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse' as const,
        permissionDecision: 'deny' as const,
        permissionDecisionReason: 'Hooked.',
      },
    });
    const hooks = { PreToolUse: [{ hooks: [PreToolUse] }] };
    includes(await answerOf(place, { hooks, permissions: { allow: ['Bash'] } }), 'Hooked.');
    assert(!made(place));
  }),
  on('a hook that blocks when it fails', touch, async (place) => {
    const fails = () => {
      throw new Error('It fails.');
    };
    const hooks = { PreToolUse: [{ hooks: [fails], onFailure: 'block' as const }] };
    await answerOf(place, { hooks, permissions: { allow: ['Bash'] } });
    assert(!made(place));
  }),
];

const others: readonly Probe[] = [
  on('a tool in this process', callOnce('mcp__own__greet', { name: 'Ada' }), async (place) => {
    includes(await answerOf(place, { tools: [greet], permissions: { allowOwnTools: true } }), 'Hello Ada');
  }),
  on('an MCP server that the CLI starts', callOnce('mcp__greeter__greet', { name: 'Ada' }), async (place) => {
    includes(await answerOf(place, { tools: [{ greeter }], permissions: { allow: ['mcp__greeter'] } }), 'Hello Ada');
  }),
  on(
    'a subagent',
    byPrompt({
      delegate: toolUse('Agent', {
        description: 'd',
        prompt: 'be brief',
        subagent_type: 'general-purpose',
        run_in_background: false,
      }),
    }),
    async (place) => {
      const names: string[] = [];
      await using session = await openSession({ ...place.options, onAsk: () => allow() });
      for await (const message of session.send('delegate')) if (message.type === 'system') names.push(message.subtype);
      includes(names.join(), 'task_started');
    },
  ),
];

/** Each request of a session to its agent, in the order of the table. Its answer is not looked at. */
function requestProbes(): readonly Probe[] {
  const entries: readonly [string, Asked<ControlSubtype> | string][] = Object.entries(requests);
  const asked = entries.flatMap(([subtype, one]): Request[] => (typeof one === 'string' ? [] : [[subtype, one]]));
  const answers = answersOf(asked);
  return asked.map(([subtype]) => ({
    name: `\`${subtype}\``,
    run: async () => {
      const error = (await answers()).get(subtype);
      if (error !== undefined) throw error;
    },
  }));
}

type Request = readonly [subtype: string, asked: Asked<ControlSubtype>];
type Failures = ReadonlyMap<string, Error>;

/** What failed. All are sent to one agent, when the first of them is looked for. */
function answersOf(asked: readonly Request[]): () => Promise<Failures> {
  let once: Promise<Failures> | undefined;
  const send = async (): Promise<Failures> => {
    const script = [toolUse('Bash', { command: 'sleep 60', run_in_background: true }), 'Done.', 'Yes.', 'Yes.'];
    await using place = await stage(script, { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' });
    await writeFile(join(place.home.cwd, 'read.txt'), 'hello');
    await mkdir(join(place.home.cwd, 'inside'));
    await using session = await openSession({
      ...place.options,
      settings: 'project',
      tools: [{ greeter }],
      onAsk: () => allow(),
    });
    const turn = session.send('Go');
    let task = '';
    for await (const message of turn)
      if (message.type === 'system' && message.subtype === 'task_started') task = message.task_id;
    const failures = new Map<string, Error>();
    for (const [subtype, { fields }] of asked) {
      const signal = AbortSignal.timeout(10_000);
      const given = { ...fields({ folder: place.home.cwd, message: turn.id, task }) };
      await session.requestUntyped(subtype, given, { signal }).catch((error: Error) => failures.set(subtype, error));
    }
    return failures;
  };
  return () => (once ??= send());
}

export const nativeProbes: readonly Probe[] = [...turns, ...policies, ...others, ...requestProbes()];
