import type { ResolvedSettings, ResolvedSettingSource } from './types/resolved-settings.ts';
import type { Settings } from './types/settings.ts';

/** Modes in which calls run that no person approved, and the settings files that may not set them. */
const untrusted: ReadonlyMap<unknown, readonly ResolvedSettingSource[]> = new Map([
  ['bypassPermissions', ['project', 'local']],
  ['auto', ['project', 'local']],
  // The local file is written by the person who works there.
  ['acceptEdits', ['project']],
]);

/**
 * The settings as the agent follows them: without a `permissions.defaultMode` that lets more run, where a file of the
 * project has set it.
 */
export function filterEscalatingDefaultMode({ effective, sources }: ResolvedSettings): Settings {
  const { permissions } = effective;
  const refused = untrusted.get(permissions?.defaultMode) ?? [];
  const setter = sources.findLast(({ settings }) => settings.permissions?.defaultMode !== undefined);
  if (setter === undefined || !refused.includes(setter.source)) return effective;
  const { defaultMode: _, ...kept } = permissions ?? {};
  return { ...effective, permissions: kept };
}
