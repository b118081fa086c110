import { spawn } from 'node:child_process';
import { isAlive } from '@hexagent/testing/cli';
import { toolUse } from '@hexagent/testing/loopback';
import type { Options, SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { finishTurn, obliging } from './behaviours.ts';
import { envOf, flagsOf, stdinOf } from './comparable.ts';
import { runReal } from './real.ts';
import { compare, run, sides, type Program } from './run.ts';

/** As programs write it. */
const spawnHere = ({ command, args, cwd, env, signal }: SpawnOptions) =>
  spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'pipe'] });

const withOptions =
  (change: Options): Program =>
  ({ query }, { options, note }) =>
    query({
      prompt: 'hello',
      options: {
        ...options,
        spawnClaudeCodeProcess(request) {
          note('keys', Object.keys(request).toSorted());
          note('isAborted', request.signal.aborted);
          return spawnHere(request);
        },
        ...change,
      },
    });

describe('An agent that the program starts itself', () => {
  it.each<Options>([
    {},
    { cwd: '/tmp' },
    { executable: 'node', executableArgs: [] },
    { settings: { model: 'm' }, sandbox: { enabled: false } },
    { mcpServers: { a: { command: 'x' } }, mcpServersDelivery: 'argv' },
    { env: { PATH: process.env['PATH'], A: '1', NODE_OPTIONS: '--no-warnings' } },
  ])('is asked for as in the official package: %o', async (change) => {
    const { official, ours } = await compare(withOptions(change));
    for (const { launches, notes, thrown } of [official, ours])
      expect([launches.length, thrown, notes]).toEqual([
        1,
        undefined,
        { keys: ['args', 'command', 'cwd', 'env', 'signal'], isAborted: false },
      ]);
    const [[theirs], [our]] = [official.launches, ours.launches];
    expect(flagsOf(our!)).toEqual(flagsOf(theirs!));
    expect(stdinOf(our!)).toEqual(stdinOf(theirs!));
    expect(Object.keys(envOf(our!))).toEqual(expect.arrayContaining(Object.keys(envOf(theirs!))));
  });

  it('is given a script as in the official package', async () => {
    for (const side of sides) {
      const requests: SpawnOptions[] = [];
      await run(side, ({ query }, { options }) =>
        query({
          prompt: 'hello',
          options: {
            ...options,
            pathToClaudeCodeExecutable: '/remote/cli.mjs',
            executable: 'bun',
            executableArgs: ['--smol'],
            spawnClaudeCodeProcess(request) {
              requests.push(request);
              throw new Error('enough');
            },
          },
        }),
      );
      expect(requests).toMatchObject([{ command: 'bun' }]);
      expect(requests[0]?.args.slice(0, 2)).toEqual(['--smol', '/remote/cli.mjs']);
    }
  });

  it('gets its servers in `initialize`, while in the official package they are on the command line', async () => {
    const secret = { mcpServers: { a: { command: 'x', env: { KEY: 'secret' } } } };
    const standIn = obliging({ introduction: { mcp_servers_applied: true } });
    const { official, ours } = await compare(withOptions(secret), { standIn });
    expect(official.launches[0]?.args.join(' ')).toContain('secret');
    expect(ours.launches[0]?.args.join(' ')).not.toContain('secret');
    expect(ours.launches[0]?.stdin[0]).toMatchObject({ request: secret });
  });

  it.each<readonly [string, NonNullable<Options['spawnClaudeCodeProcess']>, RegExp]>([
    [
      'that throws',
      () => {
        throw new Error('no container');
      },
      /no container/,
    ],
    ['that starts nothing', ({ args }) => spawn('/no/such/program', args), /Failed to spawn|failed to launch/],
    ['that exits with a code', () => spawn('sh', ['-c', 'echo why >&2; exit 3']), /exited with code 3/],
    ['that is killed', () => spawn('sh', ['-c', 'kill -9 $$']), /terminated by signal SIGKILL/],
  ])('ends the query with an error when it comes from a function %s', async (_, spawnClaudeCodeProcess, message) => {
    const { official, ours } = await compare(withOptions({ spawnClaudeCodeProcess }));
    for (const { thrown, hangs } of [official, ours]) {
      expect(hangs).toBe(false);
      expect(thrown?.message).toMatch(message);
    }
  });

  it('has its error stream read, while in the official package the program has to', async () => {
    const lines: string[] = [];
    const { thrown } = await run('ours', withOptions({ stderr: (line) => void lines.push(line) }), {
      standIn: (agent) => {
        agent.stderr('why\n');
        agent.exit(3);
      },
    });
    expect(thrown?.message).toContain('stderr: why');
    expect(lines).toEqual(['why']);
  });

  it('that does not leave is asked to by the signal and by `kill()`, with both packages', async () => {
    const program: Program = async ({ query }, { options, note }) => {
      const killed: unknown[] = [];
      const left = Promise.withResolvers<unknown>();
      const abortController = new AbortController();
      const spawnClaudeCodeProcess: Options['spawnClaudeCodeProcess'] = ({ command, args, cwd, env, signal }) => {
        const child = spawn(command, args, { cwd, env });
        const kill = child.kill.bind(child);
        child.kill = (sent) => {
          killed.push(sent);
          return kill(sent);
        };
        signal.addEventListener('abort', () => left.resolve(killed[0]));
        return child;
      };
      const running = query({ prompt: 'hello', options: { ...options, abortController, spawnClaudeCodeProcess } });
      await running.next();
      abortController.abort();
      note('error', await running.next().then(String, () => 'thrown'));
      note('first', await left.promise);
    };
    const standIn = obliging({
      // It is busy: neither its input nor an interrupt ends it.
      message: (_, agent) => {
        agent.write({ type: 'system', subtype: 'init' });
        return true;
      },
      inputEnded: () => true,
    });
    const { official, ours } = await compare(program, { standIn });
    for (const { notes } of [official, ours]) expect(notes).toEqual({ error: 'thrown', first: 'SIGTERM' });
  });

  it('is read for a second turn', async () => {
    const program: Program = ({ query }, { options }) => {
      async function* prompt() {
        for (const content of ['one', 'two'])
          yield {
            type: 'user' as const,
            message: { role: 'user' as const, content },
            parent_tool_use_id: null,
            session_id: '',
          };
      }
      return query({ prompt: prompt(), options: { ...options, spawnClaudeCodeProcess: spawnHere } });
    };
    const standIn = obliging({ message: (_, agent) => (finishTurn(agent), true) });
    const { official, ours } = await compare(program, { standIn });
    expect(ours.launches.map(stdinOf)).toEqual(official.launches.map(stdinOf));
    expect(ours.messages.map(({ type }) => type)).toEqual(official.messages.map(({ type }) => type));
  });
});

