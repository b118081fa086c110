import { existsSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Connection, Transport } from '@hexagent/ports';
import { parseTape, readTape, recordTo, tapeText, tapped, type TapeEntry, type TapEvent } from '@hexagent/tapes';
import { linkedTransport, plainLaunch, type AgentFunction } from '@hexagent/testing';
import { describe, expect, it, vi } from 'vitest';
import { testFolder } from './folder.ts';

const echoing: AgentFunction = (agent) => {
  agent.onLine((line) => agent.writeLines([line]));
  agent.onInputEnd(() => agent.exit());
};

/** Sends the lines, ends the input, and reads to the end. */
async function converse(connection: Connection, lines: readonly string[]): Promise<readonly string[]> {
  for (const line of lines) await connection.send(line);
  await connection.end();
  const received: string[] = [];
  for await (const batch of connection.frames) received.push(...batch);
  await connection.exit;
  return received;
}

const kindsOf = (entries: readonly TapeEntry[]): readonly string[] =>
  entries.map((entry) =>
    Object.keys(entry)
      .filter((key) => !['t', 'agent', 'line', 'redacted'].includes(key))
      .join(),
  );

const linesOf = (entries: readonly TapeEntry[], direction: 'in' | 'out'): readonly string[] =>
  entries.flatMap((entry) => {
    if (direction in entry && 'line' in entry) return [entry.line];
    const text = direction === 'in' ? 'inLine' in entry && entry.inLine : 'outLine' in entry && entry.outLine;
    return typeof text === 'string' ? [text] : [];
  });

