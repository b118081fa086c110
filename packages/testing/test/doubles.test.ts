import { allowAll, CountedIds, denyAll, HandClock, plainCommands, RecordingObserver } from '@hexagent/testing';
import { clockContract, commandReaderContract } from '@hexagent/testing/contracts';
import { describe, expect, it } from 'vitest';

describe('A clock moved by hand', () => {
  const createClock = (): { clock: HandClock; pass: (ms: number) => void } => {
    const clock = new HandClock();
    return { clock, pass: (ms) => clock.advance(ms) };
  };
  clockContract({ describe, it }, { createClock });

  it('does not advance by itself', () => {
    const clock = new HandClock(5);
    clock.after(0, () => expect.unreachable());
    expect([clock.now(), clock.waiting]).toEqual([5, 1]);
  });

  it('calls the callbacks that are due, in order, each at its time', () => {
    const clock = new HandClock();
    const rang: [string, number][] = [];
    const ring = (name: string) => () => void rang.push([name, clock.now()]);
    clock.after(20, ring('late'));
    clock.after(10, ring('early'));
    clock.after(10, ring('early too'));
    clock.after(31, ring('never'));
    clock.advance(30);
    expect(rang).toEqual([
      ['early', 10],
      ['early too', 10],
      ['late', 20],
    ]);
    expect([clock.now(), clock.waiting]).toEqual([30, 1]);
  });

  it('calls a callback that another one registered, if it is due as well', () => {
    const clock = new HandClock();
    const rang: number[] = [];
    clock.after(10, () => clock.after(10, () => rang.push(clock.now())));
    clock.advance(20);
    expect(rang).toEqual([20]);
  });
});

describe('Counted ids', () => {
  it('count requests and uuids separately, and the agent accepts the uuids', () => {
    const ids = new CountedIds();
    expect([ids.request(), ids.request()]).toEqual(['request-1', 'request-2']);
    expect(ids.uuid()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-0{11}1$/);
  });
});

describe('A recording observer', () => {
  it('returns the events of one kind, in order', () => {
    const observer = new RecordingObserver();
    observer.observe({ kind: 'paused', unreadBytes: 1, conversation: 'c' });
    observer.observe({ kind: 'resumed', unreadBytes: 0, conversation: 'c' });
    observer.observe({ kind: 'paused', unreadBytes: 2, conversation: 'c' });
    expect(observer.of('paused').map(({ unreadBytes }) => unreadBytes)).toEqual([1, 2]);
  });
});

describe('A permission gate for tests', () => {
  const request = { tool_name: 'Bash', input: {}, tool_use_id: 't' };
  const context = { requestId: 'r', signal: new AbortController().signal };

  it('allows or denies everything, and records the requests', async () => {
    const [allowing, denying] = [allowAll(), denyAll()];
    expect(await allowing.decide(request, context)).toEqual({ behavior: 'allow' });
    expect(await denying.decide(request, context)).toMatchObject({ behavior: 'deny' });
    expect(allowing.asked).toEqual([request]);
  });
});

describe('A reader of plain commands', () => {
  commandReaderContract({ describe, it }, { reader: plainCommands });

  it('is certain of plain words, each of which may be a program', () => {
    const { isCertain, candidates } = plainCommands.read('sudo zap -x', 'bash');
    expect(isCertain).toBe(true);
    expect(candidates.map((words) => words.map(({ text }) => text).join(' '))).toEqual(['sudo zap -x', 'zap -x', '-x']);
    expect(plainCommands.read('zap; zop', 'bash').anything).toBeDefined();
  });
});
