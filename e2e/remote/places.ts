import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { command, docker, ssh, type PlaceOptions, type RemoteCommand } from '@hexagent/sdk';
import { startEngine, type Engine } from './engine.ts';
import { startSshd, type Sshd } from './sshd.ts';

/** Places on this machine that share its files and its loopback interface, and nothing else. */
export interface Places extends AsyncDisposable {
  readonly of: Readonly<Record<PlaceName, (options: PlaceOptions) => RemoteCommand>>;
  readonly sshd: Sshd;
  readonly engine: Engine;
  /** The names of the private folders that are there. */
  privateFolders(): readonly string[];
}

export type PlaceName = 'ssh' | 'a namespace' | 'a container' | 'an image';

/** What the places need; CI installs it by `.ci/system`. */
export const canBePlaced: boolean =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  existsSync('/usr/sbin/sshd') &&
  existsSync('/usr/bin/unshare');

export async function startPlaces(): Promise<Places> {
  const folder = await mkdtemp(join(tmpdir(), 'hexagent-places-'));
  const tmp = join(folder, 'tmp');
  await mkdir(tmp);
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root', TMPDIR: tmp };
  const [sshd, engine] = await Promise.all([startSshd(folder, tmp), startEngine(folder, env)]);
  const path = process.env['PATH'];
  process.env['PATH'] = [engine.folder, path].join(delimiter);
  const temporary = process.env['TMPDIR'];
  process.env['HEXAGENT_STAND_IN_ENGINE'] = engine.socket;
  process.env['TMPDIR'] = tmp; // as a sandbox that shares the files of this machine has it, too
  const cleared = ['env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const privateFolders = (): readonly string[] =>
    readdirSync(tmp).filter((name) => /^hexagent-[0-9a-f]{32}$/.test(name));
  return {
    of: {
      ssh: (options) => ssh({ host: 'root@127.0.0.1', args: sshd.args, ...options }),
      'a namespace': (options) =>
        command([...cleared, 'unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'], options),
      'a container': (options) => docker({ container: 'box', ...options }),
      'an image': (options) => docker({ image: 'agents', ...options }),
    },
    sshd,
    engine,
    privateFolders,
    async [Symbol.asyncDispose]() {
      process.env['PATH'] = path;
      delete process.env['HEXAGENT_STAND_IN_ENGINE'];
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
      const left = privateFolders();
      await engine[Symbol.asyncDispose]();
      await sshd[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
      if (left.length > 0) throw new Error(`Left behind: ${left.join(', ')}`);
    },
  };
}
