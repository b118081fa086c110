import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Ids, SessionTranscript, Transcripts, TranscriptScope } from '@hexagent/ports';
import { hasCode } from '@hexagent/checks';
import { projectFolder } from './project-folder.ts';
import { SessionFile } from './session-file.ts';
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

/**
 * The CLI's folder of transcripts: a folder for each directory in which it worked, a file for each session. Folders are read
 * synchronously: to hand one to another thread and back takes longer than reading it.
 */
export class TranscriptFolder implements Transcripts {
  readonly #projects: string;
  readonly #ids: Pick<Ids, 'uuid'>;

  constructor({ configDir, ids }: TranscriptFolderOptions) {
    this.#projects = path.join(configDir, 'projects');
    this.#ids = ids;
  }

  async list(scope: TranscriptScope): Promise<readonly SessionTranscript[]> {
    const found: SessionFile[] = [];
    for (const place of this.#placesOf(scope)) {
      await setImmediate(); // lets others run
      this.#addSessionsIn(place, found);
    }
    const newest = new Map<string, SessionFile>();
    for (const session of found.toSorted(byTime)) {
      if (!newest.has(session.sessionId)) newest.set(session.sessionId, session);
    }
    return [...newest.values()];
  }

  async find(sessionId: string, scope: TranscriptScope): Promise<SessionTranscript | undefined> {
    // A path is made of the id only if it is one.
    if (typeof sessionId !== 'string' || !sessionFile.test(`${sessionId}.jsonl`)) return undefined;
    const found = this.#placesOf(scope).map((place) => this.#session(sessionId, place));
    return found.filter((session) => session !== undefined).toSorted(byTime)[0];
  }

  #placesOf({ dir, includeWorktrees = true }: TranscriptScope): readonly Place[] {
    if (dir === undefined) return listNames(this.#projects).map((name) => this.#place(name, undefined));
    const real = realPathOf(dir);
    const dirs = new Set([real, ...(includeWorktrees ? worktreesOf(real) : [])]);
    return [...dirs].map((each) => this.#place(projectFolder(each), each));
  }

  #place(name: string, dir: string | undefined): Place {
    return { folder: path.join(this.#projects, name), dir };
  }

  #addSessionsIn(place: Place, found: SessionFile[]): void {
    const names = new Set(listNames(place.folder));
    for (const name of names) {
      const id = sessionFile.exec(name)?.[1];
      if (id === undefined) continue;
      // What is beside a session has its name: where that is missing, a list need not check for it.
      const session = this.#session(id, place, names.has(id));
      if (session !== undefined) found.push(session);
    }
  }

  /** An empty file is what a session leaves that was never written. */
  #session(sessionId: string, { folder, dir }: Place, hasFolder?: boolean): SessionFile | undefined {
    // Joined once for each folder: a path takes longer to make than to check.
    const found = ifThere(() => statSync(`${folder}${path.sep}${sessionId}.jsonl`, { throwIfNoEntry: false }));
    if (found === undefined || !found.isFile() || found.size === 0) return undefined;
    const lastModified = Math.round(found.mtimeMs);
    return new SessionFile({ folder, dir, sessionId, lastModified, fileSize: found.size, hasFolder, ids: this.#ids });
  }
}

function byTime(one: SessionFile, other: SessionFile): number {
  return other.lastModified - one.lastModified || (one.sessionId < other.sessionId ? 1 : -1);
}

/** The CLI stores by the path that the system gives it, in which no part is a link. */
function realPathOf(dir: string): string {
  const whole = path.resolve(dir);
  return ifThere(() => realpathSync.native(whole)) ?? whole;
}

const listNames = (folder: string): readonly string[] => ifThere(() => readdirSync(folder)) ?? [];

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    return whenMissing(error);
  }
}

/** A folder that this user may not read does not prevent a list of the others. */
function whenMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EACCES', 'EPERM')) throw error;
}
