import { once } from 'node:events';
import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '@hexagent/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApprovalFiles } from '../src/index.ts';
import { place } from './place.ts';
import { bundled, runProgram } from './programs.ts';

/** How many processes are killed. `HEXAGENT_KILLS=500` is the run of which decision 49 has the figures. */
const kills = Number(process.env['HEXAGENT_KILLS'] ?? 40);
/** How many of them work in one folder, two at a time. */
const killsPerFolder = 20;

let program: string;
beforeAll(async () => (program = await bundled('settles.ts')));
afterAll(async () => await rm(program));

/** Kills a program when it has settled so many; resolves with all that it had settled. */
async function killed(folder: string, name: string, count: number): Promise<readonly string[]> {
  const child = runProgram(program, folder, name, '4000');
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.split('\n').length > count) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
  return output
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== 'begun');
}

describe('Programs that are killed while they settle', () => {
  it('lose no settled answer, settle nothing twice, and leave an audit that is whole', async () => {
    const random = seededRandom(7);
    let [settled, compacted] = [0, 0];
    for (let done = 0; done < kills; done += killsPerFolder) {
      await using here = await place();
      const ids: string[] = [];
      for (let run = 0; run < killsPerFolder; run += 2) {
        // Two at a time, over the same records.
        const both = [0, 1].map((each) => killed(here.folder, `run${run + each}`, 1 + Math.floor(random() * 30)));
        for (const some of await Promise.all(both)) ids.push(...some);
        // As a loss of power leaves it.
        if (run % 6 === 0) await cutOff(here.folder, random);
      }
      await expectWhole(here.folder, ids);
      settled += ids.length;
      const segments = await readdir(join(here.folder, 'approvals'));
      if (!segments.some((name) => name.startsWith('00000001'))) compacted += 1;
    }
    if (kills > 40) console.log(`${kills} processes were killed; ${settled} answers were settled before.`);
    expect(settled).toBeGreaterThan(kills * 2);
    expect(compacted).toBe(Math.ceil(kills / killsPerFolder));
  }, 1_200_000);
});

async function expectWhole(folder: string, settled: readonly string[]): Promise<void> {
  expect(new Set(settled).size).toBe(settled.length);
  await using store = new ApprovalFiles({ folder });
  const answered = new Set((await store.list({ state: 'answered' })).map(({ id }) => id));
  expect(settled.filter((id) => !answered.has(id))).toEqual([]);
  const audited = await Array.fromAsync(store.audit());
  expect(audited.map(({ id }) => id).toSorted()).toEqual([...answered].toSorted());
}

/** A line that was begun by a process that is gone. */
async function cutOff(folder: string, random: () => number): Promise<void> {
  const approvals = join(folder, 'approvals');
  const segments = (await readdir(approvals)).filter((name) => name.endsWith('.jsonl'));
  const newest = join(approvals, segments.toSorted().at(-1)!);
  const lines = (await readFile(newest, 'utf8')).split('\n');
  const line = lines[Math.floor(random() * lines.length)] ?? '';
  await appendFile(newest, `\n${line.slice(0, Math.floor(random() * line.length * 0.9))}`);
}
