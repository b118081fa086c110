import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { wrongWithMatcher } from '@hexagent/hooking';
import { createHooks, createSdk, openSession, type SessionOptions } from '@hexagent/sdk';
import { HOOK_EVENTS } from '@hexagent/sdk/claude-agent-sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { byPrompt } from '../support/by-prompt.ts';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { Seen, allowAll, all, everything, matching, text, inputsAt } from './every-hook.ts';

withCli('The agent calls hooks', () => {
  it('#36 for every event that can be provoked, with the input and the matcher that its type has', async () => {
    const { seen, place } = await everything();
    await using _ = place;
    const expected = inputsAt(place);
    const provoked = HOOK_EVENTS.filter((event) => seen.of(event).length > 0);
    expect(Object.fromEntries(provoked.map((event) => [event, seen.first(event)]))).toEqual(expected);
    expect(seen.of('PermissionRequest')[1]).toMatchObject({
      tool_name: 'Bash',
      tool_input: { command: 'exit 3' },
      permission_suggestions: [{ type: 'addRules' }],
    });
    expect(new Set(seen.matched)).toEqual(new Set(Object.keys(matching)));
    expect(seen.of('SessionStart').map(({ source }) => source)).toEqual(['compact', 'clear']);
  });

  it('for a denial of the mode auto', async () => {
    await using place = await stage(byPrompt({ fetch: toolUse('Bash', { command: 'curl http://127.0.0.1:9/' }) }));
    const seen = new Seen();
    const set = createHooks(seen.hooks).on('PermissionDenied', 'Bash', () => ({
      hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: false },
    }));
    await using session = await createSdk({ onWarning: () => {} }).openSession({
      ...place.options,
      model: 'claude-opus-4-6',
      permissions: { cliMode: 'auto' },
      onAsk: allowAll,
      hooks: set,
    });
    await session.send('fetch it').result;
    expect(seen.of('PermissionDenied')).toMatchObject([
      { tool_name: 'Bash', tool_input: { command: 'curl http://127.0.0.1:9/' }, tool_use_id: text, reason: text },
    ]);
  });

  it('by matchers, or whatever the matcher, as in our table of events', async () => {
    await using place = await stage();
    await using session = await openSession(place.options);
    const { eventCatalog } = await session.request('get_hooks_listing', {});
    const known = eventCatalog.map(({ name }) => [name, wrongWithMatcher(name, 'Nothing') === undefined]);
    expect(Object.fromEntries(known)).toEqual(
      Object.fromEntries(eventCatalog.map(({ name, supportsMatcher }) => [name, supportsMatcher])),
    );
    expect(eventCatalog.map(({ name }) => name).toSorted()).toEqual(HOOK_EVENTS.toSorted());
  });
});

withCli('The agent does not call hooks', () => {
  /** Also once more in the same folder, where a session can be resumed. */
  async function startAndEnd(extra: SessionOptions): Promise<Seen> {
    await using place = await stage(
      byPrompt({
        'change the folder': toolUse('Bash', { command: 'cd sub && pwd' }),
        'where am I': toolUse('Bash', { command: 'pwd' }),
        'hand it to Bob': toolUse('Agent', {
          description: 'd',
          prompt: 'be brief',
          name: 'bob',
          team_name: 't',
          run_in_background: false,
        }),
      }),
      { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' },
    );
    await mkdir(join(place.home.cwd, 'sub'));
    const seen = new Seen();
    const options = { ...place.options, ...extra, onAsk: allowAll, hooks: seen.hooks };
    const sdk = createSdk({ onWarning: () => {} });
    const session = await sdk.openSession(options);
    await all(session, 'change the folder', 'where am I', 'hand it to Bob');
    await session.finish();
    await sdk.ask('hello', { ...options, continue: true }).result;
    await sdk.ask('hello', { ...options, continue: true, fork: true }).result;
    return seen;
  }

  it.each<SessionOptions>([{}, { extraArgs: { init: null } }, { extraArgs: { maintenance: null } }])(
    'for starts, ends, set-ups, folders and teams: %o',
    async (extra) => {
      const seen = await startAndEnd(extra);
      const missing = ['SessionStart', 'SessionEnd', 'Setup', 'CwdChanged', 'TeammateIdle', 'FileChanged'] as const;
      expect(missing.flatMap((event) => seen.of(event))).toEqual([]);
      expect(seen.of('UserPromptSubmit').length).toBeGreaterThan(4);
      expect(new Set(seen.of('Stop').map(({ session_id }) => session_id)).size).toBe(2);
      expect(seen.of('PostToolUse').map((input) => input.cwd)).toContainEqual(expect.stringMatching(/sub$/));
    },
  );
});
