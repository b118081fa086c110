import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LineWriter } from '../src/line-writer.ts';

/** A pipe that takes texts at once until it is full, and then one whenever the test says so. */
function pipe() {
  const taken: string[] = [];
  let takeNext: ((error?: Error) => void) | undefined;
  let isFull = false;
  const stdin = new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      const finish = (error?: Error): void => {
        if (error === undefined) taken.push(text);
        done(error);
      };
      if (isFull) takeNext = finish;
      else finish();
    },
  });
  return { stdin, taken, fill: () => (isFull = true), take: (error?: Error) => takeNext?.(error) };
}

/** What has become of a promise by now. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  let state = 'waits';
  promise.then(
    () => (state = 'written'),
    ({ code, cause }: { readonly code: string; readonly cause: Error }) => (state = `${code} ${cause.message}`),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return state;
}

describe('LineWriter', () => {
  it('writes lines in their order, those of one go together', async () => {
    const { stdin, taken } = pipe();
    const writer = new LineWriter(stdin);
    await writer.send('a');
    await Promise.all([writer.send('b'), writer.send('c')]);
    await writer.send('d');
    expect(taken).toEqual(['a\n', 'b\nc\n', 'd\n']);
  });

  it.each([0, 1, 2])('resolves a line after %i others only once the pipe has taken it', async (before) => {
    const { stdin, taken, fill, take } = pipe();
    const writer = new LineWriter(stdin);
    for (let line = 0; line < before; line += 1) await writer.send(`line ${line}`);
    fill();
    const waiting = writer.send('waits');
    expect(await stateOf(waiting)).toBe('waits');
    take();
    take(); // an empty text may follow, to learn of the end
    expect(await stateOf(waiting)).toBe('written');
    expect(taken.filter((text) => text !== '').at(-1)).toBe('waits\n');
  });

  it.each([0, 1, 2])('rejects a line after %i others when the pipe breaks while it waits', async (before) => {
    const { stdin, fill, take } = pipe();
    const writer = new LineWriter(stdin);
    for (let line = 0; line < before; line += 1) await writer.send(`line ${line}`);
    fill();
    const waiting = writer.send('lost');
    expect(await stateOf(waiting)).toBe('waits');
    take(new Error('EPIPE'));
    expect(await stateOf(waiting)).toBe('CHANNEL_CLOSED EPIPE');
  });

  it.each([0, 1, 2])('rejects a line after %i others when the pipe breaks at once', async (before) => {
    let isBroken = false;
    const stdin = new Writable({ write: (_text, _, done) => done(isBroken ? new Error('EPIPE') : null) });
    const writer = new LineWriter(stdin);
    for (let line = 0; line < before; line += 1) await writer.send(`line ${line}`);
    isBroken = true;
    expect(await stateOf(writer.send('lost'))).toBe('CHANNEL_CLOSED EPIPE');
  });

  it.each([0, 1, 2])('rejects a line after %i others when the pipe was destroyed', async (before) => {
    const { stdin } = pipe();
    const writer = new LineWriter(stdin);
    for (let line = 0; line < before; line += 1) await writer.send(`line ${line}`);
    stdin.destroy();
    expect(await stateOf(writer.send('lost'))).toMatch(/^CHANNEL_CLOSED /);
  });

  it('writes to a third-party stream, which does not count what waits', async () => {
    const taken: string[] = [];
    const done: (() => void)[] = [];
    const stdin = {
      on: () => stdin,
      write(text: string, callback: () => void) {
        taken.push(text);
        done.push(callback);
      },
    };
    // @ts-expect-error Only what a program that is not a Node stream may have.
    const writer = new LineWriter(stdin);
    const sent = writer.send('a');
    expect(await stateOf(sent)).toBe('waits');
    done.shift()?.();
    expect(await stateOf(sent)).toBe('written');
    expect(taken).toEqual(['a\n']);
  });
});
