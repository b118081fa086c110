import { agent, model, turn } from '@hexagent/testing/scenarios';
import type { Scenarios } from './scenario.ts';

/** What the CLI has the model read. */
const limitHit =
  'Output token limit hit. Resume directly — no apology, no recap of what you were doing. Pick up mid-thought if that is where the cut happened. Break remaining work into smaller pieces.';

export const texts: Scenarios = {
  'one text': {
    turns: [turn('What is 2+2?', 'The answer is 4.')],
    shows: ['The answer is 4.', 'turn ended: completed'],
  },
  'a text in odd characters': {
    turns: [turn('é 👋 "x" \\ \n y', 'é 👋 "x" \\ \n y')],
    shows: ['é 👋'],
  },
  'a text in pieces': {
    turns: [turn('go', [model.text(['one ', 'two ', 'three'])])],
    options: { partialMessages: true },
    shows: ['"text":"two "', 'one two three'],
  },
  'thoughts and a text, in pieces': {
    turns: [turn('go', [model.thinking(['let me ', 'think']), model.text(['so ', 'it is'])])],
    options: { partialMessages: true },
    shows: ['"thinking":"let me "', 'so it is'],
  },
  'thoughts and a text, whole': {
    turns: [turn('go', [model.thinking('let me think'), model.text('so it is')])],
    shows: ['let me think', 'so it is'],
  },
  'two blocks of text in one answer': {
    turns: [turn('go', [model.text('one'), model.text('two')])],
    shows: ['one', 'two'],
  },
  'two turns in one session': { turns: [turn('one', 'first'), turn('two', 'second')], shows: ['first', 'second'] },
  'an answer that was cut off at its longest': {
    turns: [
      turn(
        'go',
        model.answer([model.text('half a')], { stopReason: 'max_tokens' }),
        agent.writes({
          type: 'user',
          isSynthetic: true,
          message: { role: 'user', content: [{ type: 'text', text: limitHit }] },
          parent_tool_use_id: null,
        }),
        ' sentence',
        agent.ends({ num_turns: 2 }),
      ),
    ],
    shows: ['half a', 'Output token limit hit', ' sentence'],
  },
};
