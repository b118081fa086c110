/* Runs the example with the real CLI and a scripted model, and checks what it prints and what is on disk. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hermeticEnv, hermeticHome, requireCli, runProgram } from '@hexagent/testing/cli';
import { startLoopback, toolUse } from '@hexagent/testing/loopback';

const program = fileURLToPath(new URL('./hooks.ts', import.meta.url));
const run = (command: string): ReturnType<typeof toolUse> => toolUse('Bash', { command });
const script = [run('rm draft'), run('mv draft old'), 'I tidied up.', run('touch notes.md'), 'Done.'];
const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(script)]);
try {
  writeFileSync(join(home.cwd, 'draft'), '');
  mkdirSync(join(home.cwd, 'old'));
  const extra = { PWD: home.cwd, CLAUDE_CODE_PATH: requireCli({ from: import.meta.url }) };
  const env = hermeticEnv({ loopback, home, extra });
  const { stdout, stderr } = await runProgram(program, env);
  assert.deepEqual(stdout.trim().split('\n'), [
    'A matcher "Edit.*" would match Edit and NotebookEdit',
    'ran: Bash {"command":"mv --no-clobber draft old"}',
    'ran: Bash {"command":"touch notes.md"}',
    'refused: Bash {"command":"rm draft"}',
    'Done.',
  ]);
  assert.equal(stderr, '');
  assert.deepEqual(readdirSync(home.cwd).toSorted(), ['notes.md', 'old']);
  assert.deepEqual(readdirSync(join(home.cwd, 'old')), ['draft']);
  assert.match(JSON.stringify(loopback.requests[1]?.body.messages), /Nothing is deleted here/);
  assert.match(JSON.stringify(loopback.requests[3]?.body.messages), /Write down in notes\.md/);
  console.log('The example on hooks did what it should.');
} finally {
  await loopback.close();
  await home.remove();
}
