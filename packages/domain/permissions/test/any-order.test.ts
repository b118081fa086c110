import { describe, expect, it } from 'vitest';
import type { AnswerReceipt, Decision, PermissionAnswer } from '@hexagent/ports';
import { seededRandom } from '@hexagent/testing';
import { allow, deny } from '../src/index.ts';
import { Waiting } from './waiting.ts';

interface Asked {
  readonly id: string;
  readonly answers: (PermissionAnswer | string | null)[];
  readonly receipts: AnswerReceipt[];
  /** Those of answers that came after the agent had withdrawn the request. */
  readonly receiptsTooLate: AnswerReceipt[];
  withdrawn: boolean;
}

/** Asks, answers, withdraws and lets time pass in an order that the seed chooses, each of it early, late and twice. */
async function play(
  seed: number,
): Promise<{ asked: readonly Asked[]; waiting: Waiting; allowed: ReadonlySet<string> }> {
  const next = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const open: { resolve: (decision: Decision | null) => void; reject: (error: Error) => void; id: string }[] = [];
  const asked: Asked[] = [];
  /** The calls that were allowed, in time or not. */
  const allowed = new Set<string>();
  const decide = (id: string): Decision => {
    if (next() < 0.5) return deny('no');
    allowed.add(id);
    return allow();
  };
  const waiting: Waiting = new Waiting({
    ...(next() < 0.5 && { expiresAfterMs: 100 }),
    onAsk: (pending) => {
      const { id } = pending;
      if (next() < 0.3) void pending.signal; // from then on it follows the agent's
      const way = next();
      if (way < 0.2) return null;
      if (way < 0.3) return decide(id);
      if (way < 0.4) throw new Error('approver broke');
      return new Promise<Decision | null>((resolve, reject) => open.push({ resolve, reject, id }));
    },
  });
  const steps: readonly (() => void)[] = [
    () => {
      const one: Asked = { id: `r${asked.length}`, answers: [], receipts: [], receiptsTooLate: [], withdrawn: false };
      asked.push(one);
      void waiting.ask(one.id).then(
        (answer) => one.answers.push(answer),
        (error: unknown) => one.answers.push(String(error)),
      );
    },
    () => {
      if (asked.length === 0) return;
      const one = pick(asked);
      const receipt = waiting.asks.answer(one.id, decide(one.id));
      one.receipts.push(receipt);
      if (one.withdrawn) one.receiptsTooLate.push(receipt);
    },
    () => {
      if (open.length === 0) return;
      const { resolve, reject, id } = pick(open);
      const way = next();
      if (way < 0.2) reject(new Error('approver broke'));
      else resolve(way < 0.4 ? null : decide(id));
    },
    () => {
      if (asked.length === 0) return;
      const one = pick(asked);
      one.withdrawn = true;
      waiting.withdraw(one.id);
    },
    () => waiting.clock.advance(30),
    () => void waiting.asks.list(),
  ];
  for (let step = 0; step < 60; step += 1) {
    pick(steps)();
    if (next() < 0.5) await Promise.resolve();
  }
  for (const { id } of asked) waiting.withdraw(id);
  await new Promise(setImmediate);
  return { asked, waiting, allowed };
}

describe('Whatever comes in whatever order', () => {
  it('each request gets one answer at most, an allowance only where it was allowed, and nothing stays behind', async () => {
    let [settled, late] = [0, 0];
    for (let seed = 1; seed <= 400; seed += 1) {
      const { asked, waiting, allowed } = await play(seed);
      for (const { id, answers, receipts, receiptsTooLate } of asked) {
        const accepted = receipts.filter((receipt) => receipt === 'accepted').length;
        expect(accepted, `seed ${seed}, ${id}`).toBeLessThanOrEqual(1);
        expect(answers.length, `seed ${seed}, ${id}`).toBeLessThanOrEqual(1);
        const [answer] = answers;
        const ran = typeof answer === 'object' && answer?.behavior === 'allow';
        expect(ran && !allowed.has(id), `seed ${seed}, ${id}`).toBe(false);
        expect(receipts, `seed ${seed}, ${id}`).not.toContain('unknown');
        expect(receiptsTooLate, `seed ${seed}, ${id}`).not.toContain('accepted');
        settled += answers.length;
        late += receipts.length - accepted;
      }
      expect(waiting.asks.list(), `seed ${seed}`).toEqual([]);
      expect(waiting.clock.waiting, `seed ${seed}`).toBe(0);
    }
    // Otherwise seeds that never reach the case would pass unnoticed.
    expect(settled).toBeGreaterThan(1000);
    expect(late).toBeGreaterThan(200);
  });
});
