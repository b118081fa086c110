import { model, turn } from '@hexagent/testing/scenarios';
import { allowing, type Scenarios } from './scenario.ts';

/** The text names a file of the machine. */
const departs = [{ about: 'Command running in background', why: 'The CLI names the file of the output.' }];

export const background: Scenarios = {
  'a shell in the background, which is stopped at the end': {
    turns: [turn('go', [model.shell('sleep 600')], 'It runs.')],
    options: allowing,
    departs,
    shows: ['system/task_started', '"status":"stopped"'],
  },
  'a shell in the background, which ends by itself': {
    turns: [turn('go', [model.shell('sleep 1', 'It has ended.')], 'It runs.')],
    options: { ...allowing, backgroundTasks: 'wait' },
    departs,
    shows: ['"status":"completed"', 'It has ended.'],
  },
  'a subagent in the background': {
    turns: [turn('go', [model.subagent('COUNT TO SEVEN', 'Seven.', 'It said seven.')], 'It counts.')],
    options: { permissions: { allow: ['Agent', 'Task'] }, backgroundTasks: 'wait' },
    shows: ['system/task_started', 'It said seven.'],
    departs: [
      { about: '"parent_tool_use_id":"', why: 'A scripted agent has no messages of its subagents.' },
      { about: 'Async agent launched', why: 'The CLI has more to say to the model.' },
    ],
  },
  'a subagent that is waited for': {
    turns: [
      turn(
        'go',
        [
          model.call(
            'Task',
            {
              description: 'COUNT',
              prompt: 'COUNT TO SEVEN',
              subagent_type: 'general-purpose',
              run_in_background: false,
            },
            { result: 'Seven.', subagent: 'Seven.' },
          ),
        ],
        'It said seven.',
      ),
    ],
    options: { permissions: { allow: ['Agent', 'Task'] } },
    shows: ['It said seven.', 'Seven.'],
    departs: [
      { about: '"parent_tool_use_id":"', why: 'A scripted agent has no messages of its subagents.' },
      { about: 'system/task_', why: 'A scripted agent has tasks only in the background.' },
      { about: '"type":"tool_result"', why: 'The CLI introduces the report of a subagent.' },
    ],
  },
};
