import { SdkError, type Connection } from '@hexagent/ports';
import { replayFrom, type ReplayOptions, type Replay, type Tape } from '@hexagent/tapes';
import { HandClock, plainLaunch } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { answers, asks, assistant, ending, launch, request, response, result, tapeOf, user, uuid } from './tapes.ts';

class Run {
  readonly replay: Replay;
  readonly clock = new HandClock();
  readonly received: unknown[] = [];
  readonly connection: Connection;
  /** How the frames ended. */
  readonly ended: Promise<unknown>;

  private constructor(replay: Replay, connection: Connection) {
    this.replay = replay;
    this.connection = connection;
    this.ended = this.#read();
  }

  static async of(
    tape: Tape,
    options: ReplayOptions = {},
    changes: Parameters<typeof plainLaunch>[0] = {},
  ): Promise<Run> {
    const clock = new HandClock();
    const replay = replayFrom(tape, { clock, ...options });
    const run = new Run(replay, await replay.connect(plainLaunch(changes)));
    return Object.assign(run, { clock });
  }

  async send(...frames: readonly object[]): Promise<void> {
    for (const frame of frames) await this.connection.send(JSON.stringify(frame));
    await this.settled();
  }

  async settled(): Promise<void> {
    await new Promise(setImmediate);
  }

  async #read(): Promise<unknown> {
    try {
      for await (const lines of this.connection.frames) this.received.push(...lines.map((line) => JSON.parse(line)));
      return 'in order';
    } catch (error) {
      return error;
    }
  }
}

