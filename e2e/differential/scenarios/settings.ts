import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolUse } from '@hexagent/testing/loopback';
import { asking, conversing, type Options, type Scenario } from './scenario.ts';
import { calling } from './tools.ts';

const touch = calling(toolUse('Bash', { command: 'touch made' }));

const colour = calling(toolUse('Bash', { command: 'echo "it is $COLOUR."' }));

/** A project whose settings name a colour. */
const withProjectSettings =
  (settingSources: NonNullable<Options['settingSources']>): Scenario['program'] =>
  async (sdk, place) => {
    await mkdir(join(place.cwd, '.claude'));
    await writeFile(join(place.cwd, '.claude/settings.json'), '{"env":{"COLOUR":"green"}}');
    return asking('go', { settingSources, allowedTools: ['Bash'] })(sdk, place);
  };

/** What an agent is started with, and asked by its program. */
export const settings: Readonly<Record<string, Scenario>> = {
  'settings that forbid a tool': {
    program: asking('go', { settings: '{"permissions":{"deny":["Bash"]}}', allowedTools: ['Bash'] }),
    model: touch,
    shows: ['No such tool available'],
    files: [],
  },
  'settings in a file of the project': {
    program: withProjectSettings(['project']),
    model: colour,
    shows: ['it is green.'],
  },
  'settings in a file of the project that do not count': {
    program: withProjectSettings([]),
    model: colour,
    shows: ['it is .'],
  },
  'what CLAUDE.md of the project says': {
    program: async (sdk, place) => {
      await writeFile(join(place.cwd, 'CLAUDE.md'), 'The house is yellow.');
      return asking('go', { settingSources: ['project'] })(sdk, place);
    },
    model: () => (request) => (JSON.stringify(request.body).includes('The house is yellow.') ? 'yellow' : 'unknown'),
    shows: ['yellow'],
  },
  'a command of the project': {
    program: async (sdk, place) => {
      await mkdir(join(place.cwd, '.claude/commands'), { recursive: true });
      await writeFile(join(place.cwd, '.claude/commands/greet.md'), 'Greet $ARGUMENTS kindly.');
      return asking('/greet Ada', { settingSources: ['project'] })(sdk, place);
    },
    model: () => (request) =>
      JSON.stringify(request.body.messages).includes('Greet Ada kindly.') ? 'Hello Ada' : 'Who?',
    shows: ['Hello Ada'],
  },
  'variables of the environment': {
    program: asking('go', (place) => ({ allowedTools: ['Bash'], env: { ...place.options.env, COLOUR: 'orange' } })),
    model: calling(toolUse('Bash', { command: 'echo "it is $COLOUR"' })),
    shows: ['it is orange'],
  },
  'another folder that may be read': {
    program: async (sdk, place) => {
      const other = join(place.cwd, '..', 'tmp', 'other');
      await mkdir(other);
      await writeFile(join(other, 'a.txt'), 'from elsewhere');
      return asking('go', { additionalDirectories: [other] })(sdk, place);
    },
    model: calling(toolUse('Read', { file_path: '../tmp/other/a.txt' })),
    shows: ['from elsewhere'],
  },
  'a limit of turns that is reached': {
    program: asking('go', { maxTurns: 1, allowedTools: ['Bash'] }),
    model: () => () => toolUse('Bash', { command: 'true' }),
    shows: ['error_max_turns'],
  },
  'a limit of costs that is reached': {
    program: asking('go', { maxBudgetUsd: 0.000_001, allowedTools: ['Bash'] }),
    model: () => () => toolUse('Bash', { command: 'true' }),
    shows: ['error_max_budget_usd'],
  },
  'what the CLI says of itself': {
    program: conversing(['hello'], {}, async (query, { note }) => {
      const { pid: _, ...introduction } = { pid: 0, ...(await query.initializationResult()) };
      note('introduction', introduction);
      note('commands', await query.supportedCommands());
      note('models', await query.supportedModels());
      note('agents', await query.supportedAgents());
      note('account', await query.accountInfo());
      note('servers', await query.mcpServerStatus());
    }),
    model: () => ['hello back'],
    shows: ['"commands":[{', '"models":[{', 'output_style'],
  },
  'what fills the context': {
    program: conversing(['hello'], {}, async (query, { note }) => {
      const { categories, maxTokens } = await query.getContextUsage();
      note('categories', [categories.map(({ name }) => name), maxTokens]);
    }),
    model: () => ['hello back'],
    shows: ['"categories":[['],
  },
};
