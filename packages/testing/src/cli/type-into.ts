import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What to type, once the program shows a text. */
export type Typing = readonly [shows: string, types: string];

/**
 * Runs a program of this repository that asks at its terminal, types answers when it asks, and resolves with all that it
 * printed. It is ended when it takes longer than a minute. Rejects unless it asked for each answer and exited with 0.
 */
export async function typeInto(program: string, env: NodeJS.ProcessEnv, answers: readonly Typing[]): Promise<string> {
  const child = spawn(process.execPath, ['--conditions=@hexagent/source', program], {
    env,
    cwd: env['PWD'],
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  let printed = '';
  let read = 0;
  const left = [...answers];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    for (let [next] = left; next && printed.includes(next[0], read); [next] = left) {
      read = printed.indexOf(next[0], read) + next[0].length;
      child.stdin.write(`${next[1]}\n`);
      left.shift();
    }
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0 && left.length === 0) return printed;
  throw new Error(
    `The program ended with ${code}, and did not ask for: ${left.map(([shows]) => shows).join(', ')}\n${printed}`,
  );
}
