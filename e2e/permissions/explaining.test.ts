import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deny, openSession, type AskAnswer, type SessionOptions } from '@hexagent/sdk';
import { toolResults, toolUse, type ModelRequest } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { expectWarnings } from '../support/warnings.ts';

const calls = {
  'reads a folder': ['Bash', { command: 'ls' }],
  'reads a file': ['Read', { file_path: 'kept' }],
  'reads elsewhere': ['Bash', { command: 'cat /etc/hosts' }],
  'changes a folder': ['Bash', { command: 'touch made' }],
  writes: ['Write', { file_path: 'written', content: 'x' }],
  edits: ['Edit', { file_path: 'kept', old_string: 'x', new_string: 'y' }],
  searches: ['WebSearch', { query: 'the weather' }],
  'a rule asks about': ['Bash', { command: 'pwd' }],
} as const;

/** Of each call what `explain()` says, and what becomes of it. */
async function explanations(options: SessionOptions): Promise<Readonly<Record<string, string>>> {
  const asked = new Set<string>();
  const failed = new Map<string, boolean>();
  await using place = await stage((request: ModelRequest) => {
    for (const { id, isError } of toolResults(request)) failed.set(id, isError);
    return failed.size > 0 ? 'done' : Object.entries(calls).map(([id, [tool, input]]) => toolUse(tool, input, id));
  });
  writeFileSync(join(place.home.cwd, 'kept'), 'x');
  await using session = await openSession({
    ...place.options,
    ...options,
    permissions: { ask: ['Bash(pwd)'], ...options.permissions },
    ...(options.onAsk && {
      onAsk: (ask) => {
        if (ask.kind === 'call') asked.add(ask.request.tool_use_id);
        return deny('No.');
      },
    }),
  });
  const explained = Object.entries(calls).map(([id, [tool, input]]) => [
    id,
    session.permissions.explain(tool, input).decision,
  ]);
  await session.send('go').result;
  const outcomeOf = (id: string): string => (asked.has(id) ? 'asked' : failed.get(id) === true ? 'denied' : 'ran');
  return Object.fromEntries(explained.map(([id = '', decision]) => [id, `${decision}: ${outcomeOf(id)}`]));
}

const onAsk = (): AskAnswer => deny('No.');
const sure = { writes: 'ask: asked', edits: 'ask: asked', searches: 'ask: asked', 'a rule asks about': 'ask: asked' };
const denied = Object.fromEntries(Object.keys(sure).map((id) => [id, 'deny: denied']));
const harmless = { 'reads a folder': 'cli: ran', 'reads a file': 'cli: ran' };

withCli('explain() says what becomes of a call, or that the CLI decides,', () => {
  expectWarnings(); // onAsk under dontAsk

  it.each<readonly [string, SessionOptions, Readonly<Record<string, string>>]>([
    ['with a person', { onAsk }, { ...sure, 'reads elsewhere': 'cli: asked', 'changes a folder': 'cli: asked' }],
    ['without one', {}, { ...denied, 'reads elsewhere': 'cli: denied', 'changes a folder': 'cli: denied' }],
    [
      'in the mode acceptEdits',
      { onAsk, permissions: { cliMode: 'acceptEdits' } },
      {
        ...sure,
        'reads elsewhere': 'cli: asked',
        'changes a folder': 'cli: ran',
        writes: 'cli: ran',
        edits: 'cli: ran',
      },
    ],
    [
      'in the mode dontAsk',
      { onAsk, permissions: { cliMode: 'dontAsk' } },
      { ...denied, 'reads elsewhere': 'cli: denied', 'changes a folder': 'cli: denied' },
    ],
  ])('%s', async (_, options, expected) => {
    expect(await explanations(options)).toEqual({ ...harmless, ...expected });
  });
});
