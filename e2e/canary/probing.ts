import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { FaceOutcome, VersionOutcome } from './versions.ts';

/** What both faces have of these things, or of all, with one version of the CLI, in a process that finds this one alone. */
export async function outcomeWith(cli: string, version: string, only: readonly string[] = []): Promise<VersionOutcome> {
  const probe = fileURLToPath(new URL('probe.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@hexagent/source', probe, ...only], {
    env: { ...process.env, CLAUDE_CODE_PATH: cli },
    maxBuffer: 2 ** 26,
  });
  const { native, dropIn } = JSON.parse(stdout) as Record<'native' | 'dropIn', FaceOutcome>; // as the probe prints it
  return { version, native, dropIn };
}

/** What does not work, on either face. */
export const lackingWith = ({ native, dropIn }: VersionOutcome): readonly string[] => [
  ...Object.entries(native.lacking).map(([name, why]) => `native, ${name}: ${why}`),
  ...Object.entries(dropIn.lacking).map(([name, why]) => `drop-in, ${name}: ${why}`),
];
