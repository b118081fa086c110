import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
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

/** For the page, transcripts and records of a first conversation, with some to spare. */
const neededBytes = 8_000_000;

/** @throws {Error} when the folder cannot be used, or no scripted model can be reached. */
export async function openPlace({ live, folder }: PlaceOptions): Promise<Place> {
  const root = await openRoot(folder);
  const remove = async (): Promise<void> => {
    if (folder === undefined) await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  try {
    return await openPlaceIn(root, { live, remove });
  } catch (error) {
    await remove();
    throw error;
  }
}

async function openPlaceIn(
  root: string,
  { live, remove }: { readonly live: boolean; readonly remove: () => Promise<void> },
): Promise<Place> {
  const [work, state, page, home, tmp] = ['work', 'state', 'page', 'home', 'tmp'].map((name) =>
    path.join(root, name),
  ) as [work: string, state: string, page: string, home: string, tmp: string]; // as many as there are names
  await Promise.all([work, state, home, tmp].map((each) => mkdir(each, { recursive: true })));
  // Conversations in a folder that stays continue with ids that were not there before.
  const loopback = live ? undefined : await startLoopback(answer, { name: randomUUID() });
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
      await remove();
    },
  };
}

/** The folder for everything, with room for it. */
async function openRoot(folder: string | undefined): Promise<string> {
  let root = folder;
  try {
    // Without `recursive`, with which Node tries for ever below /proc.
    if (folder !== undefined && !existsSync(folder)) await mkdir(folder);
    // Resolved, since the CLI names its transcripts by real paths.
    root = await realpath(folder ?? (await mkdtemp(path.join(tmpdir(), 'hexagent-chat-'))));
    const room = path.join(root, 'room');
    try {
      await writeFile(room, new Uint8Array(neededBytes));
    } finally {
      await rm(room, { force: true });
    }
    return root;
  } catch (cause) {
    if (folder === undefined && root !== undefined) await rm(root, { recursive: true, force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    const problem =
      folder === undefined
        ? `The temporary folder ${tmpdir()} cannot be used (${reason}). Make room for 8 MB there, or set TMPDIR to another one.`
        : `--folder ${folder} cannot be used (${reason}). Name a folder to write to, with 8 MB of room; it is made in one that exists.`;
    throw new Error(problem, { cause });
  }
}
