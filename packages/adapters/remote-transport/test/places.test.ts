import { command, docker, isRemoteCommand, ssh } from '@hexagent/remote-transport';
import { describe, expect, it } from 'vitest';

describe('ssh()', () => {
  it('runs a shell without a terminal, and puts the arguments of the caller first, since the first of two options counts', () => {
    const place = ssh({ host: 'me@build-1', args: ['-p', '2222', '-o', 'BatchMode=no'] });
    expect(place.argv('1').join(' ')).toBe(
      'ssh -p 2222 -o BatchMode=no -T -o BatchMode=yes -o ControlMaster=no -o ServerAliveInterval=15 -o ServerAliveCountMax=3 -- me@build-1 exec sh',
    );
  });

  it.each([{}, { host: '-oProxyCommand=run' }, { host: 'one two' }, { host: '' }, { host: 'one', port: 22 }])(
    'refuses %j',
    (options) => {
      expect(() => ssh(options as { host: string })).toThrow(TypeError);
    },
  );
});

// No engine runs where these tests do. Recorded from `docker exec --help` and `docker run --help` of Docker 28.2:
//   docker exec [OPTIONS] CONTAINER COMMAND [ARG...]    -i, --interactive: Keep STDIN open even if not attached
//   docker run [OPTIONS] IMAGE [COMMAND] [ARG...]       --rm, --init, --name string, --entrypoint string, -i, --interactive
//   docker rm [OPTIONS] CONTAINER [CONTAINER...]        -f, --force: Force the removal of a running container (uses SIGKILL)
describe('docker()', () => {
  it('runs a shell in a container that runs', () => {
    const place = docker({ container: 'web', args: ['--user', '1000'] });
    expect(place.argv('1').join(' ')).toBe('docker exec --interactive --user 1000 web sh');
    expect(place.endArgv).toBeUndefined();
  });

  it('runs a shell as the first program of a new container, which has a name of its own to be removed by', () => {
    const place = docker({ image: 'agents:1', args: ['--volume', '/srv:/work'] });
    expect(place.argv('a1').join(' ')).toBe(
      'docker run --rm --interactive --init --name hexagent-a1 --entrypoint sh --volume /srv:/work agents:1',
    );
    expect(place.endArgv?.('a1').join(' ')).toBe('docker rm --force hexagent-a1');
  });

  it.each([
    {},
    { image: 'a', container: 'b' },
    { container: '--privileged' },
    { image: '' },
    { image: 'a', volume: 'b' },
  ])('refuses %j', (options) => {
    expect(() => docker(options)).toThrow(TypeError);
  });
});

describe('command()', () => {
  it('adds the word sh, and keeps every word as it is', () => {
    const words = ['kubectl', 'exec', '--stdin', 'a pod', '', '--'];
    expect(command(words).argv('1')).toEqual([...words, 'sh']);
  });

  it.each([[[]], ['sh'], [[1]], [['a\0b']]])('refuses %j', (words) => {
    expect(() => command(words as string[])).toThrow(TypeError);
  });

  it.each(['./claude', 'bin/claude', '-c', '', []])(
    'refuses %j as the CLI: it would depend on a folder there',
    (cli) => {
      expect(() => command(['sh'], { cli })).toThrow(/`cli`/);
    },
  );
});

it('A place is recognised by what it can do, so that one of another copy, or of the program, is one', () => {
  expect(isRemoteCommand({ place: 'there', argv: () => ['there'] })).toBe(true);
  expect([undefined, null, 'ssh', ['ssh'], {}].some(isRemoteCommand)).toBe(false);
});
