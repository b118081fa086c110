import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allow, openSession } from '@hexagent/sdk';
import { survivors } from '@hexagent/testing/cli';
import { toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect } from 'vitest';
import { stage, type Stage } from '../support/stage.ts';
import { compileCache } from '../support/compile-cache.ts';
import { storedTexts } from '../support/stored-texts.ts';
import { Desk, folderOf, waitingAt } from './desk.ts';

const asksAndWaits = fileURLToPath(new URL('fixtures/asks-and-waits.ts', import.meta.url));

export const isMade = ({ home }: Stage): boolean => existsSync(join(home.cwd, 'made'));

/** Kills a program that waits for an approval, which is answered meanwhile or not, and resumes its session. */
export async function askedAgain(meanwhile?: ReturnType<typeof allow>): Promise<void> {
  await using place = await stage((request) => {
    // After the restart the call shows as cut off, or as refused where the agent saw the end of its input before it was killed.
    // The model makes it again in both cases.
    if (isMade(place)) return `The tool said: ${toolResults(request).at(-1)?.text}`;
    return toolUse('Bash', { command: 'touch made' });
  });
  const sessionId = crypto.randomUUID();
  const options = JSON.stringify({ ...place.options, sessionId });
  const program = spawn(process.execPath, ['--conditions=@hexagent/source', asksAndWaits, folderOf(place), options], {
    env: { ...process.env, ...compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(program.stdout, 'data');
  const { agent, id } = JSON.parse(String(line));
  // The agent stores a moment later what it does; a session that is not stored cannot be resumed.
  await expect.poll(() => storedTexts(place, 'tool_use')).toHaveLength(1);
  program.kill('SIGKILL');
  await once(program, 'close');
  // Its parent has exited: where no other process waits for it, as in some containers, it stays listed without running.
  // Asking for its id alone made this fail in every run from the moment when nothing waited for orphans any more.
  expect(await survivors([agent], 20_000)).toEqual([]);
  expect(isMade(place)).toBe(false);

  await using desk = new Desk(place);
  const settled = meanwhile && (await desk.approvals.settle(id, meanwhile, 'ada'));
  expect(settled?.outcome).toBe(meanwhile && 'settled');
  const lost = await desk.approvals.recover();
  expect(lost.map((record) => record.id)).toEqual(meanwhile === undefined ? [id] : []);

  await using session = await openSession({
    ...place.options,
    resume: sessionId,
    onAsk: desk.onAsk,
  });
  const turn = session.send('go on');
  const again = await waitingAt(desk);
  expect(again.id).not.toBe(id);
  expect(again.offered).toMatchObject({ id, ...(meanwhile && { answer: meanwhile, actor: 'ada' }) });
  expect(isMade(place)).toBe(false);
  await desk.approvals.settle(again.id, again.offered?.answer ?? allow(), 'bob');
  expect(await turn.result).toMatchObject({ kind: 'completed' });
  expect(isMade(place)).toBe(true);
}
