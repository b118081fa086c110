/* Runs the example with the real CLI and a scripted model, and checks what it prints and what the model read. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { hermeticEnv, hermeticHome, processesMentioning, requireCli, runProgram } from '@hexagent/testing/cli';
import { startLoopback, toolResults, toolUse, type ModelRequest } from '@hexagent/testing/loopback';

const program = fileURLToPath(new URL('./external-tools.ts', import.meta.url));
const entities = [{ name: 'build', entityType: 'fact', observations: ['is green'] }];
const replies = [
  toolUse('mcp__memory__remember', { entities }),
  toolUse('mcp__memory__delete_entities', { entityNames: ['build'] }),
  'I will.',
  toolUse('mcp__memory__recall', {}),
  'It is green.',
];
const read: string[] = [];
const script = (request: ModelRequest): ReturnType<typeof toolUse> | string => {
  read.push(...toolResults(request).map(({ text }) => text));
  return replies.shift() ?? 'Nothing.';
};

const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(script)]);
try {
  const extra = { PWD: home.cwd, CLAUDE_CODE_PATH: requireCli({ from: import.meta.url }) };
  const env = hermeticEnv({ loopback, home, extra });
  const { stdout } = await runProgram(program, env);
  assert.deepEqual(stdout.trim().split('\n'), [
    'memory: connecting',
    'memory: connected',
    'I will.',
    'It is green.',
    'memory: idle',
  ]);
  const wanted = [/is green/, /No such tool available/, /"name": ?"build".*is green/s];
  assert.equal(read.length, wanted.length);
  for (const [index, words] of wanted.entries()) assert.match(read[index] ?? '', words);
  assert.deepEqual(processesMentioning(home.root), []);
  console.log('The example on servers of others did what it should.');
} finally {
  await loopback.close();
  await home.remove();
}
