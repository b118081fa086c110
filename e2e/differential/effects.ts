import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { text, toolResults, toolUse, type ModelRequest, type Script } from '@hexagent/testing/loopback';
import type { RealRecord } from './real.ts';
import type { WireFrame } from './stand-in.ts';

/** What is led with an option, and once without it. */
export interface Conversation {
  /** Options of the conversation without the option as well. */
  readonly beside?: Options;
  readonly prepare?: (folder: string) => void;
  readonly prompt?: string;
  readonly script: Script;
  /** One conversation has the options of all effects that are seen in it; otherwise each has one of its own. */
  readonly together?: true;
}

/** What an option changes with the real CLI, seen from outside. */
export interface Effect {
  readonly option: keyof Options;
  readonly does: string;
  readonly options: Options | ((folder: string) => Options);
  /** The same for several: what is seen without their options is seen in one. */
  readonly conversation: Conversation;
  readonly seen: (record: RealRecord) => unknown;
  readonly expected: unknown;
  readonly without: unknown;
}

/** Skills that bring tools along, and so need permission. */
export const writeSkills = (folder: string): void => {
  for (const name of ['mine', 'other']) {
    mkdirSync(join(folder, '.claude', 'skills', name), { recursive: true });
    const head = `---\nname: ${name}\ndescription: What ${name} is for\nallowed-tools: Bash\n---\n`;
    writeFileSync(join(folder, '.claude', 'skills', name, 'SKILL.md'), `${head}The text of ${name}.`);
  }
};

export const writePlugin = (folder: string): void => {
  mkdirSync(join(folder, 'plug', '.claude-plugin'), { recursive: true });
  mkdirSync(join(folder, 'plug', 'commands'));
  writeFileSync(join(folder, 'plug', 'commands', 'greet.md'), 'Greet.');
  const mcpServers = { absent: { command: '/no/such/program' } };
  writeFileSync(
    join(folder, 'plug', '.claude-plugin', 'plugin.json'),
    JSON.stringify({ name: 'plug', version: '1.0.0', mcpServers }),
  );
};

export const asked = ({ requests }: RealRecord): string => JSON.stringify(requests.map(({ body }) => body));
export const answered = ({ requests }: RealRecord): readonly string[] =>
  requests.flatMap((request) => toolResults(request)).map((result) => result.text);
export const offered = (record: RealRecord): readonly string[] =>
  ['mine', 'other'].filter((name) => asked(record).includes(`What ${name} is for`));
export const ran = (record: RealRecord): readonly string[] =>
  ['mine', 'other'].filter((name) => asked(record).includes(`The text of ${name}`));
/** The first message of a type. */
export function find({ messages }: RealRecord, type: string): WireFrame {
  const found = messages.find((message) => message['type'] === type);
  if (found === undefined) throw new Error(`There is no message of the type ${type}.`);
  return found;
}
export const subtypes = ({ messages }: RealRecord): readonly unknown[] =>
  messages.flatMap(({ subtype }) => subtype ?? []);
export const plugins = (record: RealRecord): readonly unknown[] =>
  (find(record, 'system')['plugins'] as { name: string; path: string }[])
    .filter(({ path }) => path !== 'builtin')
    .map(({ name }) => name);
export const servers = (record: RealRecord): readonly unknown[] =>
  (find(record, 'system')['mcp_servers'] as { name: string }[]).map(({ name }) => name);
/** The body of the first request to the model. */
export function firstBody({ requests: [request] }: RealRecord): ModelRequest['body'] {
  if (request === undefined) throw new Error('Nothing was asked of the model.');
  return request.body;
}

export const touch = (name: string): Script => [toolUse('Bash', { command: `touch ${name}` }), 'done'];
const isSubagent = (body: unknown): boolean => JSON.stringify(body).includes('cc_is_subagent=true');
export const byDelegating: Script = (request) => {
  if (toolResults(request).length > 0) return 'done';
  if (isSubagent(request.body.system)) return [text('the subagent writes'), toolUse('Bash', { command: 'ls' })];
  const task = { description: 'd', prompt: 'work', subagent_type: 'worker', run_in_background: false };
  return toolUse('Task', task);
};
export const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
export const question = {
  question: 'Which?',
  header: 'Which',
  options: ['x', 'y'].map((label) => ({ label, description: label })),
  multiSelect: false,
};

export const quiet: Conversation = {
  beside: { permissionMode: 'plan', canUseTool: async () => ({ behavior: 'deny', message: 'no' }) },
  script: ['done'],
  together: true,
};
export const withOutput: Conversation = {
  script: [toolUse('StructuredOutput', { a: 'wrong' }), toolUse('StructuredOutput', { a: 5 }), 'done'],
};
export const withSkills: Conversation = {
  prepare: writeSkills,
  script: [toolUse('Skill', { skill: 'mine' }), toolUse('Skill', { skill: 'other' }), 'done'],
};
export const withPlugin: Conversation = { prepare: writePlugin, script: ['done'] };
