/* Runs the example with the real CLI and a scripted model, and checks what it prints and what the model read. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { hermeticEnv, hermeticHome, requireCli, runProgram } from '@hexagent/testing/cli';
import { startLoopback, toolResults, toolUse, type ModelRequest } from '@hexagent/testing/loopback';

const program = fileURLToPath(new URL('./tools.ts', import.meta.url));
const calls = [
  toolUse('mcp__own__count', { fruit: 'pears' }),
  toolUse('mcp__own__count', { fruit: 'plums' }),
  toolUse('mcp__own__sell', { fruit: 'pears' }),
  toolUse('mcp__own__order', { fruit: 'pears', count: 0 }),
  toolUse('mcp__own__order', { fruit: 'pears' }),
  toolUse('mcp__own__sell', { fruit: 'pears' }),
];
const read: string[] = [];
const script = (request: ModelRequest): ReturnType<typeof toolUse> | string => {
  read.push(...toolResults(request).map(({ text }) => text));
  return calls.shift() ?? 'The customer has a pear.';
};

const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(script)]);
try {
  const extra = { PWD: home.cwd, CLAUDE_CODE_PATH: requireCli({ from: import.meta.url }) };
  const env = hermeticEnv({ loopback, home, extra });
  const { stdout } = await runProgram(program, env);
  assert.deepEqual(stdout.trim().split('\n'), [
    'ordered: 10 pears',
    'sold: one of the pears',
    'The customer has a pear.',
    'stock: {"apples":3,"pears":9}',
  ]);
  const wanted = [/^0$/, /Not sold here/, /no pears left/, /count: .*>0/s, /There are 10 now/, /9 are left/];
  assert.equal(read.length, wanted.length);
  for (const [index, words] of wanted.entries()) assert.match(read[index] ?? '', words);
  console.log('The example on tools did what it should.');
} finally {
  await loopback.close();
  await home.remove();
}
