import { joinPolicies, withCredentials } from './join-policies.ts';
import { mergeSettings } from './merge-settings.ts';
import { policyOfProgram } from './policy-of-program.ts';
import { readSettings, type Settings } from './read-settings.ts';
import { additionsIn, contentOf } from './settings-file.ts';
import path from 'node:path';
import { isRecord } from '@hexagent/checks';

/** Where a policy came from: the organisation's server, a file of this machine, or the program. */
export type PolicyOrigin = 'remote' | 'file' | 'parent';

export interface Policy {
  readonly settings: Settings;
  readonly origin: PolicyOrigin;
}

export interface PolicySources {
  /** The folder of the machine's policy. */
  readonly folder: string;
  readonly ofServer: Settings | undefined;
  readonly ofProgram: Settings | undefined;
}

/** Settings of one tier of policies that replace those of the tier below, instead of being added. */
const replacing = new Set([
  'availableModels',
  'allowedMcpServers',
  'strictKnownMarketplaces',
  'strictPluginOnlyCustomization',
  'forceLoginOrgUUID',
  'allowedProviders',
]);

/** The policy that counts, and whether all of the machine's files could be read. */
export async function policyFrom(sources: PolicySources): Promise<{ policy: Policy | undefined; isWhole: boolean }> {
  const { settings, isWhole } = await machinePolicy(sources.folder);
  const server = sources.ofServer === undefined ? undefined : serverOver(settings, sources.ofServer);
  const program = sources.ofProgram === undefined ? {} : policyOfProgram(sources.ofProgram);
  return { policy: highest({ server, machine: settings, program }), isWhole };
}

interface Tiers {
  readonly server: Settings | undefined;
  readonly machine: Settings | undefined;
  readonly program: Settings;
}

function highest({ server, machine, program }: Tiers): Policy | undefined {
  const counting: Policy | undefined = hasSettings(server)
    ? { settings: server, origin: 'remote' }
    : hasSettings(machine)
      ? { settings: machine, origin: 'file' }
      : undefined;
  if (counting === undefined) return hasSettings(program) ? { settings: program, origin: 'parent' } : undefined;
  if (counting.settings['parentSettingsBehavior'] !== 'merge') return counting;
  return { ...counting, settings: mergeSettings(program, counting.settings, replacing) };
}

/** The policy of a server, with what it is joined with of the machine's; nothing where that counts in its place. */
function serverOver(machine: Settings | undefined, given: Settings): Settings {
  const { managedSourcesBehavior, ...server } = readSettings(given, 'policy') ?? {};
  if (machine === undefined || isEmpty(machine)) return withPolicy(server) ?? {};
  const { wslInheritsWindowsSettings: _, ...shared } = server;
  if (isEmpty(shared)) return {};
  return managedSourcesBehavior === 'merge' ? joinPolicies(machine, server) : withCredentials(machine, server);
}

/** Whether there is nothing in it but objects in which there is nothing. */
const isEmpty = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isEmpty);

/** What only says how a machine reads policies makes none. */
function withPolicy(settings: Settings): Settings | undefined {
  const { wslInheritsWindowsSettings: _, ...others } = settings;
  return hasSettings(others) ? settings : undefined;
}

const hasSettings = (settings: Settings | undefined): settings is Settings =>
  settings !== undefined && Object.keys(settings).length > 0;

/** The file of the machine, and then its additions in the order of their names. */
async function machinePolicy(folder: string): Promise<{ settings: Settings | undefined; isWhole: boolean }> {
  const files = [
    path.join(folder, 'managed-settings.json'),
    ...(await additionsIn(path.join(folder, 'managed-settings.d'))),
  ];
  const contents = await Promise.all(files.map(contentOf));
  let settings: Settings | undefined;
  for (const content of contents) {
    const read = content.kind === 'value' ? readSettings(content.value, 'policy') : undefined;
    if (read !== undefined) settings = mergeSettings(settings ?? {}, read);
  }
  const isWhole = contents.every(
    (content) => content.kind !== 'broken' && (content.kind !== 'value' || isRecord(content.value)),
  );
  if (settings === undefined) return { settings, isWhole };
  // Says how policies are joined, and is no part of what comes of it.
  const { managedSourcesBehavior: _, ...shown } = settings;
  return { settings: withPolicy(shown), isWhole };
}
