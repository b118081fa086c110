/* Runs the example with the real CLI and a scripted model, answers it, and checks what it prints and what is on disk. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hermeticEnv, hermeticHome, requireCli, typeInto } from '@hexagent/testing/cli';
import { startLoopback, toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';

const option = (label: string): object => ({ label, description: `it is ${label}` });
const questions = [
  { question: 'Which tone?', header: 'Tone', multiSelect: false, options: [option('warm'), option('brief')] },
  { question: 'Which topics?', header: 'Topics', multiSelect: true, options: [option('tea'), option('trains')] },
];

/** What the model does, request by request; the file for its plan is named in its prompt. */
const steps: readonly ((request: ModelRequest) => TurnLike)[] = [
  () => toolUse('AskUserQuestion', { questions }),
  (request) => writePlan(request, '# A long letter'),
  () => toolUse('ExitPlanMode', {}),
  (request) => writePlan(request, '# A short letter'),
  () => toolUse('ExitPlanMode', {}),
  () => toolUse('Write', { file_path: 'letter.txt', content: 'Dear Ada' }),
  () => 'The letter is written.',
];
const read: string[] = [];

function answer(request: ModelRequest): TurnLike {
  read.push(...toolResults(request).map(({ text }) => text));
  return steps[request.index]?.(request) ?? 'There is nothing more.';
}

function writePlan({ body }: ModelRequest, content: string): TurnLike {
  const [file] = /\/[\w./-]+\/plans\/[\w.-]+\.md/.exec(JSON.stringify(body)) ?? [];
  assert.ok(file, 'The prompt names the file of the plan.');
  return toolUse('Write', { file_path: file, content });
}

const program = fileURLToPath(new URL('./questions.ts', import.meta.url));
const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(answer)]);
try {
  const extra = { PWD: home.cwd, CLAUDE_CODE_PATH: requireCli({ from: import.meta.url }) };
  const env = hermeticEnv({ loopback, home, extra });
  const printed = await typeInto(program, env, [
    ['Which tone?', '2'],
    ['Which topics?', '1, cats'],
    ['# A long letter', 'Make it short.'],
    ['# A short letter', 'y'],
  ]);
  assert.match(read.join('\n'), /"Which tone\?"="brief", "Which topics\?"="tea, cats"/);
  assert.match(read.join('\n'), /What to change: Make it short\./);
  assert.match(read.join('\n'), /User has approved your plan/);
  assert.equal(readFileSync(join(home.cwd, 'letter.txt'), 'utf8'), 'Dear Ada');
  assert.match(printed, /The letter is written\.\n$/);
  console.log('The example on questions and plans did what it should.');
} finally {
  await loopback.close();
  await home.remove();
}
