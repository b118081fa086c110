import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, docker, openSession, ssh, type RemoteCommand } from '@hexagent/sdk';
import { hermeticHome } from '@hexagent/testing/cli';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canBePlaced, startPlaces, type Places } from './places.ts';

let places: Places;

const open = (executable: RemoteCommand): Promise<unknown> =>
  openSession({ executable, cwd: '/', env: { policy: 'exact', set: {} } }).then((session) => session.close());

describe.skipIf(!canBePlaced)('A place that cannot be used is an error with its reason:', () => {
  beforeAll(async () => void (places = await startPlaces()));
  afterAll(() => places[Symbol.asyncDispose]());

  const sshWith = (host: string, ...args: readonly string[]) => ssh({ host, args: [...args, ...places.sshd.args] });

  it.each<[string, () => RemoteCommand, string, RegExp]>([
    ['the command is missing', () => command(['no-such-ssh', 'there']), 'PLACE_UNREACHABLE', /no program no-such-ssh/],
    ['the host has no name', () => sshWith('no-such-host.invalid'), 'PLACE_UNREACHABLE', /not resolve|not known/i],
    ['nothing listens there', () => sshWith('root@127.0.0.1', '-p', '1'), 'PLACE_UNREACHABLE', /Connection refused/],
    [
      'the host key is unknown',
      () => sshWith('root@127.0.0.1', '-o', 'UserKnownHostsFile=none'),
      'PLACE_UNREACHABLE',
      /Host key verification failed/,
    ],
    [
      'the login is refused',
      () => sshWith('root@127.0.0.1', '-i', '/dev/null', '-o', 'PubkeyAuthentication=no'),
      'PLACE_UNREACHABLE',
      /Permission denied/,
    ],
    ['the container is missing', () => docker({ container: 'gone' }), 'PLACE_UNREACHABLE', /No such container: gone/],
    [
      'the image is missing',
      () => docker({ image: 'no-such-image' }),
      'PLACE_UNREACHABLE',
      /access denied for no-such-image/,
    ],
    [
      'there is no shell',
      () => command(['sh', '-c', 'echo "sh: not found" >&2; exit 127', 'there']),
      'PLACE_UNREACHABLE',
      /code 127.*sh: not found/s,
    ],
    [
      'nothing answers',
      () => command(['sh', '-c', 'echo "Password:"; exec sleep 1000', 'there'], { connectTimeoutMs: 2000 }),
      'PLACE_UNREACHABLE',
      /within 2000 ms.*Password:/s,
    ],
    ['there is no CLI', () => places.of.ssh({ cli: 'no-such-cli' }), 'AGENT_NOT_FOUND', /no no-such-cli there/],
    [
      'the named CLI is missing',
      () => places.of.ssh({ cli: '/no/such/cli' }),
      'AGENT_NOT_FOUND',
      /no \/no\/such\/cli there/,
    ],
    [
      'the named CLI may not be run',
      () => places.of.ssh({ cli: '/etc/passwd' }),
      'AGENT_NOT_EXECUTABLE',
      /\/etc\/passwd/,
    ],
  ])('%s', async (_, executable, code, message) => {
    await expect(open(executable())).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
      remedy: expect.any(String),
    });
    await expect.poll(() => places.privateFolders()).toEqual([]);
  });

  it('the private folder cannot be made', async () => {
    const full = command(['env', 'TMPDIR=/no/such/folder'], {});
    await expect(open(full)).rejects.toMatchObject({
      code: 'AGENT_START_FAILED',
      message: expect.stringContaining('/no/such/folder'),
    });
  });

  it('a greeting of the login is skipped', async () => {
    await using home = await hermeticHome();
    await writeFile(join(home.cwd, 'agent'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const executable = command(['sh', '-c', 'echo Welcome.; echo Be kind.; exec "$@"', 'there'], {
      cli: join(home.cwd, 'agent'),
    });
    const session = await openSession({ executable });
    await expect(session.ready).rejects.toMatchObject({ code: 'AGENT_EXITED', exitCode: 3 });
  });
});
