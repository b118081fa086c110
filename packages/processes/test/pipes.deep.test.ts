import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { drained } from '../src/draining.ts';
import { runProcess } from '../src/index.ts';
import { LineReader } from '../src/line-reader.ts';

describe('A line that is too long', () => {
  it('is an error at its reader also where there is no room for it, and never thrown where bytes arrive', async () => {
    const stdout = new PassThrough();
    const reader = new LineReader(stdout, { maxLineBytes: 1000 });
    const cause = new RangeError('Array buffer allocation failed');
    const fail = (): never => {
      throw cause;
    };
    // Whichever of these a reader makes a text with.
    const chunk = Object.assign(Buffer.from('a\n'), { toString: fail, subarray: fail });
    expect(() => stdout.emit('data', chunk)).not.toThrow();
    await expect(reader.frames.next()).rejects.toMatchObject({ code: 'LINE_TOO_LONG', cause });
  });
});

const running = (program: string) =>
  runProcess({
    program: { file: process.execPath, args: [] },
    args: ['-e', program],
    env: {},
    maxLineBytes: 1000,
    stderrTailBytes: 1000,
  });

describe('A program that closes its input after a line was written, and runs on', () => {
  const closesInput = "process.stdin.resume().once('data', () => { require('fs').closeSync(0);";

  it('fails its reader, although no other line is written, and is ended by close()', async () => {
    const connection = await running(`${closesInput} }); setInterval(() => {}, 1000);`);
    await connection.send('one');
    await expect(connection.frames[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'CHANNEL_CLOSED' });
    await connection.close();
    expect(await connection.exit).toMatchObject({ closed: true });
  });

  it('has its exit reported where it leaves soon', async () => {
    const connection = await running(`${closesInput} setTimeout(() => process.exit(3), 1500); });`);
    await connection.send('one');
    for await (const lines of connection.frames) expect(lines).toEqual([]);
    expect(await connection.exit).toMatchObject({ code: 3, closed: false });
  });

  it('is read for as long as it writes', async () => {
    const connection = await running(
      `${closesInput} let left = 10; setInterval(() => { console.log(left); if (left-- === 0) process.exit(); }, 500); });`,
    );
    await connection.send('one');
    const read: string[] = [];
    for await (const lines of connection.frames) read.push(...lines);
    expect(read.at(-1)).toBe('0');
  });
});

describe('A program that closes its output and runs on', () => {
  it('has its lines ended, since no more can come, and is ended by close()', async () => {
    const connection = await running("console.log('one'); require('fs').closeSync(1); setInterval(() => {}, 1000);");
    const read: string[] = [];
    for await (const lines of connection.frames) read.push(...lines);
    expect(read).toEqual(['one']);
    await connection.close();
    expect(await connection.exit).toMatchObject({ closed: true });
  });

  it('has its exit before the end of its lines where it leaves at once', async () => {
    const connection = await running("console.log('one'); require('fs').closeSync(1); process.exitCode = 3;");
    for await (const lines of connection.frames) expect(lines).toEqual(['one']);
    await connection.close();
    expect(await connection.exit).toMatchObject({ code: 3, closed: false });
  });
});

describe('When a program has gone', () => {
  it('a program that is busy for a long time is not taken for a silent pipe', async () => {
    const pipe = new PassThrough();
    let over = false;
    const draining = drained([pipe], () => 0).then(() => (over = true));
    const busyUntil = performance.now() + 1200;
    while (performance.now() < busyUntil);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(over).toBe(false);
    pipe.resume().end();
    await draining;
  });
});
