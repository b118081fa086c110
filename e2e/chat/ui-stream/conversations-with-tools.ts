import { join } from 'node:path';
import { deny } from '@hexagent/sdk';
import { text, toolUse } from '@hexagent/testing/loopback';
import { byPrompt } from '../../support/by-prompt.ts';
import { echo } from '../../support/tool-calls.ts';
import type { Conversation } from './conversation.ts';
import { callsIn, once, bash } from './scripts.ts';

export const withTools: Readonly<Record<string, Conversation>> = {
  'tools that run': {
    script: byPrompt({
      'only read': [text('I look.'), bash('echo hi')],
      'several at once': [text('Two.'), bash('sleep 0.2; echo a'), bash('echo b'), bash('echo c')],
      'of the program': [toolUse('mcp__own__echo', { words: 'a' }), toolUse('mcp__own__echo', { words: 'b' })],
      'a person allows': [text('I make it.'), bash('touch made')],
      'both allowed': [bash('touch a'), bash('touch b')],
    }),
    prompts: ['only read', 'several at once', 'of the program', 'a person allows', 'both allowed'],
    options: { tools: [echo] },
  },
  'tools that a person denies or changes': {
    script: byPrompt({
      'one denied': bash('touch no-1'),
      'one of two': [bash('touch no-2'), bash('touch b')],
      changed: bash('touch changed'),
    }),
    prompts: ['one denied', 'one of two', 'changed'],
    decide({ input }) {
      const made = JSON.stringify(input);
      if (made.includes('touch no')) return deny('not now');
      return made.includes('touch changed')
        ? { behavior: 'allow', updatedInput: { command: 'touch other' } }
        : { behavior: 'allow' };
    },
  },
  'tools that fail': {
    script: byPrompt({
      'exits with an error': bash('echo oops >&2; exit 3'),
      'there is none': toolUse('Nonsense', { a: 1 }),
      'an input that is not JSON': { type: 'tool_use', name: 'Bash', input: {}, json: '{"command": "ls' },
      'an input that it does not take': toolUse('Bash', { cmd: 'ls' }),
    }),
    prompts: ['exits with an error', 'there is none', 'an input that is not JSON', 'an input that it does not take'],
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
};
