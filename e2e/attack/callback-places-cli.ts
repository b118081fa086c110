import { createSdk, createSdkMcpServer, tool, type Session, type SessionOptions } from '@hexagent/sdk';
import { createQuery, type SDKUserMessage } from '@hexagent/sdk/claude-agent-sdk';
import { hermeticEnv, hermeticHome, requireCli } from '@hexagent/testing/cli';
import { startLoopback, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { callOnce } from '../support/tool-calls.ts';
import { ends, type Place, type Run } from './callback-runs.ts';

/*
 * The same callbacks with the real CLI behind them.
 */

const shell = callOnce('Bash', { command: 'echo written | tee made' });

interface Scene extends AsyncDisposable {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly executable: string;
}

async function scene(script: (request: ModelRequest) => TurnLike): Promise<Scene> {
  const executable = requireCli({ from: import.meta.url });
  if (executable === undefined) throw new Error('There is no CLI for this platform.');
  const [home, loopback] = await Promise.all([hermeticHome(), startLoopback(script)]);
  return {
    cwd: home.cwd,
    env: hermeticEnv({ loopback, home }),
    executable,
    async [Symbol.asyncDispose]() {
      await loopback.close();
      await home.remove();
    },
  };
}

async function inSession(run: Run, options: SessionOptions, script = shell): Promise<void> {
  await using place = await scene(script);
  const { cwd, env, executable } = place;
  const aborting = new AbortController();
  const { signal } = aborting;
  const sdk = createSdk({ onWarning: () => {} });
  const session: Session = await sdk.openSession({
    ...options,
    cwd,
    executable,
    env: { policy: 'exact', set: env },
    signal,
  });
  run.conversation.current = {
    close: () => session.close(),
    interrupt: () => session.interrupt(),
    send: (text) => session.send(text),
    request: () => session.control.request('mcp_status'),
    abort: () => aborting.abort(),
  };
  await ends(run, session.send('go').result, () => session.close());
  await session.close();
}

async function inQuery(run: Run, prompt: (act: Run['act']) => AsyncIterable<SDKUserMessage>): Promise<void> {
  await using place = await scene(() => 'Done.');
  const { cwd, env, executable } = place;
  const abortController = new AbortController();
  const options = { cwd, env, pathToClaudeCodeExecutable: executable, abortController };
  const query = createQuery({ onWarning: () => {} })({ prompt: prompt(run.act), options });
  run.conversation.current = {
    close: () => query.close(),
    interrupt: () => query.interrupt(),
    send: () => undefined,
    request: () => query.mcpServerStatus(),
    abort: () => abortController.abort(),
  };
  const read = (async () => {
    for await (const _ of query);
  })();
  await ends({ ...run, isEndless: true }, read, () => query.close());
  await query[Symbol.asyncDispose]();
}

const oddTool = (run: Run) =>
  createSdkMcpServer({ name: 'own', tools: [tool('odd', 'd', {}, (_, { signal }) => run.act(signal))] });

/** A callback of each kind. */
export const cliPlaces: readonly Place[] = [
  {
    name: 'approver',
    hasNull: true,
    run: (run) => inSession(run, { permissions: { approver: (_, { signal }) => run.act(signal) } }),
  },
  {
    name: 'hook PreToolUse',
    run: (run) =>
      inSession(run, {
        permissions: { allow: ['Bash'] },
        hooks: { PreToolUse: [{ hooks: [(_input, _id, { signal }) => run.act(signal)] }] },
      }),
  },
  {
    name: 'tool handler',
    run: (run) =>
      inSession(
        run,
        { permissions: { allow: ['mcp__own'] }, mcpServers: { own: oddTool(run) } },
        callOnce('mcp__own__odd', {}),
      ),
  },
  {
    name: 'onStderr',
    run: (run) => inSession(run, { extraArgs: { 'debug-to-stderr': null }, onStderr: () => run.act() }),
  },
  {
    name: 'prompt, next',
    run: (run) => inQuery(run, (act) => ({ [Symbol.asyncIterator]: () => ({ next: () => act() }) })),
  },
];

/** Few of all behaviours, and of every kind: each costs a process. */
export const sampled = new Set([
  'throws undefined',
  'throws an error whose message is undefined',
  'rejects with a proxy whose traps throw',
  'rejects later with an error whose getters throw',
  'returns a Map',
  'returns an object whose getters throw',
  'resolves with an input that is a cycle',
  'returns a promise that never settles',
  'rejects long after its signal aborted',
  'closes the conversation',
  'aborts the conversation and throws',
  'waits for its own interrupt',
]);
