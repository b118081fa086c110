import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SignalFiles } from '../src/index.ts';
import { place } from './place.ts';

describe('Signals in files', () => {
  it('take no more room, however many are sent', async () => {
    await using here = await place();
    const signals = new SignalFiles({ ...here, compactAfterBytes: 10_000 });
    for (let number = 0; number < 1000; number += 1) signals.send({ session: `session ${number}`, kind: 'wake' });
    await signals.close();
    const again = new SignalFiles({ ...here, compactAfterBytes: 10_000 });
    again.send({ session: 'the last one', kind: 'wake' });
    await again.close();
    const folder = join(here.folder, 'signals');
    const names = await readdir(folder);
    expect(names).toHaveLength(1);
    expect((await stat(join(folder, names[0] ?? ''))).size).toBeLessThan(10_000);
  });

  it('that were sent before are not given to those who come later', async () => {
    await using here = await place();
    const [before, later] = [new SignalFiles(here), new SignalFiles(here)];
    before.send({ session: 'old', kind: 'wake' });
    await before.close();
    const received: string[] = [];
    const heard = Promise.withResolvers<void>();
    later.subscribe(({ session }) => {
      received.push(session);
      heard.resolve();
    });
    const sender = new SignalFiles(here);
    const again = setInterval(() => sender.send({ session: 'new', kind: 'wake' }), 10);
    await heard.promise;
    clearInterval(again);
    await Promise.all([later.close(), sender.close()]);
    expect(new Set(received)).toEqual(new Set(['new']));
  });

  it('are lost without an error where the folder cannot be made, and once they are closed', async () => {
    await using here = await place();
    await writeFile(join(here.folder, 'file'), '');
    const signals = new SignalFiles({ folder: join(here.folder, 'file') });
    const stop = signals.subscribe(() => {});
    signals.send({ session: 'a', kind: 'wake' });
    stop();
    await signals.close();
    signals.send({ session: 'a', kind: 'wake' });
    expect(await readdir(here.folder)).toEqual(['file']);
  });
});
