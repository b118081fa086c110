import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  allow,
  createSdk,
  rememberedRules,
  rulesToRemember,
  type Approver,
  type RememberScope,
  type SessionOptions,
} from '@hexagent/sdk';
import type { PermissionUpdate, Warning } from '@hexagent/ports';
import { toolUse, type ModelRequest, type Script, type TurnLike } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { listRecordings, loadRecording } from '../packages/testing/test/recordings/load-recording.ts';
import { withCli } from './support/cli.ts';
import { stage, type Stage } from './support/stage.ts';

const resultsIn = ({ body }: ModelRequest): number => JSON.stringify(body.messages).split('"tool_result"').length - 1;

/** Two calls, of which the rule of the first covers the second. */
const twice = (request: ModelRequest): TurnLike =>
  resultsIn(request) === 2
    ? 'over'
    : toolUse('Bash', { command: resultsIn(request) === 0 ? 'touch one' : 'touch one two' });

/** Two files in the folder, about which the CLI suggests nothing but a mode. */
const files = (request: ModelRequest): TurnLike =>
  resultsIn(request) === 2 ? 'over' : toolUse('Write', { file_path: `file${resultsIn(request)}`, content: 'x' });

/** Trusts the folder, as a person does who runs the CLI there. */
const trust = ({ home }: Stage): Promise<void> =>
  writeFile(
    join(home.home, '.claude.json'),
    JSON.stringify({ projects: { [home.cwd]: { hasTrustDialogAccepted: true } } }),
  );

interface Run {
  readonly asked: readonly string[];
  readonly offered: readonly (readonly string[])[];
  readonly warned: readonly Warning[];
  readonly mode: unknown;
}

interface How {
  readonly settings?: SessionOptions['settings'];
  /** Whether the program will be warned. */
  readonly isWarned?: boolean;
}

async function run(
  place: Stage,
  scope: RememberScope,
  { settings = 'user', isWarned = false }: How = {},
): Promise<Run> {
  const [asked, offered, warned]: [string[], (readonly string[])[], Warning[]] = [[], [], []];
  const first = Promise.withResolvers<void>();
  const sdk = createSdk({ onWarning: (warning) => (warned.push(warning), first.resolve()) });
  const approver: Approver = async (request, { input }) => {
    asked.push(String(input['command'] ?? input['file_path']));
    offered.push(rulesToRemember(request));
    // Before it is stored again: the CLI follows a rule for a moment, until it reads the files, which it does once.
    if (isWarned && asked.length > 1) await first.promise;
    return allow({ remember: scope });
  };
  await using session = await sdk.openSession({ ...place.options, settings, permissions: { approver } });
  const modes: unknown[] = [];
  for await (const message of session.send('go'))
    if (message.type === 'system' && message.subtype === 'status') modes.push(message.permissionMode);
  return { asked, offered, warned, mode: modes.at(-1) };
}

/** Every request for a permission that was recorded, with what the CLI suggested. */
async function recordedSuggestions(): Promise<readonly PermissionUpdate[][]> {
  const all: PermissionUpdate[][] = [];
  for (const { name } of await listRecordings()) {
    const { entries } = await loadRecording(name);
    for (const { dir, frame } of entries) {
      const request: unknown = dir === 'out' && frame instanceof Object ? frame['request'] : undefined;
      const suggestions = request instanceof Object ? Reflect.get(request, 'permission_suggestions') : undefined;
      if (Array.isArray(suggestions)) all.push(suggestions as PermissionUpdate[]); // the agent's own
    }
  }
  return all;
}

describe('Of every suggestion that was recorded', () => {
  it('rules that allow are stored, and neither modes nor folders', async () => {
    const recorded = await recordedSuggestions();
    expect(recorded.length).toBeGreaterThan(40);
    expect(new Set(recorded.flat().map(({ type }) => type))).toEqual(
      new Set(['addRules', 'addDirectories', 'setMode']),
    );
    for (const suggestions of recorded) {
      const rules = suggestions.filter(({ type }) => type === 'addRules');
      expect(rememberedRules(suggestions, 'user')).toEqual(
        rules.map((rule) => ({ ...rule, destination: 'userSettings' })),
      );
    }
  });
});

