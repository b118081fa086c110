import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, truncate, appendFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mostBytes, OutputFile } from '../src/tool-output/output-file.ts';
import { callIn } from '../src/tool-output/writers.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexagent-output-'));
  path = join(folder, 'b1.output');
});

afterEach(() => rm(folder, { recursive: true }));

async function opened(content: string | Uint8Array): Promise<OutputFile> {
  await writeFile(path, content);
  const file = await OutputFile.open(path);
  if (file === undefined) throw new Error('It was not opened.');
  return file;
}

describe('The file that a command writes to', () => {
  it('is read once, also when it was removed', async () => {
    const file = await opened('one');
    expect(await file.read()).toEqual({ text: 'one', skippedBytes: 0, totalBytes: 3 });
    expect(await file.read()).toBeUndefined();
    await appendFile(path, 'two');
    await rm(path);
    expect(await file.read()).toEqual({ text: 'two', skippedBytes: 0, totalBytes: 6 });
    await file.close();
  });

  it('keeps a character together that is written in two pieces', async () => {
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
    const file = await opened(first);
    expect(await file.read()).toMatchObject({ text: '' });
    await appendFile(path, second);
    expect(await file.read()).toMatchObject({ text: 'é' });
    await file.close();
  });

  it('is read at its end where too much was written, from the beginning of a character', async () => {
    const file = await opened('é'.repeat(mostBytes) + 'x');
    expect(await file.read()).toEqual({
      text: `${'é'.repeat(mostBytes / 2 - 1)}x`,
      skippedBytes: mostBytes + 2,
      totalBytes: 2 * mostBytes + 1,
    });
    await file.close();
  });

  it('has nothing new when it becomes shorter', async () => {
    const file = await opened('long');
    await file.read();
    await truncate(path, 1);
    expect(await file.read()).toBeUndefined();
    await file.close();
  });

  it('is no link, no pipe, and has to be there', async () => {
    expect(await OutputFile.open(path)).toBeUndefined();
    await symlink('/etc/passwd', path);
    expect(await OutputFile.open(path)).toBeUndefined();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await OutputFile.open(pipe)).toBeUndefined();
  });
});

describe('The call whose command writes a file', () => {
  const call = (id: string, command: string) => ({ id, parent: null, command });

  it('is the one with the longest command that a process has, quotes aside', () => {
    const calls = [call('1', 'sleep 1'), call('2', `echo 'a'; sleep 1`), call('3', 'other')];
    const lines = [`/bin/bash\0-c\0eval 'echo '"'"'a'"'"'; sleep 1' < /dev/null`, 'sleep\u00001'];
    expect(callIn(lines, calls)?.id).toBe('2');
  });

  it('is not known for equal commands, and where no process has it', () => {
    const calls = [call('1', 'sleep 1'), call('2', 'sleep 1')];
    expect(callIn(['sleep 1'], calls)).toBeUndefined();
    expect(callIn(['node'], calls)).toBeUndefined();
  });
});
