import { createSdkMcpServer, openSession, tool, toolResult, type PermissionAsk } from '@hexagent/sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { beforeAll, expect, it } from 'vitest';
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

type Update = PermissionAsk['suggestions'][number];

const inSession = (update: Update): Update => ({ ...update, destination: 'session' });

/** What takes back what an update changed. */
function undoing(update: Update): Update {
  if (update.type === 'setMode') return { ...update, mode: 'default' };
  if (update.type === 'addRules') return { ...update, type: 'removeRules' };
  if (update.type === 'addDirectories') return { ...update, type: 'removeDirectories' };
  throw new Error(`The agent suggests ${update.type}.`);
}

const undo = 'mcp__calc__undo';

/**
 * For each suggestion of each call, whether the agent asks again and whether the request says so. The model makes the call twice. The
 * first is allowed with the suggestion, for the session; a third call takes it back, so that each finds what a new session finds.
 */
async function eachSuggestion(calls: readonly Call[]): Promise<readonly (readonly string[])[]> {
  let call: Call = [undo, {}];
  let chosen = 0;
  let made = 0;
  let asked: PermissionAsk[] = [];
  await using place = await stage(() => {
    made += 1;
    if (made > 3) return 'Done.';
    return made === 3 ? toolUse(undo, {}) : toolUse(...call);
  });
  const [slow, taking] = ['slow', 'undo'].map((name) => tool(name, name, {}, async () => toolResult.text('done')));
  await using session = await openSession({
    ...place.options,
    settings: ['local'],
    tools: [{ calc: createSdkMcpServer({ name: 'calc', tools: [slow!, taking!] }) }],
    onAsk: (pending) => {
      if (pending.tool === undefined) return null;
      const updates = (asked[0]?.suggestions ?? pending.suggestions).slice(chosen, chosen + 1).map(inSession);
      if (pending.tool === undo) return { behavior: 'allow', updatedPermissions: updates.map(undoing) };
      asked.push(pending);
      return { behavior: 'allow', updatedPermissions: asked.length === 1 ? updates : [] };
    },
  });
  const rows: string[][] = [];
  for (call of calls) {
    const ofCall: string[] = [];
    do {
      chosen = ofCall.length;
      made = 0;
      asked = [];
      await session.send('go').result;
      const isNoted = asked[0]?.asksAgain?.some(({ index }) => index === chosen) === true;
      const again = asked.length > 1 ? 'asked again' : 'not asked';
      ofCall.push(`${asked[0]?.suggestions[chosen]?.type}: ${again}, ${isNoted ? 'as noted' : 'without a note'}`);
    } while (ofCall.length < (asked[0]?.suggestions.length ?? 0));
    rows.push(ofCall);
  }
  return rows;
}

withCli('The agent that has followed one of its suggestions', () => {
  let recorded: readonly Call[] = [];
  const rowsOf = new Map<string, readonly string[]>();

  beforeAll(async () => {
    recorded = (await recordedCalls()).filter(([, input]) => input['command'] !== 'rm -rf /');
    const calls = [...recorded, ...[...covered, ...uncovered].map(bash)];
    const rows = await eachSuggestion(calls);
    for (const [index, call] of calls.entries()) rowsOf.set(JSON.stringify(call), rows[index] ?? []);
  }, 300_000);

  const rowsFor = (call: Call): readonly string[] => rowsOf.get(JSON.stringify(call)) ?? [];

  it('asks about the same call again only where the request says so: every recorded one', () => {
    expect(recorded.length).toBeGreaterThan(12);
    for (const call of recorded) {
      expect(rowsFor(call)).not.toEqual([]);
      for (const row of rowsFor(call))
        expect([call, row]).not.toEqual([call, expect.stringContaining('asked again, without a note')]);
    }
  });

  it.each(covered)('does not ask again about a command that its rule covers, and nothing is noted: %s', (command) => {
    expect(rowsFor(bash(command))[0]).toBe('addRules: not asked, without a note');
  });

  it.each(uncovered)('asks again about a command that its rule does not cover, as noted: %s', (command) => {
    const rows = rowsFor(bash(command));
    expect(rows[0]).toBe('addRules: asked again, as noted');
    for (const row of rows) expect(row).not.toContain('asked again, without a note');
  });
});
