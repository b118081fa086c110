import { isAlive, processesMentioning, survivors } from '@hexagent/testing/cli';
import { silent } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { sdks, type Sdk, type Side } from './run.ts';

type Options = NonNullable<Parameters<Sdk['query']>[0]['options']>;
type Query = ReturnType<Sdk['query']>;

/** Runs a program with the real CLI and one package. */
async function withSdk<T>(
  side: Side,
  program: (sdk: Sdk, options: Options, place: Stage) => Promise<T>,
  script: Parameters<typeof stage>[0] = () => 'hi',
): Promise<T> {
  await using place = await stage(script);
  try {
    return await program(
      await sdks[side](),
      { cwd: place.home.cwd, env: { ...place.env }, pathToClaudeCodeExecutable: cli },
      place,
    );
  } finally {
    await expectNothingLeft(side, place);
  }
}

/** The official package may leave its CLI running for as long as it retries, three minutes: that one is ended here. */
async function expectNothingLeft(side: Side, { home }: Stage): Promise<void> {
  const pids = processesMentioning(home.root).map(({ pid }) => pid);
  if (side === 'official') for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  expect(await survivors(pids, 5000)).toEqual([]);
}

/** The same with both packages, at the same time: each has a home of its own. */
async function both<T>(
  ...given: [Parameters<typeof withSdk<T>>[1], Parameters<typeof withSdk<T>>[2]?]
): Promise<Record<Side, T>> {
  const [official, ours] = await Promise.all([withSdk('official', ...given), withSdk('ours', ...given)]);
  return { official, ours };
}

/** How a query ends, without what no two runs share. */
async function loopOf(query: Query): Promise<unknown> {
  const types: string[] = [];
  try {
    for await (const message of query)
      types.push(message.type === 'result' ? `result/${message.subtype}` : message.type);
  } catch (error) {
    return { types, text: comparableError(error) };
  }
  return { types };
}

const comparableError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { message, exitCode, signal, errorCode } = error as Error &
    Record<'exitCode' | 'signal' | 'errorCode', unknown>;
  const [text] = message.replaceAll(/[0-9a-f-]{36}/g, 'ID').split('\n');
  return { text, exitCode: exitCode ?? undefined, signal: signal ?? undefined, errorCode };
};

withCli('With the real CLI', () => {
  it('a session to resume that does not exist ends the loop and initializationResult() as in the official package', async () => {
    const { official, ours } = await both(async ({ query }, options) => {
      const running = query({
        prompt: 'go on',
        options: { ...options, resume: '00000000-0000-4000-8000-000000000000' },
      });
      const introduction: unknown = await running.initializationResult().catch(comparableError);
      return { introduction, loop: await loopOf(running) };
    });
    expect(official.introduction).toMatchObject({
      text: expect.stringMatching(/^Claude Code returned an error result: No conversation found/),
    });
    expect(ours).toEqual(official);
  });

  it('an unknown flag of the CLI ends the loop as in the official package, with the same text', async () => {
    const { official, ours } = await both(
      async ({ query }, options) =>
        await loopOf(query({ prompt: 'hi', options: { ...options, extraArgs: { frob: null } } })),
    );
    expect(official).toMatchObject({
      text: {
        text: expect.stringMatching(/^Claude Code process exited with code 1\. stderr: error: unknown option/),
        exitCode: 1,
      },
    });
    expect(ours).toEqual(official);
  });

  it('a CLI that is killed in a turn ends the loop as in the official package', async () => {
    const { official, ours } = await both(
      async ({ query }, options) => {
        const running = query({ prompt: 'hi', options });
        const { pid } = (await running.initializationResult()) as { pid?: number };
        const loop = loopOf(running);
        process.kill(Number(pid), 'SIGKILL');
        const { text } = (await loop) as { text: unknown };
        return text;
      },
      [silent()],
    );
    expect(official).toMatchObject({ text: 'Claude Code process terminated by signal SIGKILL', signal: 'SIGKILL' });
    expect(ours).toMatchObject({
      text: expect.stringMatching(/^Claude Code process terminated by signal SIGKILL\b/),
      signal: 'SIGKILL',
    });
  });

  it('a refused request fails as in the official package', async () => {
    const { official, ours } = await both(async ({ query }, options) => {
      const running = query({ prompt: 'hi', options });
      const failures = [
        await running.setPermissionMode('odd' as 'plan').catch(comparableError),
        await running.reconnectMcpServer('nobody').catch(comparableError),
        await running.readFile('/no/such/file').catch(comparableError),
      ];
      running.close();
      return failures;
    });
    expect(official[0]).toMatchObject({ errorCode: 'invalid_mode' });
    expect(ours).toEqual(official);
  });
});
