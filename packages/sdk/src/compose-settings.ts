import path from 'node:path';
import { inspect } from 'node:util';
import type { ResolvedSettings, ResolveSettingsOptions } from '@hexagent/official-api/official';
import { isRecord } from '@hexagent/checks';
import { type FileSource, resolveSettings } from '@hexagent/settings-files';
import { ownConfigDir } from './own-environment.ts';

const fileSources: readonly FileSource[] = ['user', 'project', 'local'];

/** Resolves the settings of an agent of this process, as its variables and its folder are at the time of the call. */
export async function resolveOwnSettings(options: ResolveSettingsOptions): Promise<ResolvedSettings> {
  checkOptions(options);
  const { cwd = process.cwd(), settingSources, managedSettings, serverManagedSettings } = options;
  const resolved = await resolveSettings({
    cwd: path.resolve(cwd),
    configDir: ownConfigDir(),
    fileSources: settingSources ?? fileSources,
    policyOfProgram: managedSettings,
    policyOfServer: serverManagedSettings,
    platform: process.platform,
  });
  // Each setting has been checked against the type that it has there.
  return resolved as ResolvedSettings;
}

function checkOptions(options: unknown): void {
  if (!isRecord(options)) throw wrong('options', options, 'an object');
  const { cwd, settingSources, managedSettings, serverManagedSettings } = options;
  if (cwd !== undefined && typeof cwd !== 'string') throw wrong('cwd', cwd, 'a path');
  if (settingSources !== undefined && settingSources !== null && !Array.isArray(settingSources)) {
    throw wrong('settingSources', settingSources, `a list of ${fileSources.join(', ')}`);
  }
  for (const [name, value] of Object.entries({ managedSettings, serverManagedSettings })) {
    if (value !== undefined && value !== null && !isRecord(value)) throw wrong(name, value, 'an object');
  }
}

const wrong = (name: string, value: unknown, wanted: string): TypeError =>
  new TypeError(`\`${name}\` of \`resolveSettings()\` is ${wanted}, and not ${inspect(value, { depth: 0 })}.`);
