/* Has the real CLI store a session with a scripted model, runs the example on it, and checks what it prints. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { ask } from '@hexagent/sdk';
import { hermeticEnv, hermeticHome, requireCli, runProgram } from '@hexagent/testing/cli';
import { startLoopback, toolResults, toolUse, type ModelRequest } from '@hexagent/testing/loopback';

const program = fileURLToPath(new URL('./sessions.ts', import.meta.url));
const script = (request: ModelRequest) =>
  toolResults(request).length > 0 ? 'It says hello.' : toolUse('Bash', { command: 'echo hello' });

const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(script)]);
try {
  const extra = { PWD: home.cwd, CLAUDE_CODE_PATH: requireCli({ from: import.meta.url }) };
  const env = hermeticEnv({ loopback, home, extra });
  const options = { cwd: home.cwd, env: { policy: 'exact', set: env }, permissions: { mode: 'allow' } } as const;
  const outcome = await ask('What does it say?', options).result;
  assert.equal(outcome.kind, 'completed');
  const browse = async (...args: readonly string[]): Promise<string[]> => {
    const { stdout } = await runProgram(program, env, args);
    return stdout.trim().split('\n');
  };
  const [line = ''] = await browse('list', '--dir', home.cwd);
  assert.match(line, /^[0-9a-f-]{36} What does it say\?/);
  const id = line.slice(0, 36);
  assert.deepEqual(await browse('show', id), [
    'user: What does it say?',
    'assistant: [Bash]',
    'user: [tool_result]',
    'assistant: It says hello.',
  ]);
  const [copy = ''] = await browse('fork', id);
  await browse('rename', id, 'A', 'greeting');
  const lines = await browse('list', '--limit', '5');
  assert.deepEqual(
    lines.map((each) => each.trim()).toSorted(),
    [`${id} A greeting`, `${copy} What does it say? (fork)`].toSorted(),
  );
  assert.deepEqual(await browse('show', copy), await browse('show', id));
  console.log('The example on stored sessions did what it should.');
} finally {
  await loopback.close();
  await home.remove();
}
