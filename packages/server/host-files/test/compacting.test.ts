import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fold } from '../src/fold.ts';
import { SharedJournal } from '../src/shared-journal.ts';
import { place } from './place.ts';

interface Change {
  readonly text: string;
}

/** Collects texts. Its snapshot fails where a text may not be in it. */
class Texts implements Fold<Change, number> {
  readonly list: string[] = [];
  unwritable: string | undefined;
  apply({ text }: Change): number {
    return this.list.push(text);
  }
  reset(): void {
    this.list.length = 0;
  }
  *snapshot(): Iterable<Change> {
    for (const text of this.list) {
      if (text === this.unwritable) throw new Error('The snapshot failed.');
      yield { text };
    }
  }
}

describe('A journal', () => {
  it('is not sealed where its snapshot cannot be written', async () => {
    await using here = await place();
    const [fold, other] = [new Texts(), new Texts()];
    fold.unwritable = 'a';
    const journal = new SharedJournal({ ...here, fold, compactAfterBytes: 100 });
    for (const text of ['a', 'b', 'c', 'd']) await journal.append({ text });
    expect(await readdir(here.folder)).toEqual(['00000001.v1.jsonl']);
    const again = new SharedJournal({ ...here, fold: other, compactAfterBytes: 1e6 });
    expect(await again.append({ text: 'e' })).toBe(5);
    await journal.refresh();
    expect(fold.list).toEqual(['a', 'b', 'c', 'd', 'e']);
    fold.unwritable = undefined;
    await journal.append({ text: 'f' });
    expect(await readdir(here.folder)).toEqual(['00000002.v1.jsonl']);
    await again.refresh();
    expect(other.list).toEqual(fold.list);
    await Promise.all([journal.close(), again.close()]);
  });

  it('removes a snapshot that was begun long ago and not finished, and no other', async () => {
    await using here = await place();
    const journal = new SharedJournal({ ...here, fold: new Texts(), compactAfterBytes: 1 });
    const [old, young] = ['old', 'young'].map((name) => `00000002.v1.jsonl.${name}.tmp`) as [string, string]; // two names
    for (const name of [old, young]) await writeFile(join(here.folder, name), 'the half of a fi');
    await utimes(join(here.folder, old), 1, 1);
    await journal.append({ text: 'a' });
    expect(await readdir(here.folder)).toEqual(['00000002.v1.jsonl', young]);
    await journal.close();
  });
});