describe('recordTo', () => {
  it('writes a header, the launch, each line of both directions, the end of the input and the exit', async () => {
    const file = path.join(testFolder(), 'a.tape');
    const connection = await recordTo(file, { transport: linkedTransport(echoing).transport }).connect(plainLaunch());
    await converse(connection, ['{"n":1}', '{"n":2}']);
    const { header, entries, isCut } = readTape(file);
    expect(header).toEqual({ tape: 1, started: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
    expect(kindsOf(entries)).toEqual(['launch', 'out', 'out', 'end', 'in', 'in', 'exit']);
    expect(entries.at(-1)).toMatchObject({ agent: 1, exit: { code: 0, signal: null, closed: false } });
    expect(isCut).toBe(false);
  });

  it('keeps the exact text of each line, whatever it is', async () => {
    const lines = [
      '{"b":1,"a":2}',
      '{ "spaces" : [ 1.0 , 1e3 ] }',
      String.raw`{"escaped":"\u0041\/"}`,
      '{"text":"grüß dich 👋 \u2028"}',
      '{"a":1}\r',
      'not JSON',
      '{"not":JSON}',
      '',
      'null',
      '[1]',
      '{"in":{"out":1}}',
      '{"a":1}}',
    ];
    const file = path.join(testFolder(), 'a.tape');
    const connection = await recordTo(file, { transport: linkedTransport(echoing).transport }).connect(plainLaunch());
    expect(await converse(connection, lines)).toEqual(lines);
    const { entries } = readTape(file);
    expect(linesOf(entries, 'out')).toEqual(lines);
    expect(linesOf(entries, 'in')).toEqual(lines);
  });

  it('numbers the agents, and counts the time from the first of them', async () => {
    const file = path.join(testFolder(), 'a.tape');
    const transport = recordTo(file, { transport: linkedTransport(echoing).transport });
    const [first, second] = [await transport.connect(plainLaunch()), await transport.connect(plainLaunch())];
    await converse(second, ['{"of":2}']);
    await converse(first, ['{"of":1}']);
    // The file was closed with the last of them, and is continued.
    await converse(await transport.connect(plainLaunch()), ['{"of":3}']);
    const { entries } = readTape(file);
    expect(entries.filter((entry) => 'out' in entry).map(({ agent }) => agent)).toEqual([2, 1, 3]);
    const times = entries.map(({ t }) => t);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times[0]).toBeLessThan(1000);
  });

  it('reports how the program closed, paused and continued', async () => {
    const file = path.join(testFolder(), 'a.tape');
    const connection = await recordTo(file, { transport: linkedTransport().transport }).connect(plainLaunch());
    connection.pause();
    connection.resume();
    await connection.close({ atOnce: true });
    expect(readTape(file).entries.slice(1)).toMatchObject([
      { pause: true },
      { resume: true },
      { close: 'at once' },
      { exit: { closed: true, signal: 'SIGKILL' } },
    ]);
  });

  it('records an agent that cannot be started, and lines that cannot be read any more', async () => {
    const file = path.join(testFolder(), 'a.tape');
    const failing: Transport = { connect: () => Promise.reject(new TypeError('No such agent.')) };
    await expect(recordTo(file, { transport: failing }).connect(plainLaunch())).rejects.toThrow('No such agent.');
    expect(readTape(file).entries.at(-1)).toMatchObject({ failed: { name: 'TypeError', message: 'No such agent.' } });

    const broken = linkedTransport((agent) => agent.breakOff(new Error('Too long.')));
    const connection = await recordTo(file, { transport: broken.transport }).connect(plainLaunch());
    await expect(connection.frames[Symbol.asyncIterator]().next()).rejects.toThrow('Too long.');
    expect(readTape(file).entries.at(-1)).toMatchObject({ broken: { message: 'Too long.' } });
    await connection.close();
  });

  it('has each line in the file before the program continues', async () => {
    const file = path.join(testFolder(), 'a.tape');
    const { transport, agent } = linkedTransport();
    const connection = await recordTo(file, { transport }).connect(plainLaunch());
    void connection.send('{"asked":1}');
    expect(linesOf(readTape(file).entries, 'out')).toEqual(['{"asked":1}']);
    agent.writeLines(['{"said":1}']);
    await connection.frames[Symbol.asyncIterator]().next();
    expect(linesOf(readTape(file).entries, 'in')).toEqual(['{"said":1}']);
    await connection.close();
  });

  it('gathers partial messages for a moment, and writes them before anything else', async () => {
    const file = path.join(testFolder(), 'a.tape');
    const { transport, agent } = linkedTransport();
    const connection = await recordTo(file, { transport }).connect(plainLaunch());
    const partial = (n: number): string => `{"type":"stream_event","n":${n}}`;
    const receive = async (...lines: readonly string[]): Promise<readonly string[]> => {
      agent.writeLines(lines);
      await connection.frames[Symbol.asyncIterator]().next();
      return linesOf(readTape(file).entries, 'in');
    };
    expect(await receive(partial(1), partial(2))).toEqual([]);
    expect(await receive(partial(3))).toEqual([]);
    expect(await receive('{"n":4}')).toEqual([partial(1), partial(2), partial(3), '{"n":4}']);
    const many = Array.from({ length: 5000 }, (_, n) => partial(n));
    expect(await receive(...many)).toHaveLength(5004);
    await receive(partial(5));
    await expect.poll(() => linesOf(readTape(file).entries, 'in')).toHaveLength(5005);
    await receive(partial(6));
    const listeners = process.listenerCount('exit');
    await connection.close();
    expect(linesOf(readTape(file).entries, 'in')).toHaveLength(5006);
    expect(process.listenerCount('exit')).toBe(listeners - 1);
  });

  it('keeps the agents apart whose partial messages are gathered together', async () => {
    const file = path.join(testFolder(), 'a.tape');
    const { transport, agents } = linkedTransport();
    const recorded = recordTo(file, { transport });
    const connections = [await recorded.connect(plainLaunch()), await recorded.connect(plainLaunch())];
    for (const n of [0, 1, 1, 0]) {
      agents[n]?.write({ type: 'stream_event', n });
      await connections[n]?.frames[Symbol.asyncIterator]().next();
    }
    for (const connection of connections) await connection.close();
    const received = readTape(file).entries.flatMap((entry) => ('in' in entry ? [[entry.agent, entry.in]] : []));
    expect(received.map(([agent, frame]) => [agent, (frame as { readonly n: number }).n])).toEqual([
      ...[
        [1, 0],
        [2, 1],
        [2, 1],
        [1, 0],
      ],
    ]);
  });

  it('gives each recorder in a folder a file of its own, readable by its owner only', async () => {
    const folder = path.join(testFolder(), 'not', 'there', 'yet');
    for (const _ of [1, 2, 3]) {
      const transport = recordTo(folder, { transport: linkedTransport(echoing).transport });
      await converse(await transport.connect(plainLaunch()), ['{}']);
    }
    const files = readdirSync(folder);
    expect(files).toHaveLength(3);
    for (const file of files) {
      expect(file).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-\d+(?:-\d)?\.tape$/);
      expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
      expect(kindsOf(readTape(path.join(folder, file)).entries)).toContain('exit');
    }
  });

  it('replaces a file that is named, with the first agent', async () => {
    const file = path.join(testFolder(), 'a.tape');
    writeFileSync(file, 'of last time');
    const transport = recordTo(file, { transport: linkedTransport(echoing).transport });
    expect(readFileSync(file, 'utf8')).toBe('of last time');
    await converse(await transport.connect(plainLaunch()), []);
    expect(kindsOf(readTape(file).entries)).toEqual(['launch', 'end', 'exit']);
  });

  it('warns once when the tape cannot be written, and the conversation continues', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    try {
      const file = path.join(testFolder(), 'a.tape');
      writeFileSync(file, '');
      const transport = recordTo(path.join(file, 'below-a-file.tape'), {
        transport: linkedTransport(echoing).transport,
      });
      for (const _ of [1, 2]) expect(await converse(await transport.connect(plainLaunch()), ['{}'])).toEqual(['{}']);
      expect(warnings.mock.calls).toHaveLength(1);
      expect(warnings.mock.calls[0]).toMatchObject([
        expect.stringContaining('below-a-file.tape'),
        { code: 'HEXAGENT_NOT_RECORDED' },
      ]);
    } finally {
      warnings.mockRestore();
    }
  });

  it.skipIf(!existsSync('/dev/full'))('warns when the disk is full, and the conversation continues', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    try {
      const file = path.join(testFolder(), 'a.tape');
      symlinkSync('/dev/full', file);
      const transport = recordTo(file, { transport: linkedTransport(echoing).transport });
      expect(await converse(await transport.connect(plainLaunch()), ['{}'])).toEqual(['{}']);
      expect(warnings.mock.calls).toMatchObject([
        [expect.stringContaining('ENOSPC'), { code: 'HEXAGENT_NOT_RECORDED' }],
      ]);
    } finally {
      warnings.mockRestore();
    }
  });

  it('throws for an empty path and one with a NUL', () => {
    const { transport } = linkedTransport();
    expect(() => recordTo('', { transport })).toThrow('A tape needs a path');
    expect(() => recordTo('a\0b', { transport })).toThrow('A tape needs a path');
  });
});

