import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSession, type Session, type SessionOptions } from '@hexagent/sdk';
import { query, type McpServerConfig } from '@hexagent/sdk/claude-agent-sdk';
import { processes, processesMentioning } from '@hexagent/testing/cli';
import { toolUse, type Script } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { agentsKilled, programsKilledEarly, startsAborted } from '../attack/deaths.ts';
import { cli, withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';

const finished = 'nohup sleep 301 >/dev/null 2>&1 & setsid sleep 302 >/dev/null 2>&1 &';
const running = 'nohup sleep 303 >/dev/null 2>&1 & setsid sleep 304 >/dev/null 2>&1 & wait';
const bash = (command: string): ReturnType<typeof toolUse> => toolUse('Bash', { command });

interface Scene extends AsyncDisposable {
  readonly place: Stage;
  readonly options: SessionOptions;
  /** The running processes: the CLI and all its descendants. */
  commands(): readonly string[];
  /** How long each `sleep` among it sleeps. */
  sleepers(): readonly number[];
  /** Resolves when these are there. */
  sleep(seconds: readonly number[]): Promise<void>;
  /** Kills only the CLI. */
  killCli(): void;
}

/** A model that makes the CLI run `script`, and an MCP server that moves to a session of its own. */
async function scene(script: Script): Promise<Scene> {
  const marker = `hexagent-run-${randomUUID()}`;
  const place = await stage(script, { HEXAGENT_TEST_RUN: marker });
  const found = (): ReturnType<typeof processesMentioning> => processesMentioning(`HEXAGENT_TEST_RUN=${marker}`);
  const commands = (): readonly string[] => found().map(({ command }) => command);
  const sleepers = (): readonly number[] =>
    commands()
      .map((command) => Number(/^(?:\S*\/)?sleep (\d+)$/.exec(command)?.[1]))
      .filter((seconds) => !Number.isNaN(seconds))
      .toSorted((one, other) => one - other);
  return {
    place,
    options: { ...place.options, permissions: { allow: ['Bash'] } },
    commands,
    sleepers,
    sleep: async (seconds) => await expect.poll(sleepers, { timeout: 20_000 }).toEqual(seconds),
    killCli() {
      const ours = found().map(({ pid }) => pid);
      const agent = processes().find(({ pid, parent }) => parent === process.pid && ours.includes(pid));
      process.kill(agent?.pid ?? Number.NaN, 'SIGKILL');
    },
    async [Symbol.asyncDispose]() {
      for (const { pid } of found()) process.kill(pid, 'SIGKILL');
      await place[Symbol.asyncDispose]();
    },
  };
}

type End = (session: Session, scene: Scene, abort: AbortController) => Promise<unknown>;

/** They need no turn to have ended. */
const cuts: Readonly<Record<string, End>> = {
  'close()': (session) => session.close(),
  'an abort': (session, _, abort) => {
    abort.abort();
    return session.close();
  },
  'kill -9 of the CLI': (session, { killCli }) => {
    killCli();
    return session.exited;
  },
};
const ends: Readonly<Record<string, End>> = { 'finish()': (session) => session.finish(), ...cuts };

withCli('Every process that the CLI starts', () => {
  it('has the variable HEXAGENT_AGENT: tools, hooks and the MCP servers that it dials', async () => {
    await using stageOf = await scene([bash('echo $HEXAGENT_AGENT > tool'), 'Done.']);
    const { options, place } = stageOf;
    const write = (file: string): string => `echo $HEXAGENT_AGENT > ${join(place.home.cwd, file)}`;
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: write('hook') }] }] };
    const server = { type: 'stdio', command: 'sh', args: ['-c', write('server')] } as const;
    const extraArgs = { settings: JSON.stringify({ hooks }) };
    await using session = await openSession({ ...options, extraArgs, tools: [{ server }] });
    await session.send('go').result;
    const marks = ['tool', 'hook', 'server'].map((file) => readFile(join(place.home.cwd, file), 'utf8'));
    const [tool = '', ...others] = await Promise.all(marks);
    expect(tool).toMatch(/^[0-9a-f]{32}\n$/);
    expect(others).toEqual([tool, tool]);
  });
});

