import { argument, delay, isRecord, list, record, refuse, shown, text, type Check } from '@hexagent/checks';

/**
 * A place where agents run, reached through a command line of this machine. `ssh()`, `docker()` and `command()` make one; an
 * object of your own with these members is one too.
 */
export interface RemoteCommand {
  /** Names the place in messages. */
  readonly place: string;
  /**
   * The words of a command line that runs `sh` there, with its standard input, output and error stream as they are: no
   * terminal, nothing added. The first is an absolute path, or a name in `PATH`. It contains nothing of the session.
   * @param id letters and digits, another for each agent
   */
  argv(id: string): readonly string[];
  /**
   * The words of a command line that ends what `argv(id)` started and what that started, for an agent that does not read its
   * input. Left out: `argv` is run once more, and its shell ends the agent.
   */
  endArgv?(id: string): readonly string[];
  /** The CLI there: an absolute path or a name in its `PATH`; a list where a program runs it. Left out: it is searched for. */
  readonly cli?: string | readonly string[] | undefined;
  /** How long each step of reaching the place may take, in milliseconds. Default 60 000; 0 or `Infinity` for no limit. */
  readonly connectTimeoutMs?: number | undefined;
}

/** What every place takes. */
export interface PlaceOptions {
  /** The CLI there: an absolute path or a name in its `PATH`; a list where a program runs it. Default: it is searched for. */
  readonly cli?: string | readonly string[] | undefined;
  /** How long each step of reaching the place may take, in milliseconds. Default 60 000; 0 or `Infinity` for no limit. */
  readonly connectTimeoutMs?: number | undefined;
}

/** Another machine, reached by the program `ssh`. */
export interface SshOptions extends PlaceOptions {
  /** `host`, `user@host`, `ssh://user@host:port`, or a name of your ssh configuration. */
  readonly host: string;
  /** Arguments of `ssh`, such as `['-p', '2222', '-i', 'key']`. They take precedence over those that are given anyway. */
  readonly args?: readonly string[] | undefined;
}

/** A container, reached by the program `docker`: one that runs, or a new one for each agent. */
export interface DockerOptions extends PlaceOptions {
  /** A container is made of this image for each agent, and removed with it. */
  readonly image?: string | undefined;
  /** The name or the id of a container that runs. */
  readonly container?: string | undefined;
  /** Arguments of `docker run` or `docker exec`, such as `['--volume', '/srv/project:/work']`. */
  readonly args?: readonly string[] | undefined;
}

/**
 * Runs agents on another machine, by the program `ssh`. It never asks for a password: keys and hosts have to be known.
 * @example
 * const session = await openSession({ executable: ssh({ host: 'build-1' }), cwd: '/srv/project' });
 * @throws {TypeError} that names a wrong option
 */
export function ssh(options: SshOptions): RemoteCommand {
  const { host, args = [], ...common } = sshOptions(options, '');
  const words = [...args, ...sshDefaults, '--', host, 'exec sh'];
  return { place: host, argv: () => ['ssh', ...words], ...common };
}

/**
 * `ssh` uses the first of two equal options, so those of the caller come first. Without a master of its own: one that this
 * connection started would end with it, and with it the other connections that use it. One that is there already is used.
 */
const sshDefaults = [
  '-T',
  ...['BatchMode=yes', 'ControlMaster=no', 'ServerAliveInterval=15', 'ServerAliveCountMax=3'].flatMap((option) => [
    '-o',
    option,
  ]),
];

/**
 * Runs agents in containers, by the program `docker`.
 * @example
 * const session = await openSession({ executable: docker({ container: 'web' }), cwd: '/app' });
 * @throws {TypeError} that names a wrong option
 */
export function docker(options: DockerOptions): RemoteCommand {
  const { image, container, args = [], ...common } = dockerOptions(options, '');
  if ((image === undefined) === (container === undefined))
    throw new TypeError('docker() takes `image`, for a new container for each agent, or `container`, and not both.');
  if (container !== undefined) {
    const words = ['docker', 'exec', '--interactive', ...args, container, 'sh'];
    return { place: `the container ${container}`, argv: () => words, ...common };
  }
  return {
    place: `a container of ${image}`,
    argv: (id) => [
      ...['docker', 'run', '--rm', '--interactive', '--init', '--name', nameOf(id), '--entrypoint', 'sh'],
      ...args,
      image as string, // as was just checked
    ],
    endArgv: (id) => ['docker', 'rm', '--force', nameOf(id)],
    ...common,
  };
}

const nameOf = (id: string): string => `hexagent-${id}`;

/**
 * Runs agents behind a command line of your own, to which the word `sh` is added: it must run that program elsewhere, with its
 * input and its two outputs.
 * @example
 * const executable = command(['kubectl', 'exec', '--stdin', 'agents-0', '--']);
 * @throws {TypeError} that names a wrong value
 */
export function command(argv: readonly string[], options: PlaceOptions = {}): RemoteCommand {
  const words = someWords(argv, 'argv');
  return { place: words.join(' '), argv: () => [...words, 'sh'], ...placeOptions(options, '') };
}

/** Whether it is a place, also one that another copy of this package has made. */
export function isRemoteCommand(value: unknown): value is RemoteCommand {
  return isRecord(value) && typeof value['argv'] === 'function';
}

/** A name that the program does not take for one of its options. */
const target = text('a name without spaces that does not begin with "-"', /^[^\0\s-][^\0\s]*$/);
const words = list(argument, 'a list of strings');

const someWords: Check<readonly string[]> = (value, place) => {
  const checked = words(value, place);
  if (checked.length === 0) throw refuse(place, 'a list of at least one string', 'an empty list');
  return checked;
};

/** A relative path would depend on the folder that the agent works in. */
const program: Check<readonly string[]> = (value, place) => {
  const checked = someWords(typeof value === 'string' ? [value] : value, place);
  if (/^(?:\/|[^-/][^/]*$)/.test(checked[0] ?? '')) return checked;
  throw refuse(place, 'an absolute path or a name in PATH, as they are there', shown(checked[0]));
};

const common = { cli: program, connectTimeoutMs: delay };
const placeOptions = record<PlaceOptions>(common, { called: 'the options of command()' });
const sshOptions = record<SshOptions>(
  { host: target, args: words, ...common },
  { called: 'the options of ssh()', required: ['host'] },
);
const dockerOptions = record<DockerOptions>(
  { image: target, container: target, args: words, ...common },
  { called: 'the options of docker()' },
);
