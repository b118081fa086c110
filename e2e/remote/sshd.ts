import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A server of OpenSSH on the loopback interface, with keys that are made for it. */
export interface Sshd extends AsyncDisposable {
  /** Arguments of `ssh` that reach it, with nothing of this user's configuration. */
  readonly args: readonly string[];
  readonly port: number;
  readonly pid: number;
}

const run = promisify(execFile);

/** @param tmp the `TMPDIR` of what it starts */
export async function startSshd(folder: string, tmp: string): Promise<Sshd> {
  const port = await freePort();
  const [hostKey, key, known] = ['host', 'key', 'known'].map((name) => join(folder, name)) as [string, string, string];
  const keygen = (file: string) => run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file]);
  await Promise.all([keygen(hostKey), keygen(key)]);
  await writeFile(known, `[127.0.0.1]:${port} ${await readFile(`${hostKey}.pub`, 'utf8')}`);
  const config = [
    ...[`ListenAddress 127.0.0.1:${port}`, `HostKey ${hostKey}`, `AuthorizedKeysFile ${key}.pub`, 'PidFile none'],
    ...['StrictModes no', 'UsePAM no', 'PasswordAuthentication no', 'PermitRootLogin yes', `SetEnv TMPDIR=${tmp}`],
  ];
  await writeFile(join(folder, 'config'), `${config.join('\n')}\n`);
  await mkdir('/run/sshd', { recursive: true }); // it drops its rights there
  const server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (piece: string) => (log += piece));
  while (!log.includes('Server listening')) {
    if (server.exitCode !== null) throw new Error(`sshd did not start: ${log}`);
    await Promise.race([once(server.stderr, 'data'), once(server, 'exit')]);
  }
  const options = [
    `UserKnownHostsFile=${known}`,
    'GlobalKnownHostsFile=none',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
  ];
  return {
    args: ['-F', 'none', '-p', String(port), '-i', key, ...options.flatMap((option) => ['-o', option])],
    port,
    pid: server.pid ?? 0,
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens to a port
  server.close();
  await once(server, 'close');
  return port;
}
