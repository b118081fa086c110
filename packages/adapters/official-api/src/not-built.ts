import { notYet } from './not-yet.ts';
import type { ResolvedSettings, ResolveSettingsOptions } from './types/resolved-settings.ts';

/*
 * What is not built yet. Each name exists, because a module that imports a missing one does not load at all, and each
 * rejects or throws `NOT_SUPPORTED_YET` with its name when it is called.
 */

const refused = (name: string): Promise<never> => Promise.reject(notYet(`\`${name}()\``));

/** Not supported yet: rejects with `NOT_SUPPORTED_YET`. */
export function resolveSettings(_options?: ResolveSettingsOptions): Promise<ResolvedSettings> {
  return refused('resolveSettings');
}