withCli('The real CLI that the program starts itself', () => {
  it('works, and has left when the query has been left in the middle of a command', async () => {
    const program: Program = async ({ query }, { options, note }) => {
      let child: ReturnType<typeof spawnHere> | undefined;
      const spawning: Options = { spawnClaudeCodeProcess: (request) => (child = spawnHere(request)) };
      const more: Options = { allowedTools: ['Bash'], mcpServers: { absent: { command: '/no/such/program' } } };
      for await (const message of query({ prompt: 'go', options: { ...options, ...spawning, ...more } })) {
        if (message.type === 'system' && message.subtype === 'init')
          note(
            'servers',
            message.mcp_servers.map(({ name }) => name),
          );
        if (message.type === 'assistant') break;
      }
      // Not `once` of node:events, which rejects with the abort that the child reports before it exits.
      if (child?.exitCode === null && child.signalCode === null)
        await new Promise((exited) => child?.once('exit', exited));
      note('isAlive', isAlive(Number(child?.pid)));
    };
    for (const side of sides) {
      const { notes, thrown } = await runReal(side, program, [toolUse('Bash', { command: 'sleep 600' }), 'done']);
      expect([thrown, notes]).toEqual([undefined, { servers: ['absent'], isAlive: false }]);
    }
  });
});
