import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { SpawnTransport, type SpawnRequest, type SpawnTransportOptions } from '@hexagent/cli-transport';
import type { Connection } from '@hexagent/ports';
import { describe, expect, it, vi } from 'vitest';
import { launch } from './agents.ts';
import { temporaryFolder } from './temporary.ts';

// The slowest waits for what takes two seconds.
vi.setConfig({ testTimeout: 30_000 });

/** A process that the test plays. */
class Played extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  stderr: PassThrough | null = new PassThrough();
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly signals: NodeJS.Signals[] = [];
  leavesOn: NodeJS.Signals | 'nothing' = 'SIGTERM';

  kill(signal: NodeJS.Signals): boolean {
    this.signals.push(signal);
    if (signal === this.leavesOn) this.exit(null, signal);
    return true;
  }

  exit(code: number | null, signal: NodeJS.Signals | null = null): void {
    this.exitCode = code;
    this.signalCode = signal;
    this.stdout.end();
    this.stderr?.end();
    this.emit('exit', code, signal);
  }
}

interface Run {
  readonly played: Played;
  readonly requests: SpawnRequest[];
  readonly transport: SpawnTransport;
}

function play(options: Partial<SpawnTransportOptions> = {}): Run {
  const played = new Played();
  const requests: SpawnRequest[] = [];
  const start = (request: SpawnRequest): Played => {
    requests.push(request);
    return played;
  };
  return {
    played,
    requests,
    transport: new SpawnTransport({ spawn: start, executable: '/remote/claude', ...options }),
  };
}

async function linesOf({ frames }: Connection): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const lines of frames) all.push(...lines);
  return all;
}

describe('A function that starts agents', () => {
  it.each<readonly [Partial<SpawnTransportOptions>, string, readonly string[]]>([
    [{}, '/remote/claude', []],
    [{ interpreterArgs: ['--smol'] }, '/remote/claude', ['--smol']],
    [{ executable: '/remote/cli.js' }, 'node', ['/remote/cli.js']],
    [
      { executable: '/remote/cli.mjs', interpreter: 'bun', interpreterArgs: ['--smol'] },
      'bun',
      ['--smol', '/remote/cli.mjs'],
    ],
  ])('is given what is to be run, which need not be here: %o', async (options, command, args) => {
    const { played, requests, transport } = play(options);
    const connection = await transport.connect(launch({ args: ['--verbose'], cwd: '/no/such', env: { A: '1' } }));
    expect(requests).toMatchObject([{ command, args: [...args, '--verbose'], cwd: '/no/such', env: { A: '1' } }]);
    played.exit(0);
    await connection.exit;
  });

  it.each([
    ['the CLI of this machine', process.execPath, process.execPath],
    // A relative path is refused, so none is found.
    ['its name, where there is none', './claude', 'claude'],
  ])('is given %s where none is named', async (_, path, command) => {
    const { played, requests, transport } = play({ executable: undefined });
    const connection = await transport.connect(launch({ env: { CLAUDE_CODE_PATH: path } }));
    expect(requests[0]?.command).toBe(command);
    played.exit(0);
    await connection.exit;
  });

  it('is given the content of private files, which would not reach the agent', async () => {
    const { played, requests, transport } = play();
    const connection = await transport.connect(
      launch({ args: ['--settings', { name: 's.json', content: '{"a":1}' }] }),
    );
    expect(requests[0]?.args).toEqual(['--settings', '{"a":1}']);
    played.exit(0);
    await connection.exit;
  });

  it('is not called for content that no argument can hold', async () => {
    const { requests, transport } = play();
    const args = [{ name: 'settings.json', content: 'é'.repeat(70_000) }];
    await expect(transport.connect(launch({ args }))).rejects.toMatchObject({
      code: 'ARGUMENT_TOO_LONG',
      message: expect.stringMatching(/settings\.json: 140000 bytes/),
    });
    expect(requests).toEqual([]);
  });

  it('is given a folder of its own where the launch asks for one, which is removed with the agent', async () => {
    await using above = await temporaryFolder();
    const { played, requests, transport } = play();
    const connection = await transport.connect(launch({ ownFolder: join(above.path, 'spares', 'spare-') }));
    const [{ cwd = '' } = {}] = requests;
    expect(cwd).toMatch(/spares.spare-[\w-]+$/);
    expect(existsSync(cwd)).toBe(true);
    played.exit(0);
    await connection.exit;
    expect(existsSync(cwd)).toBe(false);
    const failing = new SpawnTransport({ spawn: () => null as never }); // only untyped code can
    await expect(failing.connect(launch({ ownFolder: join(above.path, 'spares', 'spare-') }))).rejects.toThrow(
      'must return a process',
    );
    expect(readdirSync(join(above.path, 'spares'))).toEqual([]);
  });

  it('may throw, which is handed on', async () => {
    const failure = new Error('no container');
    const start = (): never => {
      throw failure;
    };
    await expect(new SpawnTransport({ spawn: start }).connect(launch())).rejects.toBe(failure);
  });

  it.each<readonly [string, () => unknown]>([
    ['nothing', () => null],
    ['an empty object', () => ({})],
    ['a function', () => () => {}],
    ['streams that are none', () => ({ stdin: {}, stdout: {}, kill: () => true, on: () => {}, once: () => {} })],
    ['a promise that rejects', () => Promise.reject(new Error('late'))],
    ['a promise of a process', () => Promise.resolve(new Played())],
  ])('must return a process: %s', async (_, made) => {
    const transport = new SpawnTransport({ spawn: () => made() as never }); // only untyped code can
    await expect(transport.connect(launch())).rejects.toThrow(/The option `spawn` must return a process/);
  });
});