describe('A strict replay', () => {
  it('plays the agent up to what the program sends next, and to its exit', async () => {
    const tape = tapeOf(launch, { out: user('hi') }, { in: assistant('hello') }, { in: result() }, ...ending);
    const run = await Run.of(tape);
    await run.settled();
    expect(run.received).toEqual([]);
    await run.send(user('hi'));
    expect(run.received).toEqual([assistant('hello'), result()]);
    await run.connection.end();
    expect(await run.ended).toBe('in order');
    expect(await run.connection.exit).toEqual({ code: 0, signal: null, stderr: '', closed: false });
    expect([run.replay.departures, run.replay.missing]).toEqual([[], []]);
  });

  it('gives messages and requests the ids of this run', async () => {
    const tape = tapeOf(
      ...[launch, { out: request('get_usage', 'a_1') }, { in: response('a_1') }],
      ...[{ out: user('hi', uuid(1)) }, { in: { type: 'x', of: [uuid(1)] } }, { in: result(uuid(1)) }, ...ending],
    );
    const run = await Run.of(tape);
    await run.send(request('get_usage', 'b_7'), user('hi', uuid(2)));
    expect(run.received).toEqual([response('b_7'), { type: 'x', of: [uuid(2)] }, result(uuid(2))]);
    await run.connection.close();
  });

  it('moves the working folder of the tape to that of the run, and back', async () => {
    const tape = tapeOf(
      { launch: { ...launch.launch, cwd: '/home/old' } },
      { out: user('in /home/old/a and /home/older') },
      { in: { type: 'x', cwd: '/home/old', file: '/home/old/b', other: '/home/old-2' } },
    );
    const run = await Run.of(tape, {}, { cwd: '/srv/new' });
    await run.send(user('in /srv/new/a and /home/older'));
    expect(run.received[0]).toEqual({ type: 'x', cwd: '/srv/new', file: '/srv/new/b', other: '/home/old-2' });
    expect(run.replay.departures).toEqual([]);
    await run.connection.close();
  });

  it('ends with a difference that a person can read when an answer differs', async () => {
    const tape = tapeOf(launch, { in: asks('q1') }, { out: answers('q1', 'deny') }, { in: result() }, ...ending);
    const run = await Run.of(tape);
    await run.settled();
    await run.send(answers('q1', 'allow'));
    const error = await run.ended;
    expect(SdkError.is(error) && error.code).toBe('TAPE_DEPARTED');
    expect(String(error)).toContain(
      'answers can_use_tool Bash: deny\n  response.response.behavior\n    expected "deny"\n    seen     "allow"',
    );
    expect(run.replay.departures).toHaveLength(1);
    // As with lines that cannot be read: the agent is there until the program closes it.
    await run.send(user('more'));
    await run.connection.close();
    expect(await run.connection.exit).toMatchObject({ closed: true });
  });

  it.each([
    [
      'a message that is not on the tape',
      [user('hi'), user('and more', uuid(3))],
      'sent what the tape does not have: user "and more"',
    ],
    ['a request that is not on the tape', [user('hi'), request('interrupt', 'r')], 'does not have: asks interrupt'],
    ['another message', [user('hi there')], 'expected "hi"\n    seen     "hi there"'],
    ['a line that is not JSON', ['nonsense'], 'sent what the tape does not have'],
  ])('departs with %s', async (_, frames, text) => {
    const run = await Run.of(tapeOf(launch, { out: user('hi') }, { in: result() }, ...ending));
    await run.send(...(frames as object[]));
    expect(String(await run.ended)).toContain(text);
    await run.connection.close();
  });

  it('departs when the program ends the input before it has sent everything', async () => {
    const run = await Run.of(tapeOf(launch, { out: user('hi') }, { in: result() }, ...ending));
    await run.connection.end();
    expect(String(await run.ended)).toContain(
      'ended the input of the agent before it sent what the tape has: user "hi"',
    );
    await run.connection.close();
  });

  it('departs when the program is silent where it has something to send', async () => {
    const run = await Run.of(tapeOf(launch, { in: asks('q1') }, { out: answers('q1', 'deny') }, ...ending), {
      waitMs: 500,
    });
    await run.settled();
    run.clock.advance(499);
    expect(run.replay.departures).toEqual([]);
    run.clock.advance(1);
    expect(String(await run.ended)).toContain(
      'sent nothing for 500 ms, and this is next on the tape: answers can_use_tool Bash',
    );
    await run.connection.close();
  });

  it('departs when the program never ends the conversation', async () => {
    for (const rest of [ending, []]) {
      const run = await Run.of(tapeOf(launch, { out: user('hi') }, { in: result() }, ...rest), { waitMs: 500 });
      await run.send(user('hi'));
      run.clock.advance(500);
      expect(String(await run.ended)).toContain('has not ended the conversation for 500 ms');
      await run.connection.close();
    }
  });

  it('lists what was not sent, and agents that were not started', async () => {
    const tape = tapeOf(launch, { out: user('hi') }, { agent: 2, ...launch }, { agent: 3, ...launch });
    const run = await Run.of(tape);
    await run.connection.close();
    expect(run.replay.missing).toEqual(['user "hi"', 'agent 2', 'agent 3']);
  });

  it('takes answers in any order, and messages before the agent is there', async () => {
    const tape = tapeOf(
      ...[
        launch,
        { in: asks('q1') },
        { in: asks('q2') },
        { out: answers('q2', 'deny') },
        { out: answers('q1', 'allow') },
      ],
      ...[{ in: assistant('so be it') }, { out: user('next') }, { in: result() }, ...ending],
    );
    const run = await Run.of(tape);
    await run.settled();
    await run.send(user('next'), answers('q1', 'allow'));
    expect(run.received).toHaveLength(2);
    await run.send(answers('q2', 'deny'));
    expect(run.received).toHaveLength(4);
    expect(run.replay.departures).toEqual([]);
    await run.connection.close();
  });

  it('compares neither ids, times and temporary folders, nor what was redacted', async () => {
    const message = (id: number, day: string, folder: string, secret: string): object =>
      user(`See ${uuid(id)} of 2026-01-0${day}T10:00:00Z in /tmp/${folder}/file, with ${secret}!`, uuid(id));
    const run = await Run.of(tapeOf(launch, { out: message(1, '1', 'a-x1', '[redacted]') }, { in: result() }));
    await run.send(message(2, '2', 'a-y2', 'made-up-secret'));
    expect(run.replay.departures).toEqual([]);
    await run.connection.close();
  });

  it('fails to start an agent that failed then, with the same code, and one more than the tape has', async () => {
    const failed = { name: 'SdkError', code: 'AGENT_NOT_FOUND', message: 'Not there.' };
    const replay = replayFrom(tapeOf(launch, { failed }));
    await expect(replay.connect(plainLaunch())).rejects.toMatchObject({
      code: 'AGENT_NOT_FOUND',
      message: 'Not there.',
    });
    await expect(replay.connect(plainLaunch())).rejects.toThrow('started agent 2, and the tape has 1');
    await expect(replay.connect(plainLaunch())).rejects.toMatchObject({ code: 'TAPE_DEPARTED' });
    expect(replay.departures[0]).toContain('started agent 2');
  });

  it('breaks off where the lines could not be read any more', async () => {
    const broken = { name: 'SdkError', code: 'LINE_TOO_LONG', message: 'Too long.' };
    const run = await Run.of(tapeOf(launch, { in: assistant('a') }, { broken }));
    expect(await run.ended).toMatchObject({ code: 'LINE_TOO_LONG', message: 'Too long.' });
    expect(run.received).toHaveLength(1);
    await run.connection.close();
  });

  it('delivers nothing while it is paused, and no more than the program reads', async () => {
    const lines = Array.from({ length: 1000 }, (_, n) => ({ in: { type: 'x', n } }));
    const replay = replayFrom(tapeOf(launch, ...lines, { exit: { code: 3, signal: null, stderr: '', closed: false } }));
    const connection = await replay.connect(plainLaunch());
    const reader = connection.frames[Symbol.asyncIterator]();
    let count = (await reader.next()).value?.length ?? 0;
    connection.pause();
    // What was already read of the agent may still be delivered.
    count += (await reader.next()).value?.length ?? 0;
    expect(count).toBeLessThan(200);
    let isDelivered = false;
    const third = reader.next().finally(() => (isDelivered = true));
    await new Promise(setImmediate);
    expect(isDelivered).toBe(false);
    connection.resume();
    count += (await third).value?.length ?? 0;
    for (let next = await reader.next(); next.done !== true; next = await reader.next()) count += next.value.length;
    expect(count).toBe(1000);
    expect((await connection.exit).code).toBe(3);
  });
});

