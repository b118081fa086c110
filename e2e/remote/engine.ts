import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** A stand-in of the Docker engine with a running container `box` and the image `agents`; both are namespaces of this machine. */
export interface Engine extends AsyncDisposable {
  /** The arguments of each call of the program `docker`. */
  readonly calls: readonly (readonly string[])[];
  /** The folder with the program, for `PATH`, and the socket of the engine. */
  readonly folder: string;
  readonly socket: string;
}

/** A process that is the first of its own process namespace. */
const isolated = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

export async function startEngine(folder: string, env: Readonly<Record<string, string>>): Promise<Engine> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await copyFile(join(import.meta.dirname, 'fixtures/docker.mjs'), join(bin, 'docker'));
  await chmod(join(bin, 'docker'), 0o755);
  const box = spawn('unshare', [...isolated, 'sh', '-c', 'echo here; exec sleep 1000'], { env, stdio: 'pipe' });
  await once(box.stdout, 'data');
  const inBox = readFileSync(`/proc/${box.pid}/task/${box.pid}/children`, 'utf8').trim();
  const enter = (words: readonly string[]): ChildProcessWithoutNullStreams =>
    spawn('nsenter', ['--target', inBox, '--mount', '--pid', ...words], { env, stdio: 'pipe', detached: true });

  const own = { ...env, TMPDIR: join(folder, 'of-container') };
  await mkdir(own.TMPDIR);
  const calls: string[][] = [];
  const named = new Map<string, ChildProcessWithoutNullStreams>();
  const serve = (args: string[], socket: Socket): void => {
    calls.push(args);
    const write = (kind: number, content: Buffer): void => {
      const head = Buffer.alloc(5);
      head[0] = kind;
      head.writeUInt32BE(content.length, 1);
      if (socket.writable) socket.write(Buffer.concat([head, content]));
    };
    const end = (code: number, error = ''): void => {
      if (error !== '') write(2, Buffer.from(`${error}\n`));
      write(0, Buffer.from(String(code)));
    };
    const attach = (child: ChildProcessWithoutNullStreams): void => {
      child.stdin.on('error', () => {});
      socket.pipe(child.stdin);
      socket.on('close', () => child.stdin.end());
      child.stdout.on('data', (chunk: Buffer) => write(1, chunk));
      child.stderr.on('data', (chunk: Buffer) => write(2, chunk));
      child.on('close', (code, signal) => end(code ?? (signal === 'SIGKILL' ? 137 : 143)));
    };
    const [action, ...rest] = args;
    const name = rest[rest.indexOf('--name') + 1] ?? '';
    if (action === 'exec') {
      const target = rest.at(-2) ?? '';
      if (target === 'box') return attach(enter(rest.slice(-1)));
      return end(1, `Error response from daemon: No such container: ${target}`);
    }
    if (action === 'rm') {
      named.get(rest.at(-1) ?? '')?.kill('SIGKILL');
      return end(0);
    }
    const image = rest.at(-1) ?? '';
    if (image !== 'agents')
      return end(125, `docker: Error response from daemon: pull access denied for ${image}, repository does not exist`);
    const entry = rest[rest.indexOf('--entrypoint') + 1] ?? '';
    // Its files go with it.
    const start = `mount -t tmpfs none "$TMPDIR" && exec ${entry}`;
    const container = spawn('unshare', [...isolated, 'sh', '-c', start], { env: own, stdio: 'pipe', detached: true });
    named.set(name, container);
    attach(container);
  };

  const socketPath = join(folder, 'engine');
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    let head = Buffer.alloc(0);
    socket.on('data', function read(chunk: Buffer) {
      head = Buffer.concat([head, chunk]);
      const at = head.indexOf('\n');
      if (at === -1) return;
      socket.off('data', read);
      socket.pause();
      const rest = head.subarray(at + 1);
      if (rest.length > 0) socket.unshift(rest);
      serve(JSON.parse(head.subarray(0, at).toString()) as string[], socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    calls,
    folder: bin,
    socket: socketPath,
    async [Symbol.asyncDispose]() {
      server.close();
      box.kill('SIGKILL');
      await once(box, 'exit');
    },
  };
}
