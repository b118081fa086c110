import { answerQuestions, approvePlan, declineQuestions, deny, revisePlan } from '@hexagent/sdk';
import { gate, lastUserText, reply, text, thinking, toolUse } from '@hexagent/testing/loopback';
import { byPrompt } from '../../support/by-prompt.ts';
import type { Conversation } from './conversation.ts';
import { withoutIds, callsIn, once, bash, delta, questions, planning, steerMeanwhile } from './scripts.ts';
import { thatBreakOff } from './conversations-that-break-off.ts';
import { withSubagents } from './conversations-with-subagents.ts';
import { withTools } from './conversations-with-tools.ts';

/** Conversations with the real CLI: what each is about, and how it goes. */
export const conversations: Readonly<Record<string, Conversation>> = {
  'several turns, with reasoning': {
    script: byPrompt({
      one: text(['fi', 'rst']),
      two: [thinking(['let me ', 'think']), text('second')],
      three: 'third',
    }),
    prompts: ['one', 'two', 'three'],
  },
  'several turns in whole blocks, with reasoning and a tool': {
    script: byPrompt({ one: 'first', two: [thinking('hm'), text('second')], three: bash('echo hi') }),
    prompts: ['one', 'two', 'three'],
    options: { partialMessages: false },
  },
  ...withTools,
  ...thatBreakOff,
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
  'a limit of turns': { script: () => bash('echo again'), options: { budget: { turns: 2 } } },
  'a limit of cost': { script: () => bash('echo again'), options: { budget: { usd: 0.0001 } } },
  'an answer that is too long': { script: () => reply('cut off', { stopReason: 'max_tokens' }) },
  'a refusal of the model': { script: () => reply('', { stopReason: 'refusal' }) },
  'questions that are answered': {
    script: once(text('I ask.'), toolUse('AskUserQuestion', questions)),
    decide: (ask) => (ask.kind === 'question' ? answerQuestions(ask, { 'Which colour?': 'red' }) : deny('no')),
  },
  'questions that are declined': {
    script: once(toolUse('AskUserQuestion', questions)),
    decide: () => declineQuestions(),
  },
  'a plan that is approved': {
    script: planning,
    options: { permissions: { cliMode: 'plan' } },
    decide: (ask) => (ask.kind === 'plan' ? approvePlan(ask) : { behavior: 'allow' }),
  },
  'a plan that is sent back': {
    script: planning,
    options: { permissions: { cliMode: 'plan' } },
    decide: (ask) => (ask.kind === 'plan' ? revisePlan('No.') : { behavior: 'allow' }),
  },
  ...withSubagents,
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
      await run.session.setModel('claude-haiku-5');
      await run.send('two').ended;
    },
    asStored: {
      because: 'the change is stored as a command, as if a person had typed it',
      answers: (answers) => answers,
    },
  },
};
