import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url));

/** A program of `fixtures/` as one file: it starts several times as fast, and hundreds are started. */
export async function bundled(name: string): Promise<string> {
  const unique = createHash('sha256').update(`${process.pid} ${fixtures}`).digest('hex').slice(0, 12);
  const file = join(tmpdir(), `hexagent-${unique}-${name.replace('.ts', '.mjs')}`);
  const build = await rolldown({
    input: join(fixtures, name),
    platform: 'node',
    resolve: { conditionNames: ['@hexagent/source', 'import', 'node', 'default'] },
  });
  await build.write({ file, format: 'esm' });
  await build.close();
  return file;
}

/** Runs a program as a process: its options of Node, its file and its arguments. */
export function runProgram(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...args], { stdio: ['pipe', 'pipe', 'inherit'] });
}
