import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerQuestions, approvePlan, declineQuestions, deny, revisePlan } from '@hexagent/sdk';
import {
  apiError,
  cut,
  errorEvent,
  gate,
  lastUserText,
  reply,
  silent,
  text,
  thinking,
  toolResults,
  toolUse,
  type ModelRequest,
  type Part,
  type TurnLike,
} from '@hexagent/testing/loopback';
import { expect } from 'vitest';
import { byPrompt } from '../support/by-prompt.ts';
import { onePending } from '../support/asking.ts';
import { echo } from '../support/tool-calls.ts';
import type { Comparable } from './compare.ts';
import type { Conversation, Run } from './conversation.ts';
import type { LiveTurn } from './live-turns.ts';

const withoutIds = (answers: readonly Comparable[]): readonly Comparable[] =>
  answers.map((answer) => ({ ...answer, id: undefined }));

const callsIn = ({ body }: ModelRequest): number =>
  body.messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_use').length;

/** Answers with these parts first, and then with a text. */
const once =
  (...parts: readonly Part[]) =>
  (request: ModelRequest): TurnLike =>
    callsIn(request) === 0 ? [...parts] : 'done';

const bash = (command: string): Part => toolUse('Bash', { command });
async function waitFor(path: string): Promise<void> {
  await expect.poll(() => existsSync(path)).toBe(true);
}

async function delta({ chunks }: LiveTurn): Promise<void> {
  await expect.poll(() => chunks.some(({ type }) => type === 'text-delta')).toBe(true);
}

const questions = {
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: ['red', 'blue'].map((label) => ({ label, description: label })),
    },
  ],
};

const delegate = (more: Readonly<Record<string, unknown>>): Part =>
  toolUse('Task', { description: 'd', prompt: 'SUBPROMPT', subagent_type: 'general-purpose', ...more });

/** Delegates once; the subagent thinks, makes a file, and answers. */
const delegating =
  (more: Readonly<Record<string, unknown>>) =>
  (request: ModelRequest): TurnLike => {
    const isSubagent = JSON.stringify(request.body.messages[0]).includes('SUBPROMPT');
    const isFirst = callsIn(request) === 0;
    if (isSubagent) return isFirst ? [text('sub text'), bash('touch sub')] : [thinking('so'), text('sub answer')];
    return isFirst ? [text('I delegate.'), delegate(more)] : 'main answer';
  };

/** Has what subagents write sent, too. */
const forwarding = { extraArgs: { 'forward-subagent-text': null } } as const;
const inForeground = { script: delegating({ run_in_background: false }), options: forwarding } as const;
const withoutAsking = { ...inForeground, options: { ...forwarding, permissions: { allow: ['Bash'] } } } as const;

async function followTheReport(run: Run): Promise<void> {
  await run.send('go').ended;
  for await (const turn of run.session.turns) {
    await run.follow(turn).ended;
    return;
  }
}

/** The file in which the agent is to keep its plan, from its prompt. */
const planFile = ({ body }: ModelRequest): string =>
  /\/[\w./-]+\/plans\/[\w.-]+\.md/.exec(JSON.stringify(body))?.[0] ?? '';

const planning = (request: ModelRequest): TurnLike => {
  const steps = [toolUse('Write', { file_path: planFile(request), content: '# Plan' }), toolUse('ExitPlanMode', {})];
  return steps[callsIn(request)] ?? 'done';
};

async function interruptOnceItStreams(run: Run): Promise<void> {
  const live = run.send('one');
  await delta(live);
  await live.turn.interrupt();
  await live.ended;
  await run.send('two').ended;
}

/** Holds the first text for an interrupt. */
const holdsFirst = (request: ModelRequest): TurnLike =>
  lastUserText(request) === 'one' ? [thinking('hm'), text(['partial ', gate()])] : 'fine';

async function steerMeanwhile(run: Run): Promise<void> {
  const live = run.send('one');
  await waitFor(join(run.place.home.cwd, 'begun'));
  const steered = run.steer('also this');
  await steered.received;
  writeFileSync(join(run.place.home.cwd, 'go'), '');
  await live.ended;
}

const failsOnce = (...first: readonly Part[]) => {
  let asked = 0;
  return (): TurnLike => {
    asked += 1;
    return asked === 1 ? [...first] : 'recovered';
  };
};