const script = (turns: Script): Promise<Stage> => stage(turns);

withCli('#38 What an approver remembers', () => {
  it.each<[RememberScope, string | undefined]>([
    ['session', undefined],
    ['local', 'work/.claude/settings.local.json'],
    ['project', 'work/.claude/settings.json'],
    ['user', 'home/.claude/settings.json'],
  ])('is not requested again, is on disk at its destination, and changes no mode: %s', async (scope, file) => {
    await using place = await script(twice);
    await trust(place);
    const { asked, offered, warned, mode } = await run(place, scope);
    expect(asked).toEqual(['touch one']);
    expect(offered).toEqual([['Bash(touch one *)']]);
    expect(existsSync(join(place.home.cwd, 'two'))).toBe(true);
    expect(mode).toBeUndefined();
    expect(warned).toEqual([]);
    const all = ['work/.claude/settings.local.json', 'work/.claude/settings.json', 'home/.claude/settings.json'];
    const found = all.filter((name) => existsSync(join(place.home.root, name)));
    expect(found).toEqual(file === undefined ? [] : [file]);
    for (const name of found)
      expect(JSON.parse(await readFile(join(place.home.root, name), 'utf8'))).toEqual({
        permissions: { allow: ['Bash(touch one *)'] },
      });
  });

  it('for the user holds in another session', async () => {
    await using place = await script(twice);
    await run(place, 'user');
    await using again = await script(twice);
    await using session = await createSdk().openSession({
      ...place.options,
      env: { policy: 'exact', set: { ...place.env, ANTHROPIC_BASE_URL: again.loopback.url } },
      settings: 'user',
      permissions: { approver: () => null },
    });
    await session.send('go').result;
    expect(session.pending.list()).toEqual([]);
  });

  it('for a project that is not trusted has no effect, with a warning', async () => {
    await using place = await script(twice);
    const { asked, warned } = await run(place, 'project', { isWarned: true });
    expect(asked).toEqual(['touch one', 'touch one two']);
    expect(warned[0]).toMatchObject({
      code: 'HEXAGENT_NOT_REMEMBERED',
      message: expect.stringMatching(
        /Bash\(touch one \*\) is in the settings of the project now, and has no effect.*trusted/,
      ),
    });
  });

  it.each<[RememberScope]>([['local'], ['project'], ['user']])(
    'in a file that the session does not read has no effect, as a warning says: %s',
    async (scope) => {
      await using place = await script(twice);
      await trust(place);
      const { asked, warned } = await run(place, scope, { settings: 'none', isWarned: true });
      expect(asked).toEqual(['touch one', 'touch one two']);
      expect(warned[0]).toMatchObject({
        code: 'HEXAGENT_NOT_REMEMBERED',
        message: expect.stringContaining('`settings`'),
      });
    },
  );

  it('where the CLI suggests a mode alone is nothing, with a warning: each file is requested', async () => {
    await using place = await script(files);
    const { asked, offered, warned, mode } = await run(place, 'session');
    expect(asked).toHaveLength(2);
    expect(offered).toEqual([[], []]);
    expect(mode).toBeUndefined();
    expect(warned[0]).toMatchObject({
      code: 'HEXAGENT_NOT_REMEMBERED',
      message: expect.stringContaining('suggests no rule'),
    });
  });

  it('is a mode where the program asks for that by name', async () => {
    await using place = await script(files);
    const asked: string[] = [];
    const approver: Approver = ({ tool_name, permission_suggestions = [] }) => {
      asked.push(tool_name);
      return allow({ updates: permission_suggestions.filter(({ type }) => type === 'setMode') });
    };
    await using session = await createSdk().openSession({ ...place.options, permissions: { approver } });
    await session.send('go').result;
    expect(asked).toEqual(['Write']);
    expect(['file0', 'file1'].map((name) => existsSync(join(place.home.cwd, name)))).toEqual([true, true]);
  });
});
