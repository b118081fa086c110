import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  allow,
  createSdk,
  createSdkMcpServer,
  openSession,
  tool,
  type ObservedEvent,
  type SessionOptions,
} from '@hexagent/sdk';
import { HandClock } from '@hexagent/testing';
import { reply, text, toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { cli, withCli } from './support/cli.ts';
import { stage, type Stage } from './support/stage.ts';

// Complaints of users of other SDKs (the numbers are those of the list), lived through with the real CLI where no
// other test does.

/** A CLI that a shell script starts. */
async function wrapped(place: Stage, before: string, after = ''): Promise<string> {
  const wrapper = join(place.home.root, 'wrapper.sh');
  await writeFile(wrapper, `#!/bin/sh\n${before}\n'${cli}' "$@"${after}\n`, { mode: 0o755 });
  return wrapper;
}

/** A tool that only reads, so that the agent calls it several times at once. */
const echo = tool(
  'echo',
  'Says it again.',
  { words: z.string() },
  async ({ words }) => ({ content: [{ type: 'text', text: `echo ${words}` }] }),
  { annotations: { readOnlyHint: true } },
);

const callOnce =
  (...calls: readonly ReturnType<typeof toolUse>[]) =>
  (request: ModelRequest): TurnLike => {
    const results = toolResults(request);
    return results.length === 0
      ? [...calls]
      : results
          .map((result) => result.text)
          .toSorted()
          .join('; ');
  };

withCli('#1 Everything that asks', () => {
  it('is answered although finish() was called at once: a hook, a permission, and a tool of the program’s own', async () => {
    await using place = await stage(
      callOnce(toolUse('Bash', { command: 'touch made' }), toolUse('mcp__own__echo', { words: 'hi' })),
    );
    const events: string[] = [];
    const hook = ({ hook_event_name, tool_name }: { hook_event_name: string; tool_name?: unknown }): void =>
      void events.push(`${hook_event_name} ${String(tool_name)}`);
    const session = await openSession({
      ...place.options,
      mcpServers: { own: createSdkMcpServer({ name: 'own', tools: [echo] }) },
      permissions: { approver: ({ tool_name }) => (events.push(`asked ${tool_name}`), allow()) },
      hooks: { PreToolUse: [{ hooks: [hook] }], PostToolUse: [{ hooks: [hook] }] },
    });
    const turn = session.send('go');
    const finished = session.finish();
    expect(await turn.result).toMatchObject({ text: expect.stringContaining('echo hi') });
    expect(await finished).toMatchObject({ code: 0 });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
    expect(events.toSorted()).toEqual([
      'PostToolUse Bash',
      'PostToolUse mcp__own__echo',
      'PreToolUse Bash',
      'PreToolUse mcp__own__echo',
      'asked Bash',
      'asked mcp__own__echo',
    ]);
  });
});

withCli('#3 A program', () => {
  const run = async (place: Stage, program: string): Promise<{ code: unknown; said: string }> => {
    const source = `import { ask, openSession } from '@hexagent/sdk';
import { query } from '@hexagent/sdk/claude-agent-sdk';
      const options = JSON.parse(process.argv[1]);
      ${program}`;
    const args = ['--conditions=@hexagent/source', '--input-type=module', '-e', source, JSON.stringify(place.options)];
    const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece));
    const [code] = await once(child, 'close');
    return { code, said };
  };

  it.each([
    ['has its answer', `console.log((await ask('hi', options).outcome).text);`],
    [
      'has left its loop',
      `for await (const { type } of ask('hi', options)) if (type === 'result') break; console.log('fine');`,
    ],
    [
      'has closed its session',
      `const s = await openSession(options); console.log((await s.send('hi').result).text); await s.close();`,
    ],
    [
      'has its last message of the drop-in',
      `const { cwd, executable, env } = options;
       const o = { cwd, env: env.set, pathToClaudeCodeExecutable: executable };
       for await (const m of query({ prompt: 'hi', options: o })) if (m.type === 'result') console.log(m.result);`,
    ],
  ])('ends by itself when it %s', async (_, program) => {
    await using place = await stage(['fine']);
    expect(await run(place, program)).toEqual({ code: 0, said: 'fine\n' });
  });
});

withCli('#28 A person', () => {
  it('may think for a week about a permission, and the session goes on', async () => {
    await using place = await stage(callOnce(toolUse('Bash', { command: 'touch made' })));
    const clock = new HandClock();
    const asked = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    const approver = async (): Promise<ReturnType<typeof allow>> => {
      asked.resolve();
      await decided.promise;
      return allow();
    };
    await using session = await createSdk({ clock }).openSession({ ...place.options, permissions: { approver } });
    const turn = session.send('go');
    await asked.promise;
    clock.advance(7 * 24 * 3_600_000);
    decided.resolve();
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
  });
});