/** Conversations with the real CLI: what each is about, and how it goes. */
export const conversations: Readonly<Record<string, Conversation>> = {
  'a text that streams': { script: [text(['Hel', 'lo'])] },
  'a text in one piece': { script: ['Hello'], options: { partialMessages: false } },
  'reasoning and a text': { script: [[thinking(['let me ', 'think']), text('Hello')]] },
  'reasoning and a text in whole blocks': {
    script: [[thinking('hm'), text('Hello')]],
    options: { partialMessages: false },
  },
  'several turns': {
    script: byPrompt({ one: 'first', two: 'second', three: 'third' }),
    prompts: ['one', 'two', 'three'],
  },
  'a tool that only reads': { script: once(text('I look.'), bash('echo hi')) },
  'a tool without partial messages': { script: once(bash('echo hi')), options: { partialMessages: false } },
  'parallel tools': { script: once(text('Two.'), bash('sleep 0.2; echo a'), bash('echo b'), bash('echo c')) },
  'parallel tools of the program': {
    script: once(toolUse('mcp__own__echo', { words: 'a' }), toolUse('mcp__own__echo', { words: 'b' })),
    options: { ownTools: [echo] },
  },
  'a tool that a person allows': { script: once(text('I make it.'), bash('touch made')) },
  'parallel tools that a person allows': { script: once(bash('touch a'), bash('touch b')) },
  'a tool that a person denies': { script: once(bash('touch made')), decide: () => deny('not now') },
  'one of two tools that a person denies': {
    script: once(bash('touch a'), bash('touch b')),
    decide: ({ input }) => (JSON.stringify(input).includes('touch a') ? deny('not a') : { behavior: 'allow' }),
  },
  'a denial that ends the turn': {
    script: once(bash('touch made')),
    decide: () => ({ behavior: 'deny', message: 'stop', interrupt: true }),
  },
  'a tool that a rule denies': { script: once(bash('touch made')), options: { permissions: { deny: ['Bash'] } } },
  'a tool that a hook denies': {
    script: once(bash('touch made')),
    options: { hooks: { PreToolUse: [{ hooks: [async () => ({ decision: 'block', reason: 'policy' })] }] } },
  },
  'a tool that nobody is asked about': {
    script: once(bash('touch made')),
    options: { permissions: { cliMode: 'dontAsk', approver: undefined } },
  },
  'an input that a person changed': {
    script: once(bash('touch made')),
    decide: () => ({ behavior: 'allow', updatedInput: { command: 'touch other' } }),
  },
  'a tool that fails': { script: once(bash('echo oops >&2; exit 3')) },
  'files that are written, read and edited': {
    script: (request, cwd) => {
      const file_path = join(cwd, 'file.txt');
      const steps = [
        toolUse('Write', { file_path, content: 'one\n' }),
        toolUse('Read', { file_path }),
        toolUse('Edit', { file_path, old_string: 'one', new_string: 'two' }),
      ];
      return steps[callsIn(request)] ?? 'done';
    },
  },
  'a tool that there is not': { script: once(toolUse('Nonsense', { a: 1 })) },
  'an input that is no JSON': { script: once({ type: 'tool_use', name: 'Bash', input: {}, json: '{"command": "ls' }) },
  'an input that the tool does not take': { script: once(toolUse('Bash', { cmd: 'ls' })) },
  'an interrupt while a text streams': { script: holdsFirst, drive: interruptOnceItStreams },
  'an interrupt while a tool runs': {
    script: (request) => (lastUserText(request) === 'two' ? 'fine' : bash('touch begun; exec tail -f /dev/null')),
    async drive(run) {
      const live = run.send('one');
      await waitFor(join(run.place.home.cwd, 'begun'));
      await live.turn.interrupt();
      await live.ended;
      await run.send('two').ended;
    },
  },
  'an interrupt while a person is asked': {
    script: (request) => (lastUserText(request) === 'two' ? 'fine' : bash('touch made')),
    decide: () => new Promise(() => {}),
    async drive(run) {
      const live = run.send('one');
      await onePending(run.session);
      await live.turn.interrupt();
      await live.ended;
      await run.send('two').ended;
    },
  },
  'an interrupt before the model answers': {
    script: (request) => (lastUserText(request) === 'one' ? silent() : 'fine'),
    async drive(run) {
      const live = run.send('one');
      await run.place.loopback.received(1);
      await live.turn.interrupt();
      await live.ended;
      await run.send('two').ended;
    },
  },
  'an error of the service': { script: () => apiError(400), options: { maxRetries: 0 } },
  'an error of the service after a tool': {
    script: (request) => (toolResults(request).length === 0 ? bash('echo hi') : apiError(500)),
    options: { maxRetries: 0 },
  },
  'a request that is tried again': { script: [apiError(529, { retryAfter: 0 }), 'fine'] },
  'a stream that breaks off': { script: failsOnce(text(['half ', errorEvent()])) },
  'a stream that breaks off behind a block': {
    script: failsOnce(thinking('hm'), text('complete'), text(['half ', errorEvent()])),
  },
  'a stream that breaks off behind a tool': {
    script: failsOnce(text('complete'), bash('echo hi'), errorEvent()),
    asStored: {
      because: 'what the agent wrote about it hangs on no message of the conversation',
      answers: (answers) =>
        answers.map((answer) => {
          const at = answer.parts.findIndex((part) => JSON.stringify(part).includes('API Error'));
          return at === -1 ? answer : { ...answer, parts: answer.parts.toSpliced(at - 1, 2) };
        }),
    },
  },
  'a connection that is lost': {
    script: failsOnce(text(['half ', 'more ', { type: 'pause', ms: 100 }, cut()])),
  },
  'structured output': {
    script: (request) =>
      callsIn(request) === 0
        ? toolUse('StructuredOutput', { answer: 5 })
        : toolUse('StructuredOutput', { answer: 'five' }),
    options: {
      extraArgs: {
        'json-schema': JSON.stringify({
          type: 'object',
          properties: { answer: { type: 'string' } },
          required: ['answer'],
        }),
      },
    },
  },
  'a limit of turns': { script: () => bash('echo again'), options: { maxTurns: 2 } },
  'a limit of cost': { script: () => bash('echo again'), options: { maxBudgetUsd: 0.0001 } },
  'an answer that is too long': { script: () => reply('cut off', { stopReason: 'max_tokens' }) },
  'a refusal of the model': { script: () => reply('', { stopReason: 'refusal' }) },
  'questions that are answered': {
    script: once(text('I ask.'), toolUse('AskUserQuestion', questions)),
    decide: (request) =>
      request.tool_name === 'AskUserQuestion' ? answerQuestions(request.input, { 'Which colour?': 'red' }) : deny('no'),
  },
  'questions that are declined': {
    script: once(toolUse('AskUserQuestion', questions)),
    decide: () => declineQuestions(),
  },
  'a plan that is approved': {
    script: planning,
    options: { permissions: { cliMode: 'plan' } },
    decide: (request) => (request.tool_name === 'ExitPlanMode' ? approvePlan(request.input) : { behavior: 'allow' }),
  },
  'a plan that is sent back': {
    script: planning,
    options: { permissions: { cliMode: 'plan' } },
    decide: (request) => (request.tool_name === 'ExitPlanMode' ? revisePlan('No.') : { behavior: 'allow' }),
  },
  'a subagent, flat': inForeground,
  'a subagent, nested': { ...withoutAsking, subagents: 'nested' },
  'a subagent, left out': { ...withoutAsking, subagents: 'drop' },
  'a subagent that is denied a tool': { ...inForeground, decide: () => deny('no') },
  'a nested subagent that somebody is asked about': {
    ...inForeground,
    subagents: 'nested',
    asStored: {
      because: 'who was asked is not stored, so the call is in the part of its subagent again',
      answers: () => undefined,
    },
  },
  'a subagent in the background': {
    script: delegating({}),
    drive: followTheReport,
    options: { permissions: { allow: ['Bash'] } },
    asStored: {
      because: 'what it does after the end of the turn is in no turn, and the report has no id before it is stored',
      answers: () => undefined,
    },
  },
  'a shell in the background': {
    script: once(toolUse('Bash', { command: 'sleep 0.1; echo late', run_in_background: true })),
    drive: followTheReport,
    asStored: { because: 'the report has no id before it is stored', answers: withoutIds },
  },
  'a command that runs locally': {
    script: ['fine', 'fine'],
    prompts: ['hello', '/cost', 'again'],
    asStored: {
      because: 'what it wrote is stored for the terminal alone',
      answers: (answers) => answers.filter(({ parts }) => !JSON.stringify(parts).includes('Estimated cost')),
    },
  },
  'a command that there is not': { script: ['fine'], prompts: ['/nonsense with words'] },
  'a compaction': {
    script: () => 'fine',
    prompts: ['hello', '/compact', 'again'],
    asStored: { because: 'what came before it is not read again', answers: (answers) => answers.slice(-1) },
  },
  'a message that joins a turn': {
    script: once(text('I begin.'), bash('touch begun; while [ ! -e go ]; do sleep 0.02; done')),
    drive: steerMeanwhile,
  },
  'messages that are answered together': {
    script: (request) => (lastUserText(request) === 'one' ? text(['first', gate()]) : 'both'),
    async drive(run) {
      const live = run.send('one');
      await delta(live);
      const [second] = ['two', 'three'].map((prompt) => run.session.send(prompt));
      await live.turn.interrupt();
      if (second) await run.follow(second).ended;
    },
    asStored: { because: 'they are stored as one message, with the id of the last', answers: withoutIds },
  },
  'a message with a picture': {
    script: ['a dot'],
    async drive(run) {
      const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      const source = { type: 'base64', media_type: 'image/png', data } as const;
      await run.send({
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', source },
        ],
      }).ended;
    },
  },
  'another model in between': {
    script: () => 'fine',
    async drive(run) {
      await run.send('one').ended;
      await run.session.control.setModel('claude-haiku-5');
      await run.send('two').ended;
    },
    asStored: {
      because: 'the change is stored as a command, as if a person had typed it',
      answers: (answers) => answers,
    },
  },
};