describe('A tape that was cut', () => {
  it('ends in the middle of a turn, or of a request, with an exit that says so', async () => {
    const run = await Run.of(tapeOf(launch, { out: user('hi') }, { in: assistant('I will') }));
    await run.send(user('hi'));
    expect(await run.ended).toBe('in order');
    expect(await run.connection.exit).toMatchObject({
      code: 1,
      stderr: 'the tape ends here, before the agent has answered.',
    });
  });

  it('waits for what the program has not answered on it, and takes that', async () => {
    const run = await Run.of(tapeOf(launch, { out: user('hi') }, { in: asks('q1') }), { waitMs: 500 });
    await run.send(user('hi'));
    await run.send(answers('q1', 'deny'));
    expect((await run.connection.exit).stderr).toContain('ends here');
    expect(run.replay.departures).toEqual([]);
  });

  it('departs when a request is never answered, and names it', async () => {
    const run = await Run.of(tapeOf(launch, { out: user('hi') }, { in: asks('q1') }), { waitMs: 500 });
    await run.send(user('hi'));
    run.clock.advance(500);
    expect(String(await run.ended)).toContain('has not answered can_use_tool Bash for 500 ms, and the tape ends here');
    await run.connection.close();
  });

  it('lets a program that goes further end in order, send more, and ask in vain', async () => {
    const cut = tapeOf(launch, { out: user('hi') }, { in: result() });
    const ended = await Run.of(cut);
    await ended.send(user('hi'));
    await ended.connection.end();
    expect((await ended.connection.exit).code).toBe(0);

    const more = await Run.of(cut);
    await more.send(user('hi'), request('get_usage', 'r1'));
    expect(more.received.at(-1)).toMatchObject({ response: { subtype: 'error', request_id: 'r1' } });
    await more.send(user('more', uuid(2)));
    expect((await more.connection.exit).stderr).toContain('ends here');
    expect(more.replay.departures).toEqual([]);
  });
});

describe('A lenient replay', () => {
  it('takes what differs, answers what is extra with an error, and skips what is missing', async () => {
    const tape = tapeOf(
      ...[
        launch,
        { out: request('set_model', 'a') },
        { in: response('a') },
        { out: user('hi') },
        { in: assistant('one') },
      ],
      ...[{ out: request('get_usage', 'b') }, { in: response('b') }, { in: result() }, ...ending],
    );
    const run = await Run.of(tape, { mode: 'lenient', waitMs: 100 });
    await run.send(request('interrupt', 'extra'));
    expect(run.received).toMatchObject([{ response: { subtype: 'error', request_id: 'extra' } }]);
    await run.send(user('something else'));
    run.clock.advance(100);
    await run.settled();
    expect(run.received.slice(1)).toMatchObject([response('a'), assistant('one')]);
    run.clock.advance(100);
    await run.settled();
    expect(run.received.at(-1)).toMatchObject({ type: 'result' });
    await run.connection.end();
    expect((await run.connection.exit).code).toBe(0);
    expect(run.replay.departures).toEqual([]);
  });
});

describe('replayFrom', () => {
  it('throws for wrong options and for a file that is not a tape', () => {
    expect(() => replayFrom(tapeOf(), { mode: 'loose' as 'strict' })).toThrow(
      '`mode` must be one of "strict", "lenient"',
    );
    expect(() => replayFrom(tapeOf(), { waitMs: -1 })).toThrow('waitMs');
    expect(() => replayFrom(import.meta.filename)).toThrow('is not a tape');
  });

  it('rejects with an AbortError when aborted before', async () => {
    const replay = replayFrom(tapeOf(launch));
    await expect(replay.connect(plainLaunch(), { signal: AbortSignal.abort() })).rejects.toThrow('Aborted');
  });
});