withCli('#31 A line of several megabytes', () => {
  it('arrives whole', async () => {
    const long = 'né '.repeat(700_000);
    await using place = await stage(() => reply(long));
    await using session = await openSession(place.options);
    const outcome = await session.send('hi').result;
    expect('text' in outcome && outcome.text === long).toBe(true);
  });
});

withCli('#34 What a wrapper prints among the frames', () => {
  it('is skipped and told to the observer, and the session does not notice', async () => {
    await using place = await stage(['fine']);
    const before = `echo 'Loading your profile…'; echo; echo '[1,2]'; echo null; printf '{"half": '; echo`;
    const executable = await wrapped(place, before, `; echo 'bye'`);
    const bad: ObservedEvent[] = [];
    const sdk = createSdk({ observer: { observe: (event) => event.kind === 'bad_line' && bad.push(event) } });
    const session = await sdk.openSession({ ...place.options, executable });
    expect(await session.send('hi').result).toMatchObject({ kind: 'completed', text: 'fine' });
    expect(await session.finish()).toMatchObject({ code: 0 });
    expect(bad).toMatchObject(
      ['Loading your profile…', '[1,2]', 'null', '{"half": ', 'bye'].map((line) => ({ line, skipped: true })),
    );
  });
});

withCli('#41 Many things at once', () => {
  it('are answered each by its own: a hundred requests while twenty tools are called', async () => {
    const words = Array.from({ length: 20 }, (_, index) => `word${index}`);
    await using place = await stage(callOnce(...words.map((word) => toolUse('mcp__own__echo', { words: word }))));
    await using session = await openSession({
      ...place.options,
      mcpServers: { own: createSdkMcpServer({ name: 'own', tools: [echo] }) },
      permissions: { allow: ['mcp__own'] },
    });
    const turn = session.send('go');
    const asked = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        index % 2 === 0
          ? session.control.request('read_file', { path: join(place.home.cwd, `nothing-${index}`) }).catch(String)
          : session.control.request('get_binary_version'),
      ),
    );
    for (const [index, answer] of asked.entries())
      expect(JSON.stringify(answer)).toMatch(index % 2 === 0 ? /read_file/ : /version/);
    const expected = words
      .map((word) => `echo ${word}`)
      .toSorted()
      .join('; ');
    expect(await turn.result).toMatchObject({ kind: 'completed', text: expected });
  });
});

withCli('#51 A program that runs inside an agent', () => {
  it('starts an agent all the same', async () => {
    await using place = await stage(['fine']);
    const set = { ...place.env, CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' };
    const options: SessionOptions = { ...place.options, env: { policy: 'exact', set } };
    await using session = await openSession(options);
    expect(await session.send('hi').result).toMatchObject({ kind: 'completed', text: 'fine' });
  });
});

withCli('#57 A hook that the agent no longer waits for', () => {
  it('is told by its signal, and the tool is refused', async () => {
    await using place = await stage(callOnce(toolUse('Bash', { command: 'touch made' })));
    const withdrawn = Promise.withResolvers<void>();
    const hook = (_: unknown, __: unknown, { signal }: { signal: AbortSignal }): Promise<never> => {
      signal.addEventListener('abort', () => withdrawn.resolve());
      return new Promise(() => {});
    };
    await using session = await openSession({
      ...place.options,
      permissions: { allow: ['Bash'] },
      hooks: { PreToolUse: [{ hooks: [hook], timeout: 1 }] },
    });
    const turn = session.send('go');
    await withdrawn.promise;
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });
});

withCli('#10 The end of a turn', () => {
  it('is not the end of the session: `idle()` waits for the shell that is still at work', async () => {
    const command = 'until [ -e go ]; do sleep 0.05; done';
    await using place = await stage((request) =>
      toolResults(request).length === 0 ? toolUse('Bash', { command, run_in_background: true }) : text(['started']),
    );
    await using session = await openSession({ ...place.options, permissions: { allow: ['Bash'] } });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'started' });
    let isIdle = false;
    const idle = session.idle().then(() => (isIdle = true));
    await session.control.request('get_binary_version');
    expect(isIdle).toBe(false);
    await writeFile(join(place.home.cwd, 'go'), '');
    await idle;
  });
});
