import { CliTransport } from '@hexagent/cli-transport';
import type { Connection } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import { describe, expect, it, vi } from 'vitest';
import { fixture, launch } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

function connect(options = {}): Promise<Connection> {
  return new CliTransport({ executable: fixture('writing.mjs'), ...options }).connect(launch());
}

function wish(connection: Connection, wanted: object): Promise<void> {
  return connection.send(JSON.stringify(wanted));
}

async function rest(connection: Connection): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of connection.frames) lines.push(...batch);
  return lines;
}

describe('What the agent writes', () => {
  it('#33 keeps its characters whole, wherever a read cuts them', async () => {
    const connection = await connect();
    const text = Buffer.from('{"text":"aé€👋 \t  ü"}\n');
    const frames = connection.frames[Symbol.asyncIterator]();
    const lines: string[] = [];
    for (let cut = 1; cut < text.length; cut += 1) {
      await wish(connection, { bytes: text.subarray(0, cut).toString('base64') });
      await wish(connection, { bytes: text.subarray(cut).toString('base64') });
      lines.push(...((await frames.next()).value ?? []));
    }
    expect(lines).toEqual(Array.from({ length: text.length - 1 }, () => '{"text":"aé€👋 \t  ü"}'));
    await connection.close();
  });

  it('#31 may be a line of 64 MB, and a short one after it', async () => {
    const connection = await connect();
    const length = 64 * 1024 * 1024;
    await wish(connection, { line: length });
    await wish(connection, { line: 1 });
    await wish(connection, { exit: 0 });
    expect((await rest(connection)).map((line) => line.length)).toEqual([length, 1]);
  });

  it('arrives as one batch per read, however many lines that brought', async () => {
    const connection = await connect();
    await wish(connection, { lines: 100_000 });
    void connection.end();
    let [batches, lines] = [0, 0];
    for await (const batch of connection.frames) {
      batches += 1;
      lines += batch.length;
    }
    expect(lines).toBe(100_000);
    expect(batches).toBeLessThan(5000);
  });
});

describe('A reader that does not keep up', () => {
  /** Lets the agent write much, then report on its error stream that it is done. */
  async function talking(): Promise<{ connection: Connection; isDone: () => boolean; done: Promise<void> }> {
    const done = new Deferred<void>();
    const connection = await connect({ onStderr: () => done.resolve() });
    void wish(connection, { lines: 3_000_000, stderr: 'done\n' });
    return { connection, isDone: () => done.settled, done: done.promise };
  }

  it('#40 holds the agent back while it pauses, and loses nothing', async () => {
    const [paused, other] = [await talking(), await talking()];
    paused.connection.pause();
    const reading = rest(paused.connection);
    const otherReading = rest(other.connection);
    await other.done;
    expect(paused.isDone()).toBe(false);
    paused.connection.resume();
    await paused.done;
    for (const { connection } of [paused, other]) void connection.end();
    expect([(await reading).length, (await otherReading).length]).toEqual([3_000_000, 3_000_000]);
  }, 20_000);

  it('#16 holds the agent back when it merely does not read, and loses nothing', async () => {
    const [unread, other] = [await talking(), await talking()];
    const otherReading = rest(other.connection);
    await other.done;
    expect(unread.isDone()).toBe(false);
    for (const { connection } of [unread, other]) void connection.end();
    expect([(await rest(unread.connection)).length, (await otherReading).length]).toEqual([3_000_000, 3_000_000]);
  }, 20_000);
});

describe('When the agent has exited', () => {
  it('what it had written is still read, although reading was paused', async () => {
    const connection = await connect();
    connection.pause();
    await wish(connection, { lines: 500 });
    await wish(connection, { exit: 0 });
    expect(await connection.exit).toMatchObject({ code: 0, closed: false });
    expect(await rest(connection)).toHaveLength(500);
  });

  it('#3 the end does not wait for a grandchild that holds the pipes open', async () => {
    const connection = await connect();
    await wish(connection, { lines: 2, stay: true, exit: 0 });
    expect(await rest(connection)).toHaveLength(2);
    expect(await connection.exit).toMatchObject({ code: 0 });
  });

  it('#3 the end does not wait for a grandchild that writes for ever, nor is all of that kept', async () => {
    const connection = await connect();
    connection.pause();
    await wish(connection, { flood: true, exit: 0 });
    await connection.exit;
    const bytes = (await rest(connection)).reduce((sum, line) => sum + line.length + 1, 0);
    expect(bytes).toBeLessThan(20_000_000);
  });
});
