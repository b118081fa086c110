import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('fixtures/', import.meta.url));

/** A program of `fixtures/` that runs as a process of its own, from sources. */
export function runProgram(name: string, ...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--conditions=@hexagent/source', `${here}${name}`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** All that a program prints, when it has ended. */
export async function outputOf(child: ChildProcess): Promise<string> {
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return Buffer.concat(chunks).toString('utf8');
}
