import { readFileSync } from 'node:fs';

/** What one face has with one version of the CLI. */
export interface FaceOutcome {
  readonly tried: number;
  /** What does not work, with the reason. */
  readonly lacking: Readonly<Record<string, string>>;
}

export interface VersionOutcome {
  /** Of the CLI. */
  readonly version: string;
  readonly native: FaceOutcome;
  readonly dropIn: FaceOutcome;
}

export const file = new URL('versions.json', import.meta.url);

/** What the last run of `pnpm canary --versions` found, the newest version first. */
export const readVersions = (): readonly VersionOutcome[] => JSON.parse(readFileSync(file, 'utf8'));
