import { createRequire } from 'node:module';

/** The file that is loaded for a package which is not installed with this one, by the first of the files that finds it. */
export function installedFile(name: string, from: readonly string[]): string | undefined {
  for (const file of from) {
    try {
      return createRequire(file).resolve(name);
    } catch {
      // The next one.
    }
  }
  return undefined;
}
