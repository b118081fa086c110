import { hasCode, isRecord } from '@hexagent/checks';
import { mkdir, readdir, readFile, rm, unlink } from 'node:fs/promises';
import path from 'node:path';
import type {
  ArchiveMark,
  EntryIndex,
  Ids,
  Outline,
  OutlineRequest,
  SessionTranscript,
  SubagentTranscript,
  TranscriptEntry,
  TranscriptPart,
} from '@hexagent/ports';
import { outlineOfFile } from './file-outline.ts';
import { projectFolder } from './project-folder.ts';
import { TranscriptFile } from './transcript-file.ts';
import { addFile, appendLines, replaceFile, toLines } from './writing.ts';

export interface SessionFileOptions {
  /** The folder of the project. */
  readonly folder: string;
  readonly sessionId: string;
  readonly lastModified: number;
  readonly fileSize: number;
  /** The directory that was asked for, where one was. */
  readonly dir: string | undefined;
  /** Whether anything is kept beside it; `undefined` where it was not checked. */
  readonly hasFolder?: boolean | undefined;
  /** Makes unique names of temporary files. */
  readonly ids: Pick<Ids, 'uuid'>;
}

const subagentFile = /^agent-(.+)\.jsonl$/;

/** A session in the CLI's folder: a file, and a folder of the same name with what belongs to it. */
export class SessionFile implements SessionTranscript {
  readonly sessionId: string;
  readonly lastModified: number;
  readonly fileSize: number;
  readonly dir: string | undefined;
  readonly #folder: string;
  readonly #ids: Pick<Ids, 'uuid'>;
  #mayHaveFolder: boolean;

  constructor({ folder, sessionId, lastModified, fileSize, dir, hasFolder = true, ids }: SessionFileOptions) {
    this.sessionId = sessionId;
    this.lastModified = lastModified;
    this.fileSize = fileSize;
    this.dir = dir;
    this.#folder = folder;
    this.#ids = ids;
    this.#mayHaveFolder = hasFolder;
  }

  index(): Promise<EntryIndex> {
    return new TranscriptFile(this.#path).index();
  }

  entries(): AsyncIterable<readonly TranscriptEntry[]> {
    return new TranscriptFile(this.#path).entries();
  }

  /** Names of folders are lossy: another directory whose sessions are stored in the same folder is recognised by its path. */
  belongsTo(cwd: string): boolean {
    return this.dir === undefined || cwd === this.dir || projectFolder(cwd) !== path.basename(this.#folder);
  }

  /** Empty for a file that was deleted meanwhile, or cannot be read by this user, so that the others are still listed. */
  async outline(request: OutlineRequest): Promise<Outline> {
    try {
      return await outlineOfFile(this.#path, this.fileSize, request);
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'EACCES', 'EPERM')) return { first: [], newest: [] };
      throw error;
    }
  }

  async archiveMark(): Promise<ArchiveMark | undefined> {
    if (!this.#mayHaveFolder) return undefined;
    const mark = await readJson(this.#beside('archived.json'));
    const { archived, at } = mark;
    const time = typeof at === 'string' ? Date.parse(at) : NaN;
    if (typeof archived !== 'boolean' || Number.isNaN(time)) return undefined;
    return { isArchived: archived, at: time };
  }

  async markArchived(isArchived: boolean): Promise<void> {
    this.#mayHaveFolder = true;
    await mkdir(this.#beside(), { recursive: true, mode: 0o700 });
    const mark = JSON.stringify({ archived: isArchived, at: new Date().toISOString(), by: 'sdk' });
    await replaceFile(this.#beside('archived.json'), mark, this.#ids.uuid());
  }

  async subagents(): Promise<readonly string[]> {
    return [...(await this.#subagentFiles()).keys()];
  }

  async subagent(agentId: string): Promise<SubagentTranscript | undefined> {
    const file = (await this.#subagentFiles()).get(agentId);
    if (file === undefined) return undefined;
    const { parentAgentId, toolUseId } = await readJson(file.replace(/\.jsonl$/, '.meta.json'));
    const transcript = new TranscriptFile(file);
    return {
      agentId,
      parentAgentId: typeof parentAgentId === 'string' ? parentAgentId : undefined,
      toolUseId: typeof toolUseId === 'string' ? toolUseId : undefined,
      index: () => transcript.index(),
      entries: () => transcript.entries(),
    };
  }

  /** Found by listing, never by making a path of an id: so no id leads out of the folder. */
  async #subagentFiles(): Promise<ReadonlyMap<string, string>> {
    const files = new Map<string, string>();
    const pending = [this.#beside('subagents')];
    for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
      for (const entry of (await listed(folder)).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        const file = path.join(folder, entry.name);
        const id = subagentFile.exec(entry.name)?.[1];
        if (entry.isDirectory()) pending.push(file);
        else if (entry.isFile() && id !== undefined && !files.has(id)) files.set(id, file);
      }
    }
    return files;
  }

  async *parts(): AsyncGenerator<TranscriptPart, void, undefined> {
    const beside = this.#beside();
    for (const file of await filesBelow(this.#beside('subagents'))) {
      if (!file.endsWith('.jsonl')) continue;
      const metadata = await readJson(file.replace(/\.jsonl$/, '.meta.json'));
      yield {
        subpath: path
          .relative(beside, file)
          .replace(/\.jsonl$/, '')
          .replaceAll(path.sep, '/'),
        transcript: new TranscriptFile(file),
        metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
      };
    }
  }

  append(entries: readonly TranscriptEntry[]): Promise<void> {
    return appendLines(this.#path, toLines(entries));
  }

  async addSession(sessionId: string, entries: AsyncIterable<readonly TranscriptEntry[]>): Promise<void> {
    await addFile(this.#pathOf(sessionId), linesOf(entries), this.#ids.uuid());
  }

  /** The folder is deleted first: if that fails, the rest is still a session, and can be deleted again. */
  async delete(): Promise<void> {
    await rm(this.#beside(), { recursive: true, force: true });
    await unlink(this.#path);
  }

  /** Made when it is needed: a list has thousands of sessions, and most of them are read once. */
  get #path(): string {
    return this.#pathOf(this.sessionId);
  }

  #pathOf(sessionId: string): string {
    return `${this.#folder}${path.sep}${sessionId}.jsonl`;
  }

  #beside(...names: readonly string[]): string {
    return path.join(this.#folder, this.sessionId, ...names);
  }
}

async function* linesOf(entries: AsyncIterable<readonly TranscriptEntry[]>): AsyncGenerator<string, void, undefined> {
  for await (const some of entries) yield toLines(some);
}

/** The content of a small file of the CLI; empty where it is missing or malformed. */
async function readJson(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isRecord(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return {};
    throw error;
  }
}

/** All files in a folder and in those within it, by name. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const entry of (await listed(folder)).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesBelow(file)));
    else if (entry.isFile()) files.push(file);
  }
  return files;
}

async function listed(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
