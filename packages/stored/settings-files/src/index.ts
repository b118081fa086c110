export { resolveSettings } from './resolve-settings.ts';
export type {
  FileSource,
  ResolvedSettings,
  SettingsRequest,
  SettingsSource,
  SourceOfSettings,
} from './resolve-settings.ts';
export type { PolicyOrigin } from './policy.ts';
export type { Settings } from './read-settings.ts';
