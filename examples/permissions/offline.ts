/* Runs the example with the real CLI and a scripted model, answers it, and checks what it prints and what is on disk. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hermeticEnv, hermeticHome, requireCli, typeInto } from '@hexagent/testing/cli';
import { startLoopback, toolUse } from '@hexagent/testing/loopback';

const program = fileURLToPath(new URL('./permissions.ts', import.meta.url));
const run = (command: string): ReturnType<typeof toolUse> => toolUse('Bash', { command });
const commands = ['touch may', 'touch june', 'touch june july', 'touch letter', 'rm kept'];
const [home, loopback] = await Promise.all([hermeticHome(), startLoopback([...commands.map(run), 'Done.'])]);
try {
  writeFileSync(join(home.cwd, 'kept'), '');
  const extra = { PWD: home.cwd, CLAUDE_CODE_PATH: requireCli({ from: import.meta.url }) };
  const env = hermeticEnv({ loopback, home, extra });
  const printed = await typeInto(program, env, [
    ['touch may', 'y'],
    ['touch june', 'a'], // covers the third
    ['touch letter', 'No letters.'],
  ]);
  assert.deepEqual(readdirSync(home.cwd).toSorted(), ['july', 'june', 'kept', 'may']);
  assert.match(printed, /a: yes, and Bash\(touch june \*\) from now on/);
  assert.ok(!printed.includes('Bash: touch june july'));
  assert.match(printed, /Not run: Bash \{"command":"touch letter"\}/);
  assert.match(printed, /Not run: Bash \{"command":"rm kept"\}/);
  console.log('The example on permissions did what it should.');
} finally {
  await loopback.close();
  await home.remove();
}
