import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sdks, type Sdk, type Side } from './sdks.ts';

export const sessionId = '21d6f40c-fb51-4982-8442-4e0e250a9557';
/** A uuid that is made of a name, so that what was planted is recognised. */
export const uuidOf = (name: string): string =>
  `00000000-0000-4000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`;

/** A CLI's folder of transcripts for one comparison, and copies of it: one for each package. */
export class StoredPlace implements Disposable {
  readonly root: string = realpathSync(mkdtempSync(path.join(tmpdir(), 'hexagent-stored-')));
  readonly config: string = path.join(this.root, 'config');

  plant(folder: string, file: string, content: string | Buffer): string {
    const planted = path.join(this.config, 'projects', folder, file);
    mkdirSync(path.dirname(planted), { recursive: true });
    writeFileSync(planted, content);
    return planted;
  }

  /** Runs a program with one package on a copy of the folder, which no other test sees. */
  async run<T>(side: Side, program: (sdk: Sdk, config: string) => Promise<T>): Promise<Ended<T>> {
    const copy = path.join(this.root, side);
    rmSync(copy, { recursive: true, force: true });
    cpSync(this.config, copy, { recursive: true, preserveTimestamps: true });
    const before = process.env['CLAUDE_CONFIG_DIR'];
    process.env['CLAUDE_CONFIG_DIR'] = copy;
    try {
      return { value: await program(await sdks[side](), copy) };
    } catch (error) {
      return { threw: error };
    } finally {
      if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR'];
      else process.env['CLAUDE_CONFIG_DIR'] = before;
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export type Ended<T> = { readonly value: T } | { readonly threw: unknown };

/** What a function gave; of what it threw only that it did, since the words are each package's own. */
export const comparable = (ended: Ended<unknown>): unknown => ('threw' in ended ? 'threw' : ended.value);

/** All files of a folder with what is in them. Names and uuids that were made up are numbered as they come, after the given ones. */
export function filesIn(folder: string, known: readonly string[] = []): readonly string[] {
  const made = new Map<string, string>(known.map((id, index) => [id, `known-${index}`]));
  const normal = (text: string): string =>
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (uuid) => {
        if (uuid === sessionId || uuid.startsWith('00000000-')) return uuid;
        if (!made.has(uuid)) made.set(uuid, `made-${made.size}`);
        return made.get(uuid) ?? '';
      })
      .replaceAll(/20(?:2[6-9]|[3-9]\d)-[\d-]+T[\d:.]+Z/g, 'now');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    // What was there before comes first, so that what was made is numbered alike.
    .toSorted(
      (a, b) => Number(b.includes(sessionId)) - Number(a.includes(sessionId)) || (normal(a) < normal(b) ? -1 : 1),
    );
  return names.flatMap((name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').split('\n').map(sortedKeys).map(normal);
    return [normal(name), ...lines];
  });
}

function sortedKeys(line: string): string {
  try {
    const sorted = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, field]) => [key, sorted(field)]),
          );
    return JSON.stringify(sorted(JSON.parse(line)));
  } catch {
    return line;
  }
}
