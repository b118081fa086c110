/* Runs the quickstart as printed, with the real CLI and a scripted model, and checks what it prints. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { hermeticEnv, hermeticHome, requireCli, runProgram } from '@hexagent/testing/cli';
import { startLoopback } from '@hexagent/testing/loopback';

const program = fileURLToPath(new URL('./quickstart.mjs', import.meta.url));
const cli = requireCli({ from: import.meta.url });
const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(['42'])]);
try {
  const extra = { PWD: home.cwd, CLAUDE_CODE_PATH: cli };
  const env = hermeticEnv({ loopback, home, extra });
  const { stdout } = await runProgram(program, env);
  assert.deepEqual(stdout.trim().split('\n'), ['system', 'assistant', 'result', '42']);
  console.log('The quickstart printed what it should.');
} finally {
  await loopback.close();
  await home.remove();
}
