import type { ResolvedSettings, ResolveSettingsOptions } from '@hexagent/official-api/official';

/**
 * The settings that an agent would read, joined, and where each is from. Nothing is started. A mode that is set in
 * `permissions.defaultMode` is reported from every source: see `filterEscalatingDefaultMode()`.
 * @throws {TypeError} for an invalid option
 */
export async function resolveSettings(options: ResolveSettingsOptions = {}): Promise<ResolvedSettings> {
  const { resolveOwnSettings } = await import('./compose-settings.ts');
  return await resolveOwnSettings(options);
}
