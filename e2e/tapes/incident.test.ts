import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTape } from '@hexagent/tapes';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { testFolder } from './place.ts';
import { linkPackages } from './project.ts';
import { runNode, type Ran } from './run-node.ts';

const page = readFileSync(new URL('../../docs/incident-to-test.md', import.meta.url), 'utf8');

/** The program as it hung, and as it was mended. */
const [hanging = '', mended = ''] = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
const hexagent = fileURLToPath(new URL('../../packages/sdk/src/hexagent.ts', import.meta.url));

/** Runs the program with the real CLI until it hangs, and kills it. */
async function recordIncident(folder: string): Promise<string> {
  await using place = await stage([
    toolUse('Bash', { command: 'rm -r backups/2025' }),
    'I was not allowed to remove them.',
  ]);
  const tapes = path.join(folder, 'tapes');
  const program = spawn(process.execPath, ['--conditions=@hexagent/source', 'agent.mjs'], {
    cwd: folder,
    env: { ...place.env, CLAUDE_CODE_PATH: cli, HEXAGENT_RECORD: tapes },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = once(program, 'exit');
  await expect.poll(() => isIdle(tapes), { timeout: 30_000 }).toBe(true);
  program.kill('SIGKILL');
  await exited;
  const [name = ''] = readdirSync(tapes);
  renameSync(path.join(tapes, name), path.join(folder, 'incident.tape'));
  return path.join(folder, 'incident.tape');
}

function isIdle(tapes: string): boolean {
  try {
    const [name = ''] = readdirSync(tapes);
    const states = readTape(path.join(tapes, name)).entries.map((entry) => 'line' in entry && entry.line);
    return states.some((line) => line !== false && line.includes('"state":"idle"'));
  } catch {
    return false; // not there yet
  }
}

withCli('The walk from an incident to a failing test', () => {
  it('does what its page says', async () => {
    const folder = testFolder();
    linkPackages(folder);
    writeFileSync(path.join(folder, 'agent.mjs'), hanging);
    await recordIncident(folder);

    // The page waits ten seconds.
    const run = (...args: readonly string[]): Promise<Ran> =>
      runNode(folder, args, { HEXAGENT_REPLAY_WAIT_MS: '1000' });
    const shown = await run(hexagent, 'tape', 'show', 'incident.tape');
    expect(shown.stdout).toContain('→ answers can_use_tool Bash: deny "Backups stay until Monday."\n');
    expect(shown.stdout).toContain('← result success "I was not allowed to remove them."');
    expect(shown.stdout).not.toMatch(/ends the input|closes the connection/);

    expect(await run(hexagent, 'tape', 'to-test', 'incident.tape', '--', 'node', 'agent.mjs')).toMatchObject({
      code: 0,
    });
    const failed = await run('--test', 'incident.test.mjs');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('It has not ended the conversation for 1000 ms, and the tape ends here.');
    const test = readFileSync(path.join(folder, 'incident.test.mjs'), 'utf8').replaceAll(/^ +/gm, '');
    const [, quoted = ''] = /```js fragment\n(.*?)```/s.exec(page) ?? [];
    expect(test).toContain(quoted.replaceAll(/^ +/gm, ''));

    writeFileSync(path.join(folder, 'agent.mjs'), mended);
    expect(await run('--test', 'incident.test.mjs')).toMatchObject({ code: 0 });
  });
});
