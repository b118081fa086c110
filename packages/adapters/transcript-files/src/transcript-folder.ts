import { statSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Ids, SessionTranscript, Transcripts, TranscriptScope } from '@hexagent/ports';
import { hasCode } from './has-code.ts';
import { projectFolder } from './project-folder.ts';
import { SessionFile } from './session-file.ts';
import { isTurnOver, takeTurns } from './take-turns.ts';
import { worktreesOf } from './worktrees.ts';

const sessionFile = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;

export interface TranscriptFolderOptions {
  /** The CLI's folder: `CLAUDE_CONFIG_DIR`, or `.claude` in the home. */
  readonly configDir: string;
  /** Makes unique names of temporary files. */
  readonly ids: Pick<Ids, 'uuid'>;
}

/** Where a project's sessions are stored, and for which directory they were asked for. */
interface Place {
  readonly folder: string;
  readonly dir: string | undefined;
}

/** The CLI's folder of transcripts: a folder for each directory in which it worked, a file for each session. */
export class TranscriptFolder implements Transcripts {
  readonly #projects: string;
  readonly #ids: Pick<Ids, 'uuid'>;

  constructor({ configDir, ids }: TranscriptFolderOptions) {
    this.#projects = path.join(configDir, 'projects');
    this.#ids = ids;
  }

  async list(scope: TranscriptScope): Promise<readonly SessionTranscript[]> {
    const places = await this.#placesOf(scope);
    const found = (await Promise.all(places.map((place) => this.#sessionsIn(place)))).flat();
    const newest = new Map<string, SessionFile>();
    for (const session of found.toSorted(byTime)) {
      if (!newest.has(session.sessionId)) newest.set(session.sessionId, session);
    }
    return [...newest.values()];
  }

  async find(sessionId: string, scope: TranscriptScope): Promise<SessionTranscript | undefined> {
    // A path is made of the id only if it is one.
    if (typeof sessionId !== 'string' || !sessionFile.test(`${sessionId}.jsonl`)) return undefined;
    const places = await this.#placesOf(scope);
    const found = places.map((place) => this.#session(sessionId, place));
    return found.filter((session) => session !== undefined).toSorted(byTime)[0];
  }

  async #placesOf({ dir, includeWorktrees = true }: TranscriptScope): Promise<readonly Place[]> {
    if (dir === undefined) return (await listNames(this.#projects)).map((name) => this.#place(name, undefined));
    const real = await realPathOf(dir);
    const dirs = new Set([real, ...(includeWorktrees ? await worktreesOf(real) : [])]);
    return [...dirs].map((each) => this.#place(projectFolder(each), each));
  }

  #place(name: string, dir: string | undefined): Place {
    return { folder: path.join(this.#projects, name), dir };
  }

  async #sessionsIn(place: Place): Promise<readonly SessionFile[]> {
    const names = new Set(await listNames(place.folder));
    const ids = [...names].flatMap((name) => sessionFile.exec(name)?.[1] ?? []);
    if (isTurnOver()) await takeTurns();
    // What is beside a session has its name: where that is missing, a list need not check for it.
    return ids.map((id) => this.#session(id, place, names.has(id))).filter((session) => session !== undefined);
  }

  /** An empty file is what a session leaves that was never written. Looked at at once, which takes a microsecond or two. */
  #session(sessionId: string, { folder, dir }: Place, hasFolder?: boolean): SessionFile | undefined {
    // Joined once for each folder: a path takes longer to make than to look at.
    const found = statOf(`${folder}${path.sep}${sessionId}.jsonl`);
    if (found === undefined || !found.isFile() || found.size === 0) return undefined;
    const lastModified = Math.round(found.mtimeMs);
    return new SessionFile({ folder, dir, sessionId, lastModified, fileSize: found.size, hasFolder, ids: this.#ids });
  }
}

function byTime(one: SessionFile, other: SessionFile): number {
  return other.lastModified - one.lastModified || (one.sessionId < other.sessionId ? 1 : -1);
}

/** The CLI stores by the path that the system gives it, in which no part is a link. */
async function realPathOf(dir: string): Promise<string> {
  const whole = path.resolve(dir);
  return (await ifThere(realpath(whole))) ?? whole;
}

const listNames = async (folder: string): Promise<readonly string[]> => (await ifThere(readdir(folder))) ?? [];

function statOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    return whenMissing(error);
  }
}

async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    return whenMissing(error);
  }
}

/** A folder that this user may not read does not prevent a list of the others. */
function whenMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM')) throw error;
}
