/* The server of Restate that npm brings, in a folder of its own and on ports of the system's choice. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface RestateServer {
  /** Where clients send messages. */
  readonly ingress: string;
  /** Has Restate call the services of a process. */
  register(uri: string): Promise<void>;
  close(): Promise<void>;
}

/** The server for this platform; `undefined` where there is none, such as Windows. */
export function findServer(): string | undefined {
  try {
    const name = `@restatedev/restate-server-${process.platform}-${process.arch}`;
    return fileURLToPath(import.meta.resolve(`${name}/bin/restate-server`));
  } catch {
    return undefined;
  }
}

/** Without a name server it cannot ask GitHub for its latest version, which no option of it turns off. */
const secluded = [
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  'mount --bind /dev/null /etc/resolv.conf && exec "$0" "$@"',
];
const canSeclude = (): boolean => spawnSync('unshare', [...secluded, 'true']).status === 0;

export async function startRestate(executable: string, folder: string): Promise<RestateServer> {
  const command = canSeclude() ? ['unshare', ...secluded, executable] : [executable];
  const options =
    '--node-name local --bind-ip 127.0.0.1 --use-random-ports true --listen-mode tcp --default-num-partitions 2 --no-logo --log-format json';
  const server = spawn(command[0] ?? executable, [...command.slice(1), '--base-dir', folder, ...options.split(' ')], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], HOME: folder, RESTATE_DISABLE_TELEMETRY: 'true' },
  });
  const exited = once(server, 'exit');
  const close = async (): Promise<void> => {
    server.kill();
    await exited;
  };
  const [admin, ingress] = await portsOf(server.stdout);
  return {
    ingress: `http://127.0.0.1:${ingress}`,
    register: (uri) => register(`http://127.0.0.1:${admin}`, uri),
    close,
  };
}

/** The server chooses its ports, and writes them into its log. */
async function portsOf(log: NodeJS.ReadableStream): Promise<readonly number[]> {
  const names = ['admin-api-server', 'http-ingress-server'];
  const ports = new Map<string, number>();
  const lines = createInterface({ input: log });
  try {
    for await (const line of lines) {
      const { span = {} } = JSON.parse(line);
      ports.set(span.server_name, span['server.port']);
      const found = names.flatMap((name) => ports.get(name) ?? []);
      if (found.length === names.length) return found;
    }
  } finally {
    log.resume(); // a pipe that is full would stop the server
  }
  throw new Error('The Restate server ended before it listened.');
}

/** The server listens a little before it takes anything. */
async function register(admin: string, uri: string): Promise<void> {
  const body = JSON.stringify({ uri });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${admin}/deployments`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`Not registered: ${await response.text()}`);
}
