import type { HookDispatcher } from '@hexagent/ports';
import { createSdk, createSdkMcpServer, matchingTools, tool } from '@hexagent/sdk';
import { toolUse, type ModelRequest } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { byPrompt } from '../support/by-prompt.ts';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

const matchers = [
  ...['', '*', 'Bash', 'Ba', 'bash', 'Bash|Write', 'Read, Bash', ' Bash ', 'Bash||Read', '|', ' ', 'Bash-x', 'Bash\t'],
  ...['.*', 'Ba.*', 'as.', '^Ba', 'sh$', '^(Bash|Read)$', 'Ba*', '^(?!Bash)', '\\bBash\\b', 'Bash|.*say', '/Bash/'],
  ...['Bash(echo *)', '[', '*.ts', '(?i)bash', 'Read|(', 'as.|as', 'as-|as', 'as:|as', 'as,|as', 'Bash;Read'],
  ...[
    'mcp__own',
    'mcp__own__say',
    'mcp__own__.*',
    'mcp__own__*',
    'mcp__.*__say',
    'mcp__own-b',
    'mcp__own-b__say',
    'say',
  ],
  ...['Agent', 'Task', '^Task$', '^Agent$', 'KillShell', 'KillBash', '^KillShell$', 'TaskStop', '^Kill', 'BashOutput'],
];

/** Registers matchers as they are, also those that the SDK would refuse, and notes which tools each was called for. */
function noting(called: Set<string>): HookDispatcher {
  return {
    registration: () => ({ PreToolUse: matchers.map((matcher) => ({ matcher, hookCallbackIds: [`of ${matcher}`] })) }),
    async dispatch({ callback_id, input }) {
      if (input.hook_event_name === 'PreToolUse') called.add(`${input.tool_name} ${callback_id}`);
      return {};
    },
  };
}

const say = tool('say', 'Says it.', {}, async () => ({ content: [{ type: 'text', text: 'said' }] }));
const server = (name: string): ReturnType<typeof createSdkMcpServer> => createSdkMcpServer({ name, tools: [say] });

/** The id of the shell that the first turn has put into the background. */
const shellOf = (request: ModelRequest): string => /ID: (\w+)/.exec(JSON.stringify(request.body.messages))?.[1] ?? '';

withCli('The matcher of a hook', () => {
  it('#36 matches for the agent what matchingTools() lists', async () => {
    const tools = ['Bash', 'Read', 'mcp__own__say', 'mcp__own-b__say', 'Agent', 'TaskStop'];
    await using place = await stage(
      byPrompt({
        'call all': [
          toolUse('Bash', { command: 'sleep 600', run_in_background: true }),
          toolUse('Read', { file_path: '/none' }),
          toolUse('mcp__own__say'),
          toolUse('mcp__own-b__say'),
          toolUse('Agent', {
            description: 'd',
            prompt: 'be brief',
            subagent_type: 'Explore',
            run_in_background: false,
          }),
        ],
        'stop it': (request) => toolUse('TaskStop', { task_id: shellOf(request) }),
      }),
    );
    const called = new Set<string>();
    const sdk = createSdk({ dispatcher: () => noting(called), onWarning: () => {} });
    await using session = await sdk.openSession({
      ...place.options,
      tools: ['Bash', 'Read', 'Agent', 'TaskStop', server('own'), server('own-b')],
      onAsk: () => ({ behavior: 'allow' }),
      hooks: { PreToolUse: [{ hooks: [() => {}] }] },
    });
    await session.send('call all').result;
    await session.send('stop it').result;
    const seen = new Map(
      matchers.map((matcher) => [matcher, tools.filter((name) => called.has(`${name} of ${matcher}`))]),
    );
    expect(seen.get('*')).toEqual(tools);
    const expected = new Map(matchers.map((matcher) => [matcher, listed(matcher, tools)]));
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected));
  });
});

/** What does not compile is refused by `matchingTools()`, and matches nothing for the agent. */
function listed(matcher: string, tools: readonly string[]): readonly string[] {
  try {
    return matchingTools(matcher, tools);
  } catch {
    return [];
  }
}
