import { hasCode } from '@hexagent/checks';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/** What is in a file: nothing, since there is none or it is empty; something that cannot be read; or a value. */
export type FileContent =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'value'; value: unknown };

export async function contentOf(file: string): Promise<FileContent> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return { kind: hasCode(error, 'ENOENT', 'ENOTDIR') ? 'nothing' : 'broken' };
  }
  // Some editors begin a file with a mark of its encoding.
  const json = text.startsWith('\u{feff}') ? text.slice(1) : text;
  if (json.trim() === '') return { kind: 'nothing' };
  try {
    return { kind: 'value', value: JSON.parse(json) as unknown };
  } catch {
    return { kind: 'broken' };
  }
}

/** The files of a folder of additions, in their order; the hidden ones do not count. */
export async function additionsIn(folder: string): Promise<readonly string[]> {
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch {
    return [];
  }
  const counting = names.filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  return counting.toSorted().map((name) => path.join(folder, name));
}