describe('A process that such a function returned', () => {
  it('that could not be started is reported at once', async () => {
    const transport = new SpawnTransport({
      spawn: ({ command, args, env }) => spawn(command, args, { env }),
      executable: '/no/such/program',
    });
    await expect(transport.connect(launch())).rejects.toMatchObject({
      code: 'AGENT_START_FAILED',
      message: expect.stringMatching(/^Failed to spawn Claude Code process: .*ENOENT/),
    });
  });

  it('that fails later ends the reading with its error, behind what it wrote', async () => {
    const { played, transport } = play();
    const connection = await transport.connect(launch());
    played.stdout.write('{"n":1}\n');
    const seen: string[] = [];
    const reading = (async () => {
      for await (const lines of connection.frames) {
        seen.push(...lines);
        played.emit('error', new Error('the container is gone'));
      }
    })();
    await expect(reading).rejects.toMatchObject({ message: expect.stringContaining('the container is gone') });
    expect(seen).toEqual(['{"n":1}']);
    await connection.close();
  });

  it('may have exited before a listener was added', async () => {
    const { played, transport } = play();
    played.stdout.end('{"n":1}\n');
    played.exitCode = 4;
    const connection = await transport.connect(launch());
    expect(await linesOf(connection)).toEqual(['{"n":1}']);
    expect(await connection.exit).toMatchObject({ code: 4, signal: null, closed: false });
  });

  it('may have no error stream, and streams of texts', async () => {
    const { played, transport } = play();
    played.stderr = null;
    played.stdout.setEncoding('utf8');
    const connection = await transport.connect(launch());
    played.stdout.write('{"n":"é"}\n');
    played.exit(0);
    expect(await linesOf(connection)).toEqual(['{"n":"é"}']);
    expect(await connection.exit).toMatchObject({ code: 0, stderr: '' });
  });

  it('has its error stream read: line by line, and its end for the exit', async () => {
    const lines: string[] = [];
    const { played, transport } = play({ onStderr: (line) => void lines.push(line) });
    const connection = await transport.connect(launch());
    played.stderr?.write('one\ntwo\n');
    played.exit(3);
    expect(await connection.exit).toMatchObject({ code: 3, stderr: 'one\ntwo\n' });
    expect(lines).toEqual(['one', 'two']);
  });

  it('is asked to leave by both ways, once its input has ended in vain', async () => {
    const { played, requests, transport } = play();
    const connection = await transport.connect(launch());
    const ended = new Promise((resolve) => played.stdin.once('finish', resolve));
    const order: string[] = [];
    requests[0]?.signal.addEventListener('abort', () => order.push(`abort after ${played.signals.join()}`));
    await Promise.all([connection.close(), ended]);
    expect(order).toEqual(['abort after SIGTERM']);
    expect(played.signals).toEqual(['SIGTERM']);
    expect(await connection.exit).toMatchObject({ signal: 'SIGTERM', closed: true });
  });

  it('is not signalled when it exits in time', async () => {
    const { played, requests, transport } = play();
    const connection = await transport.connect(launch());
    played.stdin.once('finish', () => played.exit(0));
    played.stdin.resume();
    await connection.close();
    expect([played.signals, requests[0]?.signal.aborted]).toEqual([[], false]);
  });

  it('that nothing ends is given up within the bound, also where `kill()` throws', async () => {
    const { played, transport } = play();
    played.leavesOn = 'nothing';
    played.kill = (signal) => {
      played.signals.push(signal);
      throw new Error('not reachable');
    };
    const connection = await transport.connect(launch());
    await connection.close();
    expect(played.signals).toEqual(['SIGTERM', 'SIGKILL']);
    expect(await connection.exit).toMatchObject({ code: null, signal: null, closed: true });
  });
});
