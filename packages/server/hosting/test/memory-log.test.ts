import type { SessionEvent, SessionFact } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { FactWriter } from '../src/fact-writer.ts';
import { MemoryLog } from '../src/index.ts';

const accepted = (uuid: string): SessionFact => ({ kind: 'accepted', uuid, input: { content: uuid }, isCut: false });
const running: SessionFact = { kind: 'state', state: 'running' };

async function taken(events: AsyncIterable<SessionEvent>, count: number): Promise<readonly SessionEvent[]> {
  const found: SessionEvent[] = [];
  if (count > 0)
    for await (const event of events) {
      found.push(event);
      if (found.length === count) break;
    }
  return found;
}

describe('A log in memory', () => {
  it('discards what a reader has not read that is more than twice `keep` behind, and no other', async () => {
    const log = new MemoryLog({ keep: 2 });
    const [slow, fast] = [log.read('a', 'now'), log.read('a', 'now')];
    for (let at = 0; at < 5; at += 1) {
      await log.append('a', [accepted(String(at))], 1);
      expect(await taken(log.read('a', 'now'), 0)).toEqual([]);
      const { value } = await fast[Symbol.asyncIterator]().next();
      expect(value).toMatchObject({ uuid: String(at) });
    }
    await expect(taken(slow, 1)).rejects.toMatchObject({ code: 'MESSAGES_DISCARDED' });
  });

  it('keeps the last facts of a long turn, and not its beginning', async () => {
    const log = new MemoryLog({ keep: 2 });
    const seqs: string[] = [];
    for (let at = 0; at < 5; at += 1) seqs.push(await log.append('a', [accepted(String(at))], 1));
    await expect(taken(log.read('a', 'turn'), 1)).rejects.toMatchObject({ code: 'MESSAGES_DISCARDED' });
    await expect(taken(log.read('a', { after: seqs[0] ?? '' }), 1)).rejects.toMatchObject({
      code: 'MESSAGES_DISCARDED',
    });
    expect(await taken(log.read('a', { after: seqs[1] ?? '' }), 1)).toMatchObject([{ uuid: '2' }]);
    expect(await taken(log.read('a', { after: seqs[2] ?? '' }), 2)).toMatchObject([{ uuid: '3' }, { uuid: '4' }]);
  });

  it('keeps the facts of what is open, and nothing once it has ended', async () => {
    const log = new MemoryLog();
    const after = await log.append('a', [running, accepted('one')], 1);
    await log.append('a', [running], 1);
    expect(await taken(log.read('a', { after }), 1)).toMatchObject([{ kind: 'state' }]);
    const reader = log.read('a', 'now');
    const last = await log.append('a', [{ kind: 'outbox', uuid: 'one', state: 'completed' }], 1);
    await expect(taken(log.read('a', { after }), 1)).rejects.toMatchObject({ code: 'MESSAGES_DISCARDED' });
    const behind = log.read('a', { after: last });
    await log.append('a', [accepted('two')], 1);
    expect(await taken(behind, 1)).toMatchObject([{ uuid: 'two' }]);
    expect(await taken(reader, 2)).toMatchObject([{ state: 'completed' }, { uuid: 'two' }]);
  });

  it('has greater places than one of an earlier process', async () => {
    const [early, late] = [new MemoryLog({ now: () => 999 }), new MemoryLog({ now: () => 1000 })];
    await early.append('a', [running, running], 1);
    expect((await late.append('a', [running], 1)) > (await early.append('a', [running], 1))).toBe(true);
  });
});

describe('The facts of a session whose log is slow', () => {
  it('are appended in order, those together that came meanwhile', async () => {
    const calls: (readonly string[])[] = [];
    const done: (() => void)[] = [];
    const log = new MemoryLog();
    const append: MemoryLog['append'] = async (_, facts) => {
      calls.push(facts.map(({ kind }) => kind));
      await new Promise<void>((resolve) => done.push(resolve));
      return String(calls.length);
    };
    const failed = (error: unknown): never => {
      throw error;
    };
    const writer = new FactWriter({ id: 'a', log: Object.assign(log, { append }), fence: () => 1, failed });
    for (const kind of ['held', 'held', 'held'] as const) writer.add({ kind, isHeld: true });
    expect(writer.isFull).toBe(false);
    expect(calls).toEqual([['held']]);
    done[0]?.();
    await microtasks();
    expect(calls).toEqual([['held'], ['held', 'held']]);
    for (let at = 0; at < 1000; at += 1) writer.add(running);
    expect(writer.isFull).toBe(true);
    done[1]?.();
    await microtasks();
    done[2]?.();
    await writer.settled();
    expect(writer.isFull).toBe(false);
    expect(writer.position).toBe('3');
  });
});
