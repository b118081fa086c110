import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text, toolResults, toolUse, type ToolUsePart } from '@hexagent/testing/loopback';
import { z } from 'zod';
import type { Place, Sdk } from '../sdks.ts';
import { asking, type Answerer, type Options, type Scenario } from './scenario.ts';

/** Makes these calls in one answer, and then repeats what they returned. */
export const calling =
  (...calls: readonly ToolUsePart[]): (() => Answerer) =>
  () =>
  (request) => {
    const results = toolResults(request);
    return results.length === 0 ? [...calls] : results.map((result) => `Result: ${result.text}`).join('\n');
  };

/** Makes these calls one after the other. */
export const callingInTurn =
  (...calls: readonly ToolUsePart[]): (() => Answerer) =>
  () => {
    const results: string[] = [];
    return (request) => {
      results.push(...toolResults(request).map((result) => result.text));
      return calls[results.length] ?? text(results.map((result) => `Result: ${result}`).join('\n'));
    };
  };

/** A program that asks where these files lie. */
const withFiles =
  (files: Readonly<Record<string, string>>, more: Options): Scenario['program'] =>
  async (sdk, place) => {
    for (const [name, content] of Object.entries(files)) await writeFile(join(place.cwd, name), content);
    return asking('go', more)(sdk, place);
  };

const own = (sdk: Sdk, { note }: Place): NonNullable<Options['mcpServers']> => ({
  own: sdk.createSdkMcpServer({
    name: 'own',
    tools: [
      sdk.tool('add', 'Adds.', { a: z.number(), b: z.number().default(1) }, async ({ a, b }) => {
        note('added', [a, b]);
        return { content: [{ type: 'text', text: `sum ${a + b}` }] };
      }),
      sdk.tool('fail', 'Fails.', {}, async () => {
        throw new Error('It broke.');
      }),
      sdk.tool('refuse', 'Refuses.', {}, async () => ({
        content: [{ type: 'text', text: 'Not today.' }],
        isError: true,
      })),
    ],
  }),
});

const withOwn = (place: Place, sdk: Sdk): Options => ({ mcpServers: own(sdk, place), allowedTools: ['mcp__own'] });

const greeting = fileURLToPath(new URL('../../fixtures/greeting-server.mjs', import.meta.url));

/** What the agent does. */
export const tools: Readonly<Record<string, Scenario>> = {
  'a file that is read': {
    program: withFiles({ 'a.txt': 'what is in it' }, { allowedTools: ['Read'] }),
    model: calling(toolUse('Read', { file_path: 'a.txt' })),
    shows: ['what is in it', 'tool_use_result'],
    files: ['a.txt'],
  },
  'two commands in one answer': {
    program: asking('go', { allowedTools: ['Bash'] }),
    // What only reads may run at once, and end in any order.
    model: calling(
      toolUse('Bash', { command: 'touch one && echo first' }),
      toolUse('Bash', { command: 'touch two && echo second' }),
    ),
    shows: ['first', 'second'],
    files: ['one', 'two'],
  },
  'a file that does not exist': {
    program: asking('go', { allowedTools: ['Read'] }),
    model: calling(toolUse('Read', { file_path: 'nothing.txt' })),
    shows: [/"is_error":true.*does not exist/],
  },
  'a command of the shell': {
    program: asking('go', { allowedTools: ['Bash'] }),
    model: calling(toolUse('Bash', { command: 'echo "said $((6*7))" && touch made' })),
    shows: ['said 42'],
    files: ['made'],
  },
  'a command that fails': {
    program: asking('go', { allowedTools: ['Bash'] }),
    model: calling(toolUse('Bash', { command: 'echo no >&2; exit 3' })),
    shows: ['Exit code 3'],
  },
  'a file that is written and edited': {
    program: asking('go', { permissionMode: 'acceptEdits' }),
    model: callingInTurn(
      toolUse('Write', { file_path: 'made.txt', content: 'one' }),
      toolUse('Edit', { file_path: 'made.txt', old_string: 'one', new_string: 'two' }),
    ),
    shows: ['made.txt'],
    files: ['made.txt'],
  },
  'a tool without permission': {
    program: asking('go'),
    model: calling(toolUse('Bash', { command: 'touch made' })),
    shows: ['permission_denials', 'toolu_loopback_1'],
    files: [],
  },
  'a tool that is forbidden although it is allowed': {
    program: asking('go', { allowedTools: ['Bash'], disallowedTools: ['Bash(touch *)'] }),
    model: calling(toolUse('Bash', { command: 'touch made' })),
    shows: ['permission_denials'],
    files: [],
  },
  'a tool that there is not': {
    program: asking('go'),
    model: calling(toolUse('Nonsense', {})),
    shows: ['No such tool available'],
  },
  'a tool whose input lacks something': {
    program: asking('go', { allowedTools: ['Bash'] }),
    model: calling(toolUse('Bash', { description: 'no command' })),
    shows: ['InputValidationError'],
  },
  'fewer tools': {
    program: asking('go', { tools: ['Read', 'Bash'] }),
    model: () => (request) =>
      `I have ${request.body.tools
        ?.map(({ name }) => name)
        .toSorted()
        .join(', ')}`,
    shows: ['I have Bash, DeferredToolPlaceholder, Read"'],
  },
  'a tool of the program': {
    program: asking('go', withOwn),
    model: calling(toolUse('mcp__own__add', { a: 2, b: 3 })),
    shows: ['sum 5', '"added":[2,3]'],
  },
  'a tool of the program with a default': {
    program: asking('go', withOwn),
    model: calling(toolUse('mcp__own__add', { a: 2 })),
    shows: ['sum 3'],
  },
  'a tool of the program that throws': {
    program: asking('go', withOwn),
    model: calling(toolUse('mcp__own__fail', {})),
    shows: ['It broke.', '"is_error":true'],
  },
  'a tool of the program that refuses': {
    program: asking('go', withOwn),
    model: calling(toolUse('mcp__own__refuse', {})),
    shows: ['Not today.', '"is_error":true'],
  },
  'a server that the CLI dials': {
    program: asking('go', {
      mcpServers: { greeting: { type: 'stdio', command: process.execPath, args: [greeting], alwaysLoad: true } },
      allowedTools: ['mcp__greeting'],
    }),
    model: () => (request) => {
      const name = request.body.tools?.map((tool) => tool.name).find((tool) => tool.startsWith('mcp__greeting__'));
      return `It offers ${name}`;
    },
    shows: ['It offers mcp__greeting__'],
  },
  'a subagent of the program': {
    program: asking('go', {
      agents: { counter: { description: 'Counts.', prompt: 'You count.', tools: ['Bash'] } },
      allowedTools: ['Agent', 'Bash'],
    }),
    model: () => (request) => {
      const isSubagent = JSON.stringify(request.body.system).includes('You count.');
      const [result] = toolResults(request);
      if (isSubagent) return result ? `Counted ${result.text}` : toolUse('Bash', { command: 'echo 7' });
      return result
        ? `It said: ${result.text}`
        : toolUse('Agent', {
            subagent_type: 'counter',
            description: 'Count',
            prompt: 'Count!',
            run_in_background: false,
          });
    },
    shows: ['Counted 7', 'parent_tool_use_id":"toolu_loopback_1'],
  },
  'a list of things to do': {
    program: asking('go', { allowedTools: ['TodoWrite'] }),
    model: calling(
      toolUse('TodoWrite', { todos: [{ content: 'Test it', status: 'pending', activeForm: 'Testing it' }] }),
    ),
    shows: ['TodoWrite'],
  },
};