describe('tapped', () => {
  it('reports what passes in order, as it is, and a batch as a whole', async () => {
    const events: TapEvent[] = [];
    const { transport, agent } = linkedTransport();
    const connection = await tapped(transport, () => (event) => events.push(event)).connect(plainLaunch());
    agent.writeLines(['{"a":1}', '{"a":2}']);
    await connection.frames[Symbol.asyncIterator]().next();
    await connection.send('{"secret":"sk-ant-0123456789abcdef"}');
    await connection.close();
    expect(events).toMatchObject([
      { kind: 'in', lines: ['{"a":1}', '{"a":2}'] },
      { kind: 'out', line: '{"secret":"sk-ant-0123456789abcdef"}' },
      { kind: 'close', atOnce: false },
      { kind: 'exit' },
    ]);
  });

  it('asks a sink that threw for nothing more', async () => {
    let calls = 0;
    const { transport } = linkedTransport(echoing);
    const sink = () => () => {
      calls += 1;
      throw new Error('This sink always fails.');
    };
    const connection = await tapped(transport, sink).connect(plainLaunch());
    expect(await converse(connection, ['{}'])).toEqual(['{}']);
    expect(calls).toBe(1);
  });
});

describe('parseTape', () => {
  it('leaves out a last line that is cut, and reports that', () => {
    const text =
      '{"tape":1,"started":"2026-01-01T00:00:00.000Z"}\n{"t":0,"agent":1,"end":true}\n{"t":1,"agent":1,"in":{"ty';
    expect(parseTape(text)).toMatchObject({ entries: [{ end: true }], isCut: true });
  });

  it('names the file, and the line of a damaged tape', () => {
    const header = '{"tape":1,"started":"2026-01-01T00:00:00.000Z"}\n';
    expect(() => parseTape('hello\n', 'a.tape')).toThrow('a.tape is not a tape');
    expect(() => parseTape('', 'a.tape')).toThrow('a.tape is not a tape');
    expect(() => parseTape('{"tape":2,"started":"now"}\n', 'a.tape')).toThrow('version 2');
    expect(() => parseTape(`${header}{"t":0,"agent":1,"end":true}\nnonsense\n`, 'a.tape')).toThrow('Line 3 of a.tape');
  });

  it('names the file that cannot be read, and what to name instead', () => {
    const folder = testFolder();
    expect(() => readTape(folder)).toThrow(`${folder} cannot be read: EISDIR`);
    const missing = path.join(folder, 'none.tape');
    expect(() => readTape(missing)).toThrow(
      /none\.tape cannot be read: ENOENT.*Name one tape, a file that ends in \.tape/,
    );
  });

  it('reads the exact text of each frame where the line ends were changed, as by a checkout on Windows', () => {
    const text = '{"tape":1,"started":"2026-01-01T00:00:00.000Z"}\n{"t":0,"agent":1,"in":{"a":1.0}}\n';
    const { entries, isCut } = parseTape(text.replaceAll('\n', '\r\n'));
    expect([linesOf(entries, 'in'), isCut]).toEqual([['{"a":1.0}'], false]);
  });

  it('reads a tape that another tool has written anew', async () => {
    let text = '';
    const sink = tapeText({ write: (lines) => (text += lines) });
    const connection = await tapped(linkedTransport(echoing).transport, sink).connect(plainLaunch());
    await converse(connection, ['{ "n" : 1 }']);
    const sorted = text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const { in: received, out, ...others } = JSON.parse(line) as Record<string, unknown>;
        return `${JSON.stringify({ ...(received ? { in: received } : {}), ...(out ? { out } : {}), ...others })}\n`;
      });
    expect(linesOf(parseTape(sorted.join('')).entries, 'in')).toEqual(['{"n":1}']);
  });
});
