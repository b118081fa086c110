import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hermeticHome } from '@hexagent/testing/cli';
import { describe, expect, it } from 'vitest';
import { runWithPipes, type RunningProgram } from '../support/running-program.ts';

const program = fileURLToPath(new URL('fixtures/hosting-program.ts', import.meta.url));
const other = fileURLToPath(new URL('fixtures/other-hosting-program.ts', import.meta.url));

async function reportOf(running: RunningProgram): Promise<unknown> {
  await running.shows('}\n');
  return JSON.parse(running.output);
}

describe('Programs that are given no folder for their sessions', () => {
  it('share one where they are the same program, which continues where it was killed, and with no other', async () => {
    const home = await hermeticHome();
    const elsewhere = path.join(home.root, 'elsewhere');
    await mkdir(elsewhere);
    const run = (file: string, cwd: string = home.cwd): RunningProgram =>
      runWithPipes(['--conditions=@hexagent/source', file], { cwd, env: { HOME: home.home } });
    try {
      const first = run(program);
      expect(await reportOf(first)).toEqual({ found: [], sent: 'accepted' });
      {
        await using second = run(program);
        await using stranger = run(other);
        await using moved = run(program, elsewhere);
        expect(await reportOf(second)).toEqual({ found: ['one'], sent: 'accepted elsewhere' });
        expect(await reportOf(stranger)).toEqual({ found: [], sent: 'accepted' });
        expect(await reportOf(moved)).toEqual({ found: [], sent: 'accepted' });
      }
      process.kill(first.pid, 'SIGKILL');
      await first.exitCode;
      await using third = run(program);
      expect(await reportOf(third)).toEqual({ found: ['one'], sent: 'accepted' });
    } finally {
      await home.remove();
    }
  });
});
