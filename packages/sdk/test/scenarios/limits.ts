import { agent, model, turn } from '@hexagent/testing/scenarios';
import { allowing, type Scenarios } from './scenario.ts';

const echo = model.call('Bash', { command: 'echo hi' }, { result: 'hi' });
const output = {
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
  additionalProperties: false,
};

const outOfTurns = {
  subtype: 'error_max_turns',
  is_error: true,
  errors: ['Reached maximum number of turns (1)'],
  terminal_reason: 'max_turns',
  stop_reason: 'tool_use',
};
const outOfMoney = {
  subtype: 'error_max_budget_usd',
  is_error: true,
  num_turns: 1,
  errors: ['Reached maximum budget ($0.000001)'],
  terminal_reason: 'budget_exhausted',
  stop_reason: 'tool_use',
};
const overloaded =
  'API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (MODEL).';
const withOutput = agent.ends({ result: '{"n":7}', stop_reason: 'tool_use', structured_output: { n: 7 } });
const stopped =
  'Your response above was stopped by a safety classifier — this is not a tool or API error. The rest of it was withheld, and tool calls in it that had not finished did not run. Do not produce that content again, even reworded.';

export const limits: Scenarios = {
  'more rounds than a turn may have': {
    turns: [turn('go', [echo], agent.ends(outOfTurns))],
    options: { ...allowing, budget: { turns: 1 } },
    shows: ['error_max_turns', 'turn ended: failed'],
  },
  'more money than a session may cost': {
    turns: [turn('go', [echo], agent.ends(outOfMoney))],
    options: { ...allowing, budget: { usd: 0.000_001 } },
    shows: ['error_max_budget_usd', 'turn ended: failed'],
    departs: [{ about: '"content":"hi"', why: 'The CLI ends the turn before it reports what the tool returned.' }],
  },
  'a request that the API refuses': {
    turns: [turn('go', model.refuses(400, 'bad things', { times: 9, reported: 0, ends: 'API Error: 400 bad things' }))],
    shows: ['API Error: 400 bad things', 'turn ended: failed'],
  },
  'an API that is overloaded, and then answers': {
    turns: [turn('go', model.refuses(529, 'Overloaded', { times: 2 }), 'Here I am.')],
    shows: ['system/api_retry', 'Here I am.'],
  },
  'an API that stays overloaded': {
    turns: [turn('go', model.refuses(529, 'Overloaded', { times: 2, ends: overloaded }))],
    options: { maxRetries: 1 },
    shows: ['turn ended: failed'],
  },
  'an answer that the model refuses to give': {
    turns: [
      turn(
        'go',
        model.answer([model.text('I begin')], { stopReason: 'refusal' }),
        agent.writes(
          {
            type: 'system',
            subtype: 'informational',
            content: "Opus 5.5's safeguards stopped the response above · continuing once with that noted",
            level: 'notice',
          },
          {
            type: 'user',
            isSynthetic: true,
            message: { role: 'user', content: [{ type: 'text', text: stopped }] },
            parent_tool_use_id: null,
          },
        ),
        'I do not.',
        agent.ends({ num_turns: 2 }),
      ),
    ],
    shows: ['safety classifier', 'I do not.'],
  },
  'an output of a schema': {
    turns: [
      turn(
        'go',
        [model.call('StructuredOutput', { n: 7 }, { result: 'Structured output provided successfully' })],
        withOutput,
      ),
    ],
    options: { output: output as never },
    shows: ['StructuredOutput', 'turn ended: completed'],
  },
  'an output that is corrected': {
    turns: [
      turn(
        'go',
        [model.call('StructuredOutput', { n: 'seven' }, { isError: true, result: 'TEXT' })],
        [model.call('StructuredOutput', { n: 7 }, { result: 'Structured output provided successfully' })],
        withOutput,
      ),
    ],
    options: { output: output as never },
    shows: ['StructuredOutput', 'turn ended: completed'],
  },
  'a conversation that is compacted': {
    turns: [turn('one', 'first'), turn('/compact', 'A summary.', 'A summary.'), turn('two', 'second')],
    shows: ['system/compact_boundary', 'second'],
    departs: [{ about: 'This session is being continued', why: 'The CLI names the file of the transcript.' }],
  },
};
