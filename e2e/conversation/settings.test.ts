import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettingsReport } from '@hexagent/ports';
import { openSession } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { everySetting } from '../support/every-setting.ts';
import { stage } from '../support/stage.ts';

const keys = Object.keys(everySetting);

/** These count where an organisation sets them, and are left out of any other file. */
const ofOrganisations = [
  'additionalMarketplaces',
  'allowedMarketplaces',
  'attributionProjectPolicy',
  'availableModelsMatch',
  'deniedModels',
  'managedMcpServers',
];

/** Whatever the value, the agent takes it. */
const taken = ['gatewayInternalNetworks', 'sshHostCommands'];

/** What the agent makes of a settings file of the user, or of settings of the organisation. */
async function readBack(settings: object, source: 'user' | 'managed' = 'user'): Promise<SettingsReport> {
  await using stand = await stage();
  const folder = join(stand.home.home, '.claude');
  await mkdir(folder, { recursive: true });
  if (source === 'user') await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
  const extraArgs = source === 'managed' ? { 'managed-settings': JSON.stringify(settings) } : {};
  await using session = await openSession({ ...stand.options, settings: 'user', extraArgs });
  return await session.request('get_settings');
}

const all = (names: readonly string[], value: unknown): object =>
  Object.fromEntries(names.map((name) => [name, value]));

const reported = ({ errors = [] }: SettingsReport): ReadonlySet<string> =>
  new Set(errors.map(({ path }) => path.split('.')[0] ?? ''));

withCli('Each key of a settings file that has a type', () => {
  it('is read without a complaint when its value is of that type', async () => {
    const { effective, errors = [] } = await readBack(everySetting);
    expect(errors).toEqual([]);
    const { sandbox, ...others } = everySetting;
    const read = Object.fromEntries(Object.entries(others).filter(([key]) => !ofOrganisations.includes(key)));
    expect(effective).toEqual({ ...read, sandbox: expect.objectContaining(sandbox) });
  });

  it('is supported by the agent: a value of another kind is reported, or left out, which an unknown key is not', async () => {
    const proven = new Set<string>();
    for (const wrong of [-7.5, { wrong: -7.5 }]) {
      const ignored = await readBack(all(keys, wrong));
      // The whole file.
      expect(ignored.effective).toEqual({});
      const known = reported(ignored);
      const lenient = keys.filter((key) => !known.has(key) && !ofOrganisations.includes(key));
      const { effective, errors } = await readBack({ ...all(lenient, wrong), unknown: wrong });
      expect(errors ?? []).toEqual([]);
      expect(effective).toHaveProperty('unknown', wrong);
      for (const key of [...known, ...lenient.filter((name) => !(name in effective))]) proven.add(key);
    }
    expect(keys.filter((key) => !proven.has(key)).toSorted()).toEqual([...ofOrganisations, ...taken].toSorted());
  });

  it('counts where it is an organisation that sets it, and the program may stand for one', async () => {
    const { allowedMarketplaces, deniedModels } = everySetting;
    const { effective } = await readBack(
      { allowedMarketplaces, deniedModels, availableModelsMatch: 'exact' },
      'managed',
    );
    expect(effective).toEqual({
      strictKnownMarketplaces: allowedMarketplaces,
      deniedModels,
      availableModelsMatch: 'exact',
    });
  });
});
