import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastUserText, text, toolResults, toolUse, type Script } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import {
  answered,
  asked,
  find,
  firstBody,
  offered,
  plugins,
  ran,
  servers,
  subtypes,
  writePlugin,
  writeSkills,
  type Effect,
} from './effects.ts';
import { runReal, type RealRecord } from './real.ts';
import type { Program, Side } from './sdks.ts';

const touch = (name: string): Script => [toolUse('Bash', { command: `touch ${name}` }), 'done'];
const isSubagent = (body: unknown): boolean => JSON.stringify(body).includes('cc_is_subagent=true');
const byDelegating: Script = (request) => {
  if (toolResults(request).length > 0) return 'done';
  if (isSubagent(request.body.system)) return [text('the subagent writes'), toolUse('Bash', { command: 'ls' })];
  const task = { description: 'd', prompt: 'work', subagent_type: 'worker', run_in_background: false };
  return toolUse('Task', task);
};
const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
const question = {
  question: 'Which?',
  header: 'Which',
  options: ['x', 'y'].map((label) => ({ label, description: label })),
  multiSelect: false,
};

const effects: readonly Effect[] = [
  {
    option: 'outputFormat',
    does: 'has the turn end in JSON of the schema',
    options: { outputFormat: { type: 'json_schema', schema } },
    script: [toolUse('StructuredOutput', { a: 'wrong' }), toolUse('StructuredOutput', { a: 5 }), 'done'],
    seen: (record) => find(record, 'result')['structured_output'],
    expected: { a: 5 },
    without: undefined,
  },
  {
    option: 'outputFormat',
    does: 'holds for a schema that no argument can hold',
    options: { outputFormat: { type: 'json_schema', schema: { ...schema, description: 'x'.repeat(100_000) } } },
    script: [toolUse('StructuredOutput', { a: 5 }), 'done'],
    seen: (record) => find(record, 'result')['structured_output'],
    expected: { a: 5 },
    without: undefined,
  },
  {
    option: 'skills',
    does: 'offers those of a list and lets them run unasked, and no others',
    options: { skills: ['mine'] },
    prepare: writeSkills,
    script: [toolUse('Skill', { skill: 'mine' }), toolUse('Skill', { skill: 'other' }), 'done'],
    seen: (record) => [offered(record), ran(record)],
    expected: [['mine'], ['mine']],
    without: [['mine', 'other'], []],
  },
  {
    option: 'skills',
    does: 'offers none with an empty list',
    options: { skills: [] },
    prepare: writeSkills,
    script: ['done'],
    seen: offered,
    expected: [],
    without: ['mine', 'other'],
  },
  {
    option: 'skills',
    does: 'lets all run unasked',
    options: { skills: 'all' },
    prepare: writeSkills,
    script: [toolUse('Skill', { skill: 'mine' }), toolUse('Skill', { skill: 'other' }), 'done'],
    seen: (record) => [offered(record), ran(record)],
    expected: [
      ['mine', 'other'],
      ['mine', 'other'],
    ],
    without: [['mine', 'other'], []],
  },
  {
    option: 'plugins',
    does: 'loads a plugin from a folder, its servers among it',
    options: (folder) => ({ plugins: [{ type: 'local', path: join(folder, 'plug') }] }),
    prepare: writePlugin,
    script: ['done'],
    seen: (record) => [plugins(record), servers(record)],
    expected: [['plug'], ['plugin:plug:absent']],
    without: [[], []],
  },
  {
    option: 'plugins',
    does: 'leaves the servers of a plugin out where it says so',
    options: (folder) => ({ plugins: [{ type: 'local', path: join(folder, 'plug'), skipMcpDiscovery: true }] }),
    prepare: writePlugin,
    script: ['done'],
    seen: (record) => [plugins(record), servers(record)],
    expected: [['plug'], []],
    without: [[], []],
  },
  {
    option: 'pluginDelivery',
    does: 'brings plugins in `initialize`',
    options: (folder) => ({ plugins: [{ type: 'local', path: join(folder, 'plug') }], pluginDelivery: 'initialize' }),
    prepare: writePlugin,
    script: ['done'],
    seen: (record) => [plugins(record), servers(record)],
    expected: [['plug'], ['plugin:plug:absent']],
    without: [[], []],
  },
  {
    option: 'mcpServersDelivery',
    does: 'brings servers in `initialize`',
    options: { mcpServers: { absent: { command: '/no/such/program' } }, mcpServersDelivery: 'initialize' },
    script: ['done'],
    seen: servers,
    expected: ['absent'],
    without: [],
  },
  {
    option: 'includeHookEvents',
    does: 'yields what hooks of the settings do',
    options: { includeHookEvents: true },
    beside: { settings: { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] } } },
    script: [toolUse('Bash', { command: 'ls' }), 'done'],
    seen: (record) => subtypes(record).filter((subtype) => String(subtype).startsWith('hook_')),
    expected: ['hook_started', 'hook_response'],
    without: [],
  },
  {
    option: 'forwardSubagentText',
    does: 'yields what a subagent writes',
    options: { forwardSubagentText: true },
    beside: { agents: { worker: { description: 'Works', prompt: 'You work.' } } },
    script: byDelegating,
    seen: ({ messages }) => JSON.stringify(messages).includes('the subagent writes'),
    expected: true,
    without: false,
  },
  {
    option: 'betas',
    does: 'asks the API for a feature',
    options: { betas: ['context-1m-2025-08-07'] },
    script: ['done'],
    seen: ({ requests: [request] }) => request?.headers['anthropic-beta']?.includes('context-1m-2025-08-07'),
    expected: true,
    without: false,
  },
  {
    option: 'taskBudget',
    does: 'tells the model how many tokens it has',
    options: { taskBudget: { total: 50_000 } },
    script: ['done'],
    seen: (record) => (firstBody(record)['output_config'] as { task_budget?: object }).task_budget,
    expected: { type: 'tokens', total: 50_000 },
    without: undefined,
  },
  {
    option: 'thinking',
    does: 'says what is shown of it',
    options: { thinking: { type: 'adaptive', display: 'summarized' } },
    script: ['done'],
    seen: (record) => (firstBody(record)['thinking'] as { display?: string }).display,
    expected: 'summarized',
    without: 'updates',
  },
  {
    option: 'debugFile',
    does: 'has the CLI write a log there',
    options: (folder) => ({ debugFile: join(folder, 'the.log') }),
    script: ['done'],
    seen: ({ files }) => files.includes('the.log'),
    expected: true,
    without: false,
  },
  {
    option: 'managedSettings',
    does: 'denies what nobody else can allow',
    options: { managedSettings: { permissions: { deny: ['Bash(touch denied)'] } } },
    beside: { allowedTools: ['Bash'] },
    script: touch('denied'),
    seen: ({ files }) => files,
    expected: [],
    without: ['denied'],
  },
  {
    option: 'permissionPrompts',
    does: 'asks nobody, `canUseTool` neither',
    options: { permissionPrompts: 'none' },
    beside: { canUseTool: async (_, updatedInput) => ({ behavior: 'allow', updatedInput }) },
    script: [toolUse('Bash', { command: 'touch made' }), toolUse('AskUserQuestion', { questions: [question] }), 'done'],
    seen: ({ files }) => files,
    expected: [],
    without: ['made'],
  },
  {
    option: 'planModeInstructions',
    does: 'tells the agent what to do in plan mode',
    options: { planModeInstructions: 'Plan in exactly three steps.' },
    beside: { permissionMode: 'plan' },
    script: ['done'],
    seen: (record) => asked(record).includes('exactly three steps'),
    expected: true,
    without: false,
  },
  {
    option: 'projectConfigRoot',
    does: 'takes settings and skills from another folder',
    options: (folder) => ({ projectConfigRoot: join(folder, 'root') }),
    beside: { allowedTools: ['Bash'] },
    prepare(folder) {
      writeSkills(join(folder, 'root'));
      const settings = { permissions: { deny: ['Bash(touch denied)'] } };
      writeFileSync(join(folder, 'root', '.claude', 'settings.json'), JSON.stringify(settings));
    },
    script: touch('denied'),
    seen: (record) => [offered(record), record.files],
    expected: [['mine', 'other'], ['root']],
    without: [[], ['denied', 'root']],
  },
  {
    option: 'toolConfig',
    does: 'has the model write previews of answers, in that format',
    options: { toolConfig: { askUserQuestion: { previewFormat: 'html' } } },
    beside: { canUseTool: async () => ({ behavior: 'deny', message: 'no' }) },
    script: ['done'],
    seen: (record) =>
      /html/i.test(JSON.stringify(firstBody(record).tools?.find(({ name }) => name === 'AskUserQuestion'))),
    expected: true,
    without: false,
  },
  {
    option: 'verbatimPrompts',
    does: 'hands a prompt that looks like a command to the model',
    options: { verbatimPrompts: true },
    prompt: '/cost',
    script: (request) => `heard ${lastUserText(request)}`,
    seen: (record) => String(find(record, 'result')['result']).startsWith('heard /cost'),
    expected: true,
    without: false,
  },
];

const runWith = (side: Side, effect: Effect, isGiven: boolean): Promise<RealRecord> => {
  const { options, beside, prepare, prompt = 'go', script } = effect;
  const program: Program = ({ query }, { options: place, cwd }) => {
    prepare?.(cwd);
    const own = isGiven ? (typeof options === 'function' ? options(cwd) : options) : {};
    return query({ prompt, options: { ...place, ...beside, ...own } });
  };
  return runReal(side, program, script);
};

withCli('An option with the real CLI', () => {
  it.each(effects)('$option $does, with both packages', async (effect) => {
    const { seen, expected, without } = effect;
    const [official, ours] = [await runWith('official', effect, true), await runWith('ours', effect, true)];
    expect([ours.thrown?.message, seen(ours)]).toEqual([undefined, expected]);
    expect([official.thrown?.message, seen(official)]).toEqual([undefined, expected]);
    expect(seen(await runWith('ours', effect, false))).toEqual(without);
    expect(answered(ours).length).toBe(answered(official).length);
  });
});
