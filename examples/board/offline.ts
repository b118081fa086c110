/* Runs each program of the board, ours and the official one, with the real CLI and a scripted model, and checks what it prints. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hermeticEnv, hermeticHome, requireCli, runProgram, typeInto } from '@hexagent/testing/cli';
import { startLoopback } from '@hexagent/testing/loopback';
import { readChat } from './read-chat.ts';
import { tasks, type Task } from './tasks.ts';

const programs = Object.entries(tasks).flatMap(([name, task]) =>
  ['.', './official'].map((folder) => ({ folder, name, task })),
);

async function check({ folder, name, task }: (typeof programs)[number]): Promise<void> {
  const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(task.script)]);
  const fileOf = (program: string): string => fileURLToPath(new URL(`${folder}/${program}.ts`, import.meta.url));
  const cli = requireCli({ from: import.meta.url });
  const env = hermeticEnv({ loopback, home, extra: { PWD: home.cwd, CLAUDE_CODE_PATH: cli } });
  try {
    if (task.after !== undefined) await runProgram(fileOf(task.after), env);
    const printed = await run(fileOf(name), task, env);
    assert.match(printed, task.prints, `${folder}/${name}.ts printed:\n${printed}`);
  } finally {
    await loopback.close();
    await home.remove();
  }
}

async function run(program: string, { typed, folders = [], isServer }: Task, env: NodeJS.ProcessEnv): Promise<string> {
  if (isServer === true) return await readChat(program, env);
  if (typed !== undefined) return await typeInto(program, env, typed);
  const paths = folders.map((folder) => join(env['PWD'] ?? '', folder));
  for (const path of paths) mkdirSync(path);
  const { stdout, stderr } = await runProgram(program, env, paths);
  return stdout + stderr;
}

// One after the other: the time of a task that waits must not depend on the others.
const failures: unknown[] = [];
for (const program of programs) await check(program).catch((error: unknown) => failures.push(error));
for (const failure of failures) console.error(failure);
if (failures.length > 0) process.exitCode = 1;
else console.log(`The ${programs.length} programs of the board did what they should.`);
