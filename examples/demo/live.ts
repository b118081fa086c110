import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stage } from './offline.ts';

/** The real CLI with the person's own login or key, in an empty folder. */
export async function live(): Promise<Stage> {
  const cwd = await mkdtemp(join(tmpdir(), 'hexagent-demo-'));
  return {
    title: 'Live: your own login or key is used, and what it costs is yours.',
    cwd,
    env: {},
    prompts: [
      'Write the words "hello from an agent" into a file called note.txt, with a shell command.',
      'Now fetch https://example.com and tell me its title. If you are not allowed to, just say so.',
    ],
    end: () => rm(cwd, { recursive: true, force: true }),
  };
}
