import path from 'node:path';
import { mergeSettings } from './merge-settings.ts';
import { type PolicyOrigin, policyFrom } from './policy.ts';
import { readSettings, type Settings } from './read-settings.ts';
import { contentOf } from './settings-file.ts';

export type FileSource = 'user' | 'project' | 'local';
export type SettingsSource = FileSource | 'managed';

/** Settings of one source. `path` is there for a file of a person, `policyOrigin` for a policy. */
export interface SourceOfSettings {
  readonly source: SettingsSource;
  readonly settings: Settings;
  readonly path?: string;
  readonly policyOrigin?: PolicyOrigin;
}

export interface ResolvedSettings {
  /** What counts in the end. */
  readonly effective: Settings;
  /** For each key of `effective`, the source whose value applies. */
  readonly provenance: { readonly [key: string]: Omit<SourceOfSettings, 'settings'> };
  /** The settings of each source by itself, the one with the highest precedence last. */
  readonly sources: readonly SourceOfSettings[];
  /** Kinds of the machine's policy that may be there and were not read. */
  readonly machinePolicy: { readonly didNotLoad: false | readonly ('profile' | 'registry' | 'file')[] };
}

export interface SettingsRequest {
  /** The folder of the project. */
  readonly cwd: string;
  /** The CLI's folder: `CLAUDE_CONFIG_DIR`, or `.claude` in the home. */
  readonly configDir: string;
  /** Which files count. */
  readonly fileSources: readonly FileSource[];
  /** A policy of the program. Only restrictions apply; beside another policy, only if that allows a merge by `parentSettingsBehavior`. */
  readonly policyOfProgram?: Settings | undefined;
  /** A policy that the program had from the organisation's server. It counts before the one of the machine. */
  readonly policyOfServer?: Settings | undefined;
  readonly platform: NodeJS.Platform;
  /** Default: where the CLI reads it on this platform. */
  readonly policyFolder?: string | undefined;
}

const fileOrder: readonly FileSource[] = ['user', 'project', 'local'];
/** Lists of a person that a policy replaces, where it has one. */
const policyReplaces = new Set(['availableModels']);

/** Reads and joins the settings that the CLI would have, without starting it. */
export async function resolveSettings(request: SettingsRequest): Promise<ResolvedSettings> {
  const counting = fileOrder.filter((source) => request.fileSources.includes(source));
  const [files, { policy, isWhole }] = await Promise.all([
    Promise.all(counting.map(async (source) => await fileSource(source, request))),
    policyFrom({
      folder: request.policyFolder ?? policyFolderOf(request.platform),
      ofServer: request.policyOfServer,
      ofProgram: request.policyOfProgram,
    }),
  ]);
  const managed: readonly SourceOfSettings[] =
    policy === undefined ? [] : [{ source: 'managed', settings: policy.settings, policyOrigin: policy.origin }];
  const sources = [...files.filter((file) => file !== undefined), ...managed];
  return { ...joined(sources), sources, machinePolicy: { didNotLoad: unread(request.platform, isWhole) } };
}

async function fileSource(
  source: FileSource,
  { cwd, configDir }: SettingsRequest,
): Promise<SourceOfSettings | undefined> {
  const file = {
    user: path.join(configDir, 'settings.json'),
    project: path.join(cwd, '.claude', 'settings.json'),
    local: path.join(cwd, '.claude', 'settings.local.json'),
  }[source];
  const content = await contentOf(file);
  const settings = content.kind === 'value' ? readSettings(content.value, 'person') : undefined;
  if (settings === undefined || Object.keys(settings).length === 0) return undefined;
  return { source, settings, path: file };
}

function joined(sources: readonly SourceOfSettings[]): Pick<ResolvedSettings, 'effective' | 'provenance'> {
  let effective: Settings = {};
  const provenance: { [key: string]: Omit<SourceOfSettings, 'settings'> } = {};
  for (const { settings, ...origin } of sources) {
    effective = mergeSettings(effective, settings, origin.source === 'managed' ? policyReplaces : undefined);
    for (const [key, value] of Object.entries(settings)) if (value !== undefined) provenance[key] = origin;
  }
  return { effective, provenance };
}

function policyFolderOf(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode';
  return platform === 'win32' ? String.raw`C:\Program Files\ClaudeCode` : '/etc/claude-code';
}

/** The kinds of policies that were not read, such as those that macOS and Windows keep elsewhere: a program may depend on them. */
function unread(platform: NodeJS.Platform, isWhole: boolean): ResolvedSettings['machinePolicy']['didNotLoad'] {
  const kinds: ('profile' | 'registry' | 'file')[] = [];
  if (platform === 'darwin') kinds.push('profile');
  if (platform === 'win32') kinds.push('registry');
  if (!isWhole) kinds.push('file');
  return kinds.length === 0 ? false : kinds;
}
