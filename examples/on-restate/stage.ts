/* What the check plays on: the server of Restate, a worker that can be killed, and the scripted model of its agents. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  descendants,
  hermeticEnv,
  hermeticHome,
  processesMentioning,
  requireCli,
  survivors,
} from '@hexagent/testing/cli';
import { startLoopback, type Answerer, type Loopback } from '@hexagent/testing/loopback';
import { startRestate } from './restate-server.ts';

export interface Stage extends AsyncDisposable {
  readonly loopback: Loopback;
  /** The address of Restate. */
  readonly ingress: string;
  /** Where the agents work. */
  readonly folder: string;
  /** Resolves when a transcript of the agents has this. */
  written(pattern: RegExp): Promise<void>;
  /** Runs the client in a process of its own, and resolves with what it prints. */
  client(...args: readonly string[]): Promise<unknown>;
  startWorker(): Promise<void>;
  /** As by `kill -9`. Resolves when its agents are gone, too. */
  killWorker(): Promise<void>;
  /** As a deployment does. Resolves with the processes that are left of it and of its agents. */
  endWorker(): Promise<readonly number[]>;
}

const nodeArgs = (program: string): string[] => [
  '--conditions=@hexagent/source',
  fileURLToPath(new URL(program, import.meta.url)),
];

export async function openStage(executable: string, script: Answerer): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await hermeticHome());
  const loopback = opened.adopt(await startLoopback(script), (model) => model.close());
  const restate = opened.adopt(await startRestate(executable, join(home.root, 'restate')), (server) => server.close());
  const port = await freePort();
  const extra = {
    CLAUDE_CODE_PATH: requireCli({ from: import.meta.url }),
    RESTATE: restate.ingress,
    PORT: String(port),
    FOLDER: join(home.root, 'sessions'),
    RESTATE_LOGGING: 'ERROR',
  };
  const env = hermeticEnv({ loopback, home, extra });
  let worker: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (worker === undefined) return;
    const exited = once(worker, 'exit');
    worker.kill(signal);
    worker = undefined;
    await exited;
  };
  const startWorker = async (): Promise<void> => {
    worker = spawn(process.execPath, nodeArgs('./worker.ts'), {
      cwd: home.cwd,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await writes(worker, 'Listening');
  };
  opened.defer(() => end('SIGKILL'));
  await startWorker();
  await restate.register(`http://127.0.0.1:${port}`);
  const stack = opened.move();
  return {
    loopback,
    ingress: restate.ingress,
    folder: home.cwd,
    written: async (pattern) => {
      for (let tries = 0; !pattern.test(await transcriptsBelow(home.root)); tries += 1) {
        if (tries === 600) throw new Error(`No transcript has ${pattern}.`);
        await sleep(50);
      }
    },
    client: async (...args) => {
      const { stdout } = await promisify(execFile)(process.execPath, [...nodeArgs('./client.ts'), ...args], {
        env,
        timeout: 60_000,
      });
      return stdout === '' ? undefined : JSON.parse(stdout);
    },
    startWorker,
    killWorker: async () => {
      const running = worker?.pid === undefined ? [] : descendants(worker.pid);
      await end('SIGKILL');
      // Until they are gone, the agents continue with what the model says.
      await survivors(running, 10_000);
    },
    endWorker: async () => {
      const running = processesMentioning(extra.FOLDER).map(({ pid }) => pid);
      await end('SIGTERM');
      return await survivors(running, 10_000);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function transcriptsBelow(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const transcripts = files.filter((file) => file.includes('projects') && file.endsWith('.jsonl'));
  return (await Promise.all(transcripts.map((file) => readFile(join(folder, file), 'utf8')))).join('');
}

/** The worker needs the same port again after its death: by it Restate knows where to call. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port, so it is no pipe
  server.close();
  return port;
}

async function writes(child: ChildProcess, text: string): Promise<void> {
  const { stdout } = child;
  if (stdout === null) throw new Error('The worker was started without a pipe.');
  for await (const line of createInterface({ input: stdout }))
    if (line.startsWith(text)) {
      stdout.resume();
      return;
    }
  throw new Error('The worker exited before it listened.');
}
