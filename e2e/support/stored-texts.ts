import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stage } from './stage.ts';

export interface StoredEntry {
  readonly uuid?: string;
  /** Other messages that the agent answered with this one. */
  readonly mergedSendUuids?: readonly string[];
  /** A message that was folded into a turn is one. */
  readonly attachment?: { readonly source_uuid?: string };
  readonly type?: string;
  readonly isMeta?: boolean;
  readonly message?: { readonly content?: unknown };
}

/** The texts of all messages that people wrote, as the transcripts of a place have them; or the blocks of another type. */
export async function storedTexts(place: Pick<Stage, 'home'>, type = 'text'): Promise<readonly string[]> {
  const entries = await storedEntries(place);
  if (type !== 'text') return entries.flatMap(({ message }) => textsOf(message?.content, type));
  return entries
    .filter((entry) => entry.type === 'user' && entry.isMeta !== true)
    .flatMap(({ message }) => textsOf(message?.content, type));
}

function textsOf(content: unknown, type: string): readonly string[] {
  if (typeof content === 'string') return type === 'text' ? [content] : [];
  if (!Array.isArray(content)) return [];
  const blocks: readonly { readonly type?: string; readonly text?: string }[] = content;
  return blocks.filter((block) => block.type === type).map((block) => block.text ?? JSON.stringify(block));
}

/** Everything that the transcripts of a place have. */
export async function storedEntries({ home }: Pick<Stage, 'home'>): Promise<readonly StoredEntry[]> {
  const folder = join(home.home, '.claude/projects');
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const texts = await Promise.all(
    files.filter((file) => file.endsWith('.jsonl')).map((file) => readFile(join(folder, file), 'utf8')),
  );
  // The last line may be half written.
  return texts.flatMap((all) => all.split('\n').slice(0, -1)).map((line) => JSON.parse(line) as StoredEntry);
}
