import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SessionOptions } from '@hexagent/sdk';
import { hermeticEnv } from '@hexagent/testing/cli';
import { startLoopback } from '@hexagent/testing/loopback';
import { answer } from './script.ts';

/** Where agents work, and where transcripts are kept. */
export interface Place {
  readonly work: string;
  /** For the records of the server. */
  readonly state: string;
  readonly page: string;
  /** How an agent is started here. */
  readonly session: Pick<SessionOptions, 'cwd' | 'env' | 'settings'>;
  close(): Promise<void>;
}

interface PlaceOptions {
  readonly live: boolean;
  /** Stays when it is given; a temporary one is removed at the end. */
  readonly folder: string | undefined;
}

export async function openPlace({ live, folder }: PlaceOptions): Promise<Place> {
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  // Resolved, since the CLI names its transcripts by real paths.
  const root =
    folder === undefined
      ? await mkdtemp(path.join(await realpath(tmpdir()), 'hexagent-chat-'))
      : await realpath(folder);
  const [work, state, page, home, tmp] = ['work', 'state', 'page', 'home', 'tmp'].map((name) =>
    path.join(root, name),
  ) as [work: string, state: string, page: string, home: string, tmp: string]; // as many as there are names
  await Promise.all([work, state, home, tmp].map((each) => mkdir(each, { recursive: true })));
  const loopback = live ? undefined : await startLoopback(answer);
  const env = loopback && ({ policy: 'exact', set: hermeticEnv({ loopback, home: { home, tmp } }) } as const);
  // A kept rule is written to the local settings. A person's own have what their login needs, such as `apiKeyHelper`.
  const settings = live ? (['user', 'local'] as const) : (['local'] as const);
  return {
    work,
    state,
    page,
    session: { cwd: work, settings, ...(env && { env }) },
    async close() {
      await loopback?.close();
      if (folder === undefined) await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
