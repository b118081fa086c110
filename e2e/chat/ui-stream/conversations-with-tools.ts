import { join } from 'node:path';
import { deny } from '@hexagent/sdk';
import { text, toolUse } from '@hexagent/testing/loopback';
import { echo } from '../../support/tool-calls.ts';
import type { Conversation } from './conversation.ts';
import { callsIn, once, bash } from './scripts.ts';

export const withTools: Readonly<Record<string, Conversation>> = {
  'a tool that only reads': { script: once(text('I look.'), bash('echo hi')) },
  'a tool without partial messages': { script: once(bash('echo hi')), options: { partialMessages: false } },
  'parallel tools': { script: once(text('Two.'), bash('sleep 0.2; echo a'), bash('echo b'), bash('echo c')) },
  'parallel tools of the program': {
    script: once(toolUse('mcp__own__echo', { words: 'a' }), toolUse('mcp__own__echo', { words: 'b' })),
    options: { tools: [echo] },
  },
  'a tool that a person allows': { script: once(text('I make it.'), bash('touch made')) },
  'parallel tools that a person allows': { script: once(bash('touch a'), bash('touch b')) },
  'a tool that a person denies': { script: once(bash('touch made')), decide: () => deny('not now') },
  'one of two tools that a person denies': {
    script: once(bash('touch a'), bash('touch b')),
    decide: ({ input }) => (JSON.stringify(input).includes('touch a') ? deny('not a') : { behavior: 'allow' }),
  },
  'a denial that ends the turn': {
    script: once(bash('touch made')),
    decide: () => ({ behavior: 'deny', message: 'stop', interrupt: true }),
  },
  'a tool that a rule denies': { script: once(bash('touch made')), options: { permissions: { deny: ['Bash'] } } },
  'a tool that a hook denies': {
    script: once(bash('touch made')),
    options: { hooks: { PreToolUse: [{ hooks: [async () => ({ decision: 'block', reason: 'policy' })] }] } },
  },
  'a tool that is not asked about': {
    script: once(bash('touch made')),
    options: { permissions: { cliMode: 'dontAsk' }, onAsk: undefined },
  },
  'an input that a person changed': {
    script: once(bash('touch made')),
    decide: () => ({ behavior: 'allow', updatedInput: { command: 'touch other' } }),
  },
  'a tool that fails': { script: once(bash('echo oops >&2; exit 3')) },
  'files that are written, read and edited': {
    script: (request, cwd) => {
      const file_path = join(cwd, 'file.txt');
      const steps = [
        toolUse('Write', { file_path, content: 'one\n' }),
        toolUse('Read', { file_path }),
        toolUse('Edit', { file_path, old_string: 'one', new_string: 'two' }),
      ];
      return steps[callsIn(request)] ?? 'done';
    },
  },
  'a tool that there is not': { script: once(toolUse('Nonsense', { a: 1 })) },
  'an input that is not JSON': { script: once({ type: 'tool_use', name: 'Bash', input: {}, json: '{"command": "ls' }) },
  'an input that the tool does not take': { script: once(toolUse('Bash', { cmd: 'ls' })) },
};
