import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectFolder, TranscriptFolder } from '../src/index.ts';

/** A CLI's folder for one test. */
export class Place implements Disposable {
  readonly root: string = realpathSync(mkdtempSync(path.join(tmpdir(), 'hexagent-transcripts-')));
  readonly transcripts: TranscriptFolder;

  constructor() {
    this.transcripts = new TranscriptFolder({
      configDir: path.join(this.root, 'config'),
      ids: { uuid: () => crypto.randomUUID() },
    });
  }

  /** A folder to work in. */
  dir(name: string): string {
    const dir = path.join(this.root, name);
    mkdirSync(dir, { recursive: true });
    return dir;
  }

  /** Where the sessions of a directory are. */
  folder(dir: string): string {
    return path.join(this.root, 'config', 'projects', projectFolder(dir));
  }

  /** Stores a session, and returns its file. */
  store(dir: string, sessionId: string, content: string | Buffer, modified = 1000): string {
    return this.write(path.join(this.folder(dir), `${sessionId}.jsonl`), content, modified);
  }

  write(file: string, content: string | Buffer, modified = 1000): string {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, modified, modified);
    return file;
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** An id of a session that is made of one digit. */
export const id = (digit: number | string): string => '00000000-0000-4000-8000-00000000000'.concat(String(digit));

export const line = (entry: unknown): string => `${JSON.stringify(entry)}\n`;
