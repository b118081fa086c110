import type { SettingSource } from './common.ts';
import type { Settings } from './settings.ts';

export type ResolvedSettingSource = SettingSource | 'managed' | 'flag';

/** Which kind of policy a managed setting is of. */
export type PolicySettingsOrigin = 'helper' | 'remote' | 'plist' | 'hklm' | 'file' | 'parent' | 'hkcu';

/** Where a setting came from. */
export type ProvenanceEntry = { source: ResolvedSettingSource; path?: string; policyOrigin?: PolicySettingsOrigin };

/** The settings of all sources, joined. */
export type ResolvedSettings = {
  effective: Settings;
  provenance: Partial<Record<keyof Settings, ProvenanceEntry>>;
  sources: Array<{
    source: ResolvedSettingSource;
    settings: Settings;
    path?: string;
    policyOrigin?: PolicySettingsOrigin;
  }>;
  machinePolicy?: { didNotLoad: false | Array<'profile' | 'registry' | 'file'> };
};

export type ResolveSettingsOptions = {
  cwd?: string;
  settingSources?: SettingSource[];
  managedSettings?: Settings;
  serverManagedSettings?: Settings;
};

/** A settings file, or a part of one, that could not be read. */
export type SDKSettingsParseError = { file?: string; path: string; message: string };

/** Which of some models a list denies, in their order. */
export type DeniedModelsMatch = { denied: boolean[]; warnings: string[] };
