/* Runs the example with the real CLI and a scripted model, and checks the trace that it prints. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { hermeticEnv, hermeticHome, requireCli, runProgram } from '@hexagent/testing/cli';
import { startLoopback, toolUse } from '@hexagent/testing/loopback';

const program = fileURLToPath(new URL('./telemetry.ts', import.meta.url));
const script = [toolUse('mcp__own__weather', { city: 'Rome' }), 'It rains.'];
const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(script)]);
try {
  const extra = { PWD: home.cwd, CLAUDE_CODE_PATH: requireCli({ from: import.meta.url }) };
  const { stdout, stderr } = await runProgram(program, hermeticEnv({ loopback, home, extra }));
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    'It rains.',
    'POST /questions',
    '  invoke_agent claude-code: 40 tokens',
    '    chat claude-opus-5-5: 20 tokens',
    '      execute_tool mcp__own__weather: allow by program',
    '        SELECT weather',
    '    chat claude-opus-5-5: 20 tokens',
  ]);
  assert.equal(stderr, '');
  console.log('The example on telemetry did what it should.');
} finally {
  await loopback.close();
  await home.remove();
}
