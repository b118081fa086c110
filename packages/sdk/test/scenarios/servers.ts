import { allow, tool } from '@hexagent/sdk';
import { model, turn } from '@hexagent/testing/scenarios';
import { z } from 'zod';
import type { Scenarios } from './scenario.ts';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const add = tool('add', 'Adds.', { a: z.number(), b: z.number() }, ({ a, b }) => text(String(a + b)));
const fail = tool('fail', 'Fails.', {}, () => {
  throw new Error('It broke.');
});

/** Two tools that only read, of which the first ends after the second. */
function slowAndFast() {
  let open = (): void => {};
  const called = new Promise<void>((resolve) => (open = resolve));
  const slow = tool('slow', 'Waits.', {}, async () => (await called, text('slow')), {
    annotations: { readOnlyHint: true },
  });
  const fast = tool('fast', 'Ends.', {}, () => (setTimeout(open, 50), text('fast')), {
    annotations: { readOnlyHint: true },
  });
  return [slow, fast];
}

const asks = { asks: true };
const permissions = { allow: ['mcp__own'] };

export const servers: Scenarios = {
  'a tool of the program': {
    turns: [turn('go', [model.call('mcp__own__add', { a: 40, b: 2 }, asks)], 'Forty-two.')],
    options: { tools: [add], permissions },
    shows: ['tools/call', '"text":"42"'],
  },
  'a tool of the program that fails': {
    turns: [turn('go', [model.call('mcp__own__fail', {}, asks)], 'It broke.')],
    options: { tools: [fail], permissions },
    shows: ['It broke.', '"is_error":true'],
    departs: [
      { about: '"content":"It broke.', why: 'The CLI adds the schema of a tool that the model had to search for.' },
    ],
  },
  'a tool of the program that the host is asked about': {
    turns: [turn('go', [model.call('mcp__own__add', { a: 1, b: 2 }, asks)], 'Three.')],
    options: { tools: [add] },
    decides: [allow()],
    shows: ['can_use_tool', '"text":"3"'],
  },
  'two tools of the program at once': {
    turns: [
      turn(
        'go',
        [
          model.call('mcp__own__slow', {}, { readOnly: true, ...asks }),
          model.call('mcp__own__fast', {}, { readOnly: true, ...asks }),
        ],
        'Both.',
      ),
    ],
    options: () => ({ tools: slowAndFast() }),
    decides: [allow(), allow()],
    shows: ['"text":"slow"', '"text":"fast"'],
    departs: [
      {
        about: '"tool_name":"mcp__own__fast"',
        why: 'The requests of calls that run at the same time come in any order.',
        isRace: true,
      },
    ],
  },
  'a tool of the program, with hooks': {
    turns: [turn('go', [model.call('mcp__own__add', { a: 1, b: 2 }, asks)], 'Three.')],
    options: { tools: [add], permissions, hooks: { PreToolUse: [{ matcher: 'mcp__own__.*', hooks: [() => {}] }] } },
    shows: ['PreToolUse', '"text":"3"'],
  },
};
