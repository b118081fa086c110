/* Runs the quickstart as printed, with the real CLI and a scripted model, and checks what it prints. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hermeticEnv, hermeticHome, requireCli } from '@hexagent/testing/cli';
import { startLoopback } from '@hexagent/testing/loopback';

const program = fileURLToPath(new URL('./quickstart.mjs', import.meta.url));
const cli = requireCli({ from: import.meta.url });
const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(['42'])]);
try {
  const env = hermeticEnv({ loopback, home, extra: { CLAUDE_CODE_PATH: cli } });
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@hexagent/source', program], {
    env,
    cwd: home.cwd,
  });
  assert.deepEqual(stdout.trim().split('\n'), ['system', 'assistant', 'result', '42']);
  console.log('The quickstart printed what it should.');
} finally {
  await loopback.close();
  await home.remove();
}
