import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PermissionUpdate } from '@hexagent/ports';
import { allow, createSdk, rememberedRules, type AskHandler, type RememberScope } from '@hexagent/sdk';
import { toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { listRecordings, loadRecording } from '../../packages/testing/test/recordings/load-recording.ts';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { remember, resultsIn, twice } from './remembering.ts';

/** Two files in the folder, about which the CLI suggests nothing but a mode. */
const files = (request: ModelRequest): TurnLike =>
  resultsIn(request) === 2 ? 'over' : toolUse('Write', { file_path: `file${resultsIn(request)}`, content: 'x' });

/** Trusts the folder, as a person does who runs the CLI there. */
const trust = ({ home }: Stage): Promise<void> =>
  writeFile(
    join(home.home, '.claude.json'),
    JSON.stringify({ projects: { [home.cwd]: { hasTrustDialogAccepted: true } } }),
  );

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

withCli('#38 What an approver remembers', () => {
  it.each<[RememberScope, string | undefined]>([
    ['session', undefined],
    ['local', 'work/.claude/settings.local.json'],
    ['project', 'work/.claude/settings.json'],
    ['user', 'home/.claude/settings.json'],
  ])('is not requested again, is on disk at its destination, and changes no mode: %s', async (scope, file) => {
    await using place = await stage(twice);
    await trust(place);
    const { asked, offered, warned, mode } = await remember(place, scope);
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

  it('for a project that is not trusted has no effect, with a warning', async () => {
    await using place = await stage(twice);
    const { asked, warned } = await remember(place, 'project', { isWarned: true });
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
      await using place = await stage(twice);
      await trust(place);
      const { asked, warned } = await remember(place, scope, { settings: 'none', isWarned: true });
      expect(asked).toEqual(['touch one', 'touch one two']);
      expect(warned[0]).toMatchObject({
        code: 'HEXAGENT_NOT_REMEMBERED',
        message: expect.stringContaining('`settings`'),
      });
    },
  );

  it('where the CLI suggests a mode alone is nothing, with a warning: each file is requested', async () => {
    await using place = await stage(files);
    const { asked, offered, warned, mode } = await remember(place, 'session');
    expect(asked).toHaveLength(2);
    expect(offered).toEqual([[], []]);
    expect(mode).toBeUndefined();
    expect(warned[0]).toMatchObject({
      code: 'HEXAGENT_NOT_REMEMBERED',
      message: expect.stringContaining('suggests no rule'),
    });
  });

  it('is a mode where the program asks for that by name', async () => {
    await using place = await stage(files);
    const asked: string[] = [];
    const onAsk: AskHandler = ({ tool = '', suggestions = [] }) => {
      asked.push(tool);
      return allow({ updates: suggestions.filter(({ type }) => type === 'setMode') });
    };
    await using session = await createSdk().openSession({ ...place.options, onAsk });
    await session.send('go').result;
    expect(asked).toEqual(['Write']);
    expect(['file0', 'file1'].map((name) => existsSync(join(place.home.cwd, name)))).toEqual([true, true]);
  });
});
