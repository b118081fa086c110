import path from 'node:path';
import type { Tape } from './read-tape.ts';
import { sentOn } from './sent-lines.ts';

export type TestRunner = 'vitest' | 'node' | 'jest' | 'bun';

export interface TestTextOptions {
  readonly runner: TestRunner;
  /** The file of the tape, and the file of the test, which may be in another folder. */
  readonly tape: string;
  readonly test: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
}

/** In Jest it is global, and what could be imported may not be installed beside it. */
const imports: Readonly<Record<TestRunner, string>> = {
  vitest: "\nimport { test } from 'vitest';",
  node: "\nimport { test } from 'node:test';",
  jest: '',
  bun: "\nimport { test } from 'bun:test';",
};

/** A program that needs this long is killed, and its test fails. */
const timeoutMs = 30_000;

/** The text of a test that replays a tape and asserts what the program did, for one of the test runners. */
export function testTextOf(recorded: Tape, { runner, tape, test, command }: TestTextOptions): string {
  const name = path.basename(tape);
  const file = path.relative(path.dirname(test), tape).replaceAll(path.sep, '/');
  const limit = timeoutMs * 2;
  const [head, tail] =
    runner === 'node'
      ? [`test(${quoted(name)}, { timeout: ${limit} }, async () => {`, '});']
      : [`test(${quoted(name)}, async () => {`, `}, ${limit});`];
  const sent = sentOn(recorded).map((text) => `    ${quoted(text)},\n`);
  return `// Replays ${file}, in which the agent is played from the tape, and asserts what the program did.
import assert from 'node:assert/strict';
import { replayProgram } from '@hexagent/tapes';${imports[runner]}

${head}
  const run = await replayProgram(new URL(${quoted(file)}, import.meta.url), {
    command: [${command.map(quoted).join(', ')}],
    timeoutMs: ${timeoutMs},
  });
  assert.equal(run.departure, undefined, run.departure);
  // What the program sent, in order.
  assert.deepEqual(run.sent, [${sent.length === 0 ? '' : `\n${sent.join('')}  `}]);
  assert.equal(run.timedOut, false, 'The program did not end in time.');
${endText(recorded)}${tail}
`;
}

/** A program whose agent ended in order ends in order as well; on a tape that was cut, only that it ends is known. */
function endText({ entries }: Tape): string {
  const isWhole = entries.some((entry) => 'end' in entry && entry.end);
  return isWhole ? '  assert.equal(run.exitCode, 0, run.stderr);\n' : '';
}

function quoted(text: string): string {
  const json = JSON.stringify(text);
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll(String.raw`\"`, '"')}'`;
}
