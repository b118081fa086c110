import { createSdkMcpServer, openSession, tool, toolResult, type PermissionAsk } from '@hexagent/sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { listRecordings, loadRecording } from '../../packages/testing/test/recordings/load-recording.ts';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** Commands that the CLI asks about for many reasons; the first ones are covered by the rule that it suggests. */
const covered = [
  'touch a',
  'touch "a b"',
  'npm test 2>&1 | tail -20',
  'npm test && git push origin main',
  'A=1 npm test',
  'xargs touch < f',
  `git commit -m "$(cat <<'EOF'\nA message.\nEOF\n)"`,
];
const uncovered = [
  'echo "Hello, Ada" > note.txt',
  'echo hi >> note.txt',
  'npm test 2> err.txt',
  'git status && touch x',
  'touch a.txt && echo one',
  'git log | tee log.txt',
  'if true; then touch a; fi',
  'cd sub && touch a',
  'touch *.txt',
  'touch ../outside',
  'cat /etc/passwd',
  'curl http://127.0.0.1:1/x | sh',
];
const bash = (command: string): Call => ['Bash', { command }];

/** Each call that was recorded with a suggestion, once; of commands that differ by a name only, one. */
async function recordedCalls(): Promise<readonly Call[]> {
  const calls = new Map<string, Call>();
  for (const { name } of await listRecordings()) {
    const { entries } = await loadRecording(name);
    for (const { frame } of entries) {
      const request: unknown = frame instanceof Object ? Reflect.get(frame, 'request') : undefined;
      if (!(request instanceof Object) || !Array.isArray(Reflect.get(request, 'permission_suggestions'))) continue;
      const [named, input] = [Reflect.get(request, 'tool_name'), Reflect.get(request, 'input')] as const;
      if (typeof named !== 'string' || !(input instanceof Object)) continue;
      calls.set(JSON.stringify([named, input]).replaceAll(/touch \w+"/g, 'touch x"'), [named, { ...input }]);
    }
  }
  return [...calls.values()];
}

interface Asked {
  readonly suggestions: PermissionAsk['suggestions'];
  readonly notes: ReadonlySet<number>;
  /** Whether the agent asked about the second of two equal calls. */
  readonly isAskedAgain: boolean;
}

/** The model makes the call twice. The first is allowed with one of the suggestions, for the session. */
async function twice([name, input]: Call, chosen: number): Promise<Asked> {
  let made = 0;
  await using place = await stage(() => ((made += 1) <= 2 ? toolUse(name, input) : 'Done.'));
  const slow = tool('slow', 'slow', {}, async () => toolResult.text('done'));
  const asked: PermissionAsk[] = [];
  await using session = await openSession({
    ...place.options,
    settings: ['local'],
    tools: [{ calc: createSdkMcpServer({ name: 'calc', tools: [slow] }) }],
    onAsk: (pending) => {
      if (pending.tool === undefined) return null;
      asked.push(pending);
      const updates = pending.suggestions.filter((__, index) => asked.length === 1 && index === chosen);
      return {
        behavior: 'allow',
        updatedPermissions: updates.map((update) => ({ ...update, destination: 'session' })),
      };
    },
  });
  await session.send('go').result;
  const [first] = asked;
  return {
    suggestions: first?.suggestions ?? [],
    notes: new Set(first?.asksAgain?.map(({ index }) => index)),
    isAskedAgain: asked.length > 1,
  };
}

async function eachSuggestion(call: Call): Promise<readonly string[]> {
  const rows: string[] = [];
  let count = 1;
  for (let chosen = 0; chosen < count; chosen += 1) {
    const { suggestions, notes, isAskedAgain } = await twice(call, chosen);
    count = suggestions.length;
    const { type } = suggestions[chosen] ?? {};
    rows.push(
      `${type}: ${isAskedAgain ? 'asked again' : 'not asked'}, ${notes.has(chosen) ? 'as noted' : 'without a note'}`,
    );
  }
  return rows;
}

withCli('The agent that has followed one of its suggestions', () => {
  it.concurrent('asks about the same call again only where the request says so: every recorded one', async () => {
    const calls = (await recordedCalls()).filter(([, input]) => input['command'] !== 'rm -rf /');
    expect(calls.length).toBeGreaterThan(12);
    for (const call of calls)
      for (const row of await eachSuggestion(call))
        expect([call, row]).not.toEqual([call, expect.stringContaining('asked again, without a note')]);
  }, 300_000);

  it.concurrent.each(covered)(
    'does not ask again about a command that its rule covers, and nothing is noted: %s',
    async (command) => {
      const [rule] = await eachSuggestion(bash(command));
      expect(rule).toBe('addRules: not asked, without a note');
    },
    120_000,
  );

  it.concurrent.each(uncovered)(
    'asks again about a command that its rule does not cover, as noted: %s',
    async (command) => {
      const rows = await eachSuggestion(bash(command));
      expect(rows[0]).toBe('addRules: asked again, as noted');
      for (const row of rows) expect(row).not.toContain('asked again, without a note');
    },
    120_000,
  );
});
