import { readFile } from 'node:fs/promises';

/** A recorded frame. Its fields depend on its `type`; some were sent malformed on purpose. */
export interface RecordedFrame {
  readonly type?: string;
  readonly subtype?: string;
  readonly [field: string]: unknown;
}

export interface RecordedEntry {
  /** `in`: to the CLI, `out`: from it, `meta`: notes of the recorder. */
  readonly dir: 'in' | 'out' | 'meta';
  /** Milliseconds since the start. */
  readonly t: number;
  readonly frame: RecordedFrame;
}

/** Which side of the wire a recording is used for; `corpus`: none. */
export type Use = 'both' | 'cli-side' | 'sdk-side' | 'corpus';

export interface Recording {
  readonly name: string;
  readonly use: Use;
  readonly entries: readonly RecordedEntry[];
}

export interface Listed {
  readonly name: string;
  readonly use: Use;
  readonly folder: URL;
}

/** `transcripts` describe the protocol; `own` were recorded for this repository, for cases that those lack. */
const folders = [
  new URL('../../fixtures/transcripts/', import.meta.url),
  new URL('../../fixtures/own/', import.meta.url),
];

/** All recordings, as their manifests list them. */
export async function listRecordings(): Promise<readonly Listed[]> {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      // Data of this repository, in the form its manifests have.
      const manifest = JSON.parse(await readFile(new URL('manifest.json', folder), 'utf8')) as {
        readonly recordings: readonly { readonly file: string; readonly use: Use }[];
      };
      return manifest.recordings.map(({ file, use }) => ({ name: file.replace(/\.jsonl$/, ''), use, folder }));
    }),
  );
  return lists.flat();
}

export async function loadRecording(name: string): Promise<Recording> {
  const listed = (await listRecordings()).find((one) => one.name === name);
  if (listed === undefined) throw new TypeError(`There is no recording ${name}.`);
  const text = await readFile(new URL(`${name}.jsonl`, listed.folder), 'utf8');
  const entries = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedEntry);
  return { name, use: listed.use, entries };
}

/** What the CLI wrote, in order. */
export function framesFrom({ entries }: Recording): readonly RecordedFrame[] {
  return entries.filter(({ dir }) => dir === 'out').map(({ frame }) => frame);
}
