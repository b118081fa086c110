import { model, turn } from '@hexagent/testing/scenarios';
import { allow, deny } from '@hexagent/sdk';
import { allowing, type Scenarios } from './scenario.ts';

const touch = (options = {}) =>
  model.call('Bash', { command: 'touch made' }, { result: '(Bash completed with no output)', ...options });
const echo = (text: string, options = {}) =>
  model.call('Bash', { command: `echo ${text}` }, { result: text, readOnly: true, ...options });

export const tools: Scenarios = {
  'a command that a rule allows': {
    turns: [turn('go', [echo('hi')], 'Done.')],
    options: allowing,
    shows: ['"content":"hi"', 'Done.'],
  },
  'a text before a command': {
    turns: [turn('go', [model.text('I look.'), echo('hi')], 'Done.')],
    options: allowing,
    shows: ['I look.', 'Done.'],
  },
  'a command in pieces': {
    turns: [turn('go', [model.text(['I ', 'look.']), echo('hi')], 'Done.')],
    options: { ...allowing, partialMessages: true },
    shows: ['tool_use', 'Done.'],
  },
  'several commands in a row': {
    turns: [turn('go', [echo('one')], [echo('two')], 'Done.')],
    options: allowing,
    shows: ['"content":"one"', '"content":"two"'],
  },
  'a command that fails': {
    turns: [
      turn('go', [model.call('Bash', { command: 'false' }, { isError: true, result: 'Exit code 1' })], 'It failed.'),
    ],
    options: allowing,
    shows: ['Exit code 1', 'It failed.'],
  },
  'a tool that there is not': {
    turns: [
      turn(
        'go',
        [
          model.call(
            'Nonsense',
            {},
            { isError: true, result: '<tool_use_error>Error: No such tool available: Nonsense</tool_use_error>' },
          ),
        ],
        'No such tool.',
      ),
    ],
    shows: ['No such tool available'],
  },
  'a command that the host allows': {
    turns: [turn('go', [touch({ asks: true })], 'Done.')],
    decides: [allow()],
    shows: ['can_use_tool', '"behavior":"allow"', 'Done.'],
  },
  'a command that the host allows with another input': {
    turns: [turn('go', [model.call('Bash', { command: 'touch made' }, { asks: true, result: 'other' })], 'Done.')],
    decides: [allow({ input: { command: 'touch made; echo other' } })],
    shows: ['"updatedInput":{"command":"touch made; echo other"}', '"content":"other"'],
  },
  'a command that the host denies': {
    turns: [turn('go', [touch({ asks: true })], 'Then I leave it.')],
    decides: [deny('Not today.')],
    shows: ['Not today.', 'Then I leave it.'],
  },
  'a command that the host denies, to stop the turn': {
    turns: [turn('go', [touch({ asks: true })])],
    decides: [deny('Stop.', { interrupt: true })],
    shows: ['aborted_tools', 'turn ended: interrupted'],
  },
  'a command for which no rule and no host decides': {
    turns: [turn('go', [touch({ asks: true })], 'Then not.')],
    shows: ['Then not.', 'needs approval'],
    departs: [{ about: 'needs approval', why: 'The CLI names what of the command needs it.' }],
  },
  'two commands, of which the host denies one': {
    turns: [
      turn(
        'go',
        [
          touch({ asks: true }),
          model.call('Bash', { command: 'touch other' }, { asks: true, result: '(Bash completed with no output)' }),
        ],
        'One.',
      ),
    ],
    decides: [deny('Not this.'), allow()],
    shows: ['Not this.', 'One.'],
  },
  'a command that is asked about in the second turn': {
    turns: [turn('one', 'Nothing yet.'), turn('two', [touch({ asks: true })], 'Done.')],
    decides: [allow()],
    shows: ['Nothing yet.', 'can_use_tool'],
  },
};
