import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Problem } from '../chat/program.ts';

/** A worker or a gateway, in a process of its own. */
export interface Member {
  readonly address: string;
  readonly isRunning: boolean;
  /** As by `kill -9`. */
  kill(): void;
  /** Lets it end what it does. */
  drain(): void;
  /** Resolves when it has exited. */
  end(): Promise<void>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Starts one, and resolves when it can be reached. It ends with this process, also when that is killed. */
export async function startMember(kind: 'worker' | 'gateway', env: Environment): Promise<Member> {
  const program = fileURLToPath(new URL(`${kind}.ts`, import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@hexagent/source', '--no-warnings', program], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const output = child.stdout as Readable; // as `stdio` says
  const exited = once(child, 'exit');
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  let address = '';
  for await (const line of createInterface({ input: output })) {
    address = /https?:\S+/.exec(line)?.[0] ?? '';
    if (address !== '') break;
  }
  if (address === '') throw new Problem(`A ${kind} exited before it could be reached: what it wrote is above.`);
  output.resume();
  return {
    address,
    get isRunning() {
      return isRunning();
    },
    kill: () => void child.kill('SIGKILL'),
    drain: () => void child.kill('SIGTERM'),
    async end() {
      if (!isRunning()) return;
      child.kill('SIGINT');
      const over = new AbortController();
      const tooLate = wait(10_000, undefined, { signal: over.signal }).then(
        () => {
          console.error(`Error: a ${kind} did not end within ten seconds, and was killed.`);
          child.kill('SIGKILL');
        },
        () => {},
      );
      await exited;
      over.abort();
      await tooLate;
    },
  };
}
