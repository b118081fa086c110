import { once } from 'node:events';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalAuditEntry } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { ApprovalFiles } from '../src/index.ts';
import { place } from './place.ts';
import { outputOf, runProgram } from './programs.ts';

/** How many processes are killed. `HEXAGENT_KILLS=500` is the run that the decision record has the figures of. */
const kills = Number(process.env['HEXAGENT_KILLS'] ?? 16);

/** Ends a program at a random moment of its work; resolves with what was settled before. */
async function killed(folder: string, name: string, options: { readonly afterMs: number }): Promise<readonly string[]> {
  const child = runProgram('settles.ts', folder, name, '20000');
  const output = outputOf(child);
  await once(child.stdout!, 'data');
  await new Promise((resolve) => setTimeout(resolve, options.afterMs));
  child.kill('SIGKILL');
  const lines = (await output).split('\n').slice(0, -1);
  return lines.filter((line) => line !== 'begun');
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe('Programs that are killed while they settle', () => {
  it('lose no settled answer, settle nothing twice, and leave an audit that is whole', async () => {
    await using here = await place();
    const { folder } = here;
    const random = seeded(7);
    const settled: string[] = [];
    for (let run = 0; run < kills; run += 2) {
      // Two at a time, over the same records.
      const both = [0, 1].map((each) => killed(folder, `run${run + each}`, { afterMs: random() * 60 }));
      for (const ids of await Promise.all(both)) settled.push(...ids);
      // As a loss of power leaves it.
      if (run % 10 === 0) await cutOff(folder, random);
    }
    expect(new Set(settled).size).toBe(settled.length);
    await using store = new ApprovalFiles({ folder, maxSettled: 1_000_000 });
    const answered = new Set((await store.list({ state: 'answered' })).map(({ id }) => id));
    expect(settled.filter((id) => !answered.has(id))).toEqual([]);
    expect(settled.length).toBeGreaterThan(kills);
    const audited = await Array.fromAsync(store.audit());
    expect(audited.map(({ id }: ApprovalAuditEntry) => id).toSorted()).toEqual([...answered].toSorted());
    expect((await readdir(join(folder, 'approvals'))).some((name) => !name.startsWith('00000001'))).toBe(true);
  }, 600_000);
});

/** A line that was begun by a process that is gone. */
async function cutOff(folder: string, random: () => number): Promise<void> {
  const approvals = join(folder, 'approvals');
  const newest = join(
    approvals,
    (await readdir(approvals))
      .filter((name) => name.endsWith('.jsonl'))
      .toSorted()
      .at(-1)!,
  );
  const lines = (await readFile(newest, 'utf8')).split('\n');
  const line = lines[Math.floor(random() * lines.length)] ?? '';
  await appendFile(newest, `\n${line.slice(0, Math.floor(random() * line.length * 0.9))}`);
}