withCli('A background process of a finished tool', () => {
  it('has ended after finish()', async () => {
    await using stageOf = await scene([bash(finished), 'Done.']);
    const session = await openSession(stageOf.options);
    await session.send('go').result;
    await stageOf.sleep([301, 302]);
    await session.finish();
    expect(stageOf.sleepers()).toEqual([]);
  });

  it.each(Object.entries(cuts))('and a tool that runs have ended after %s', async (_, cut) => {
    await using stageOf = await scene([bash(finished), bash(running), 'Never said.']);
    const abort = new AbortController();
    const session = await openSession({ ...stageOf.options, signal: abort.signal });
    session.send('go').result.catch(() => {});
    await stageOf.sleep([301, 302, 303, 304]);
    await cut(session, stageOf, abort);
    expect(stageOf.sleepers()).toEqual([]);
    await session.close();
  });

  it.each(Object.entries(ends))('stays after %s with `leftovers: leave`', async (_, end) => {
    await using stageOf = await scene([bash(finished), 'Done.']);
    const abort = new AbortController();
    const session = await openSession({ ...stageOf.options, signal: abort.signal, leftovers: 'leave' });
    await session.send('go').result;
    await stageOf.sleep([301, 302]);
    await end(session, stageOf, abort);
    expect(stageOf.sleepers()).toEqual([301, 302]);
    await session.close();
  });

  it('is waited for by finish() with `backgroundTasks: wait`', async () => {
    const waits = `setsid sh -c 'until [ -e go ]; do sleep 0.05; done; touch ended' >/dev/null 2>&1 &`;
    await using stageOf = await scene([bash(waits), 'Done.']);
    const session = await openSession({ ...stageOf.options, backgroundTasks: 'wait' });
    await session.send('go').result;
    const { cwd } = stageOf.place.home;
    const finishing = session.finish();
    await writeFile(join(cwd, 'go'), '');
    expect(await finishing).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, 'ended'))).toBe(true);
  });

  it('stays after a query that ends or is cut off, and a running tool does not', async () => {
    await using stageOf = await scene([bash(finished), bash(running), 'Never said.']);
    const { env, home } = stageOf.place;
    const options = { cwd: home.cwd, pathToClaudeCodeExecutable: cli, env, allowedTools: ['Bash'] };
    const asked = query({ prompt: 'go', options });
    const reading = (async () => {
      for await (const _ of asked);
    })();
    await stageOf.sleep([301, 302, 303, 304]);
    await asked[Symbol.asyncDispose]();
    await reading;
    expect(stageOf.sleepers()).toEqual([301, 302]);
  });

  it('stays after an abort of a query also where its tool still runs, once it has left the tool’s session and its parent', async () => {
    const detaches = '(setsid sleep 305 >/dev/null 2>&1 &); (nohup sleep 303 >/dev/null 2>&1 &); sleep 304';
    await using stageOf = await scene([bash(detaches), 'Never said.']);
    const { env, home } = stageOf.place;
    const abortController = new AbortController();
    const options = { cwd: home.cwd, pathToClaudeCodeExecutable: cli, env, allowedTools: ['Bash'], abortController };
    const asked = query({ prompt: 'go', options });
    const reading = (async () => {
      for await (const _ of asked);
    })();
    await stageOf.sleep([303, 304, 305]);
    abortController.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await asked[Symbol.asyncDispose]();
    expect(stageOf.sleepers()).toEqual([305]);
  });

  it('stays after kill -9 of the CLI in a query, and neither a running tool nor a server in a session of its own does', async () => {
    await using stageOf = await scene([bash(finished), bash(running), 'Never said.']);
    const { env, home } = stageOf.place;
    const path = fileURLToPath(new URL('../fixtures/greeting-server.mjs', import.meta.url));
    const server: McpServerConfig = { type: 'stdio', command: 'setsid', args: [process.execPath, path] };
    const options = { cwd: home.cwd, pathToClaudeCodeExecutable: cli, env, allowedTools: ['Bash'] };
    const asked = query({ prompt: 'go', options: { ...options, mcpServers: { server } } });
    const reading = (async () => {
      for await (const _ of asked);
    })();
    await stageOf.sleep([301, 302, 303, 304]);
    expect(stageOf.commands()).toContainEqual(expect.stringMatching(/greeting-server/));
    stageOf.killCli();
    await expect(reading).rejects.toMatchObject({ signal: 'SIGKILL' });
    expect(stageOf.commands().toSorted()).toEqual(['sleep 301', 'sleep 302']);
  });
});

withCli('Nothing is left of the CLI, neither process nor file,', () => {
  const random = Math.random;

  it('when its program is killed within the first milliseconds', async () => {
    await using place = await stage(['Hello.']);
    const agent = { executable: cli, cwd: place.home.cwd, env: place.env };
    const left = await programsKilledEarly({ runs: 4, random }, { withinMs: 100, agent });
    expect(left).toEqual({ runs: 4, processes: [], folders: [] });
  });

  it('when its program aborts the start and ends', async () => {
    await using place = await stage(['Hello.']);
    const left = await startsAborted({ runs: 4, random }, { executable: cli, cwd: place.home.cwd, env: place.env });
    expect(left).toEqual({ runs: 4, processes: [], folders: [] });
  });

  it('when it is killed in the middle of a tool, and its program ends as soon as it receives the exit', async () => {
    await using place = await stage(() => bash(running));
    const left = await agentsKilled({ runs: 4, random }, { executable: cli, cwd: place.home.cwd, env: place.env });
    expect(left).toEqual({ runs: 4, processes: [], folders: [] });
  });
});
