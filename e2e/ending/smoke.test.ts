import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allow, ask, createSdkMcpServer, openSession } from '@hexagent/sdk';
import { apiError, silent, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { collect } from '../support/collect.ts';
import { stage } from '../support/stage.ts';
import { callAll, echo } from '../support/tool-calls.ts';
import { endsWithClose, endsWithItsProgram } from './scenes.ts';

const refused = apiError(401, { message: 'invalid x-api-key' });

withCli('#4 When the program is killed with SIGKILL, the CLI and its tools are gone within 3 s, while', () => {
  it.each(['it runs a background command'])('%s', endsWithItsProgram);
});

withCli('#4 After close() the CLI and its tools are gone within 2.5 s, while', () => {
  it.each(['it runs a foreground command'])('%s', endsWithClose);
});

withCli('Leaving early', () => {
  it('#26 by an aborted signal rejects with an AbortError that keeps the reason', async () => {
    await using place = await stage([silent()]);
    const controller = new AbortController();
    const answer = ask('go', { ...place.options, signal: controller.signal });
    const reading = collect(answer);
    await place.loopback.received(1);
    controller.abort('enough');
    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' });
    await expect(answer.result).rejects.toMatchObject({ name: 'AbortError' });
    await answer.close();
  });
});

withCli('finish()', () => {
  it('#1 waits for every callback of the turn: a hook, a permission, and a tool of the program', async () => {
    await using place = await stage(
      callAll(toolUse('Bash', { command: 'touch made' }), toolUse('mcp__own__echo', { words: 'hi' })),
    );
    const events: string[] = [];
    const hook = ({ hook_event_name, tool_name }: { hook_event_name: string; tool_name?: unknown }): void =>
      void events.push(`${hook_event_name} ${String(tool_name)}`);
    const session = await openSession({
      ...place.options,
      tools: [{ own: createSdkMcpServer({ name: 'own', tools: [echo] }) }],
      onAsk: ({ tool }) => (events.push(`asked ${tool}`), allow()),
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

withCli('A key that the service refuses', () => {
  it('fails the turn at once, also when only its outcome is awaited', async () => {
    await using place = await stage(() => refused);
    const outcome = await ask('hi', place.options).result;
    expect(outcome).toMatchObject({
      kind: 'failed',
      cause: 'api',
      status: 401,
      message: expect.stringContaining('refused the credentials'),
      hint: { kind: 'authentication', remedy: expect.stringContaining('ANTHROPIC_API_KEY') },
    });
    // The CLI by itself sends eleven requests in about three minutes.
    expect(place.loopback.requests).toHaveLength(2);
  });
});

withCli('#7 An agent that cannot be started', () => {
  it('because its file is missing is reported with the path, and how to name another one', async () => {
    await using place = await stage();
    const executable = join(place.home.cwd, 'claude');
    await expect(openSession({ ...place.options, executable })).rejects.toMatchObject({
      code: 'AGENT_NOT_FOUND',
      message: expect.stringContaining(executable),
      remedy: expect.stringContaining('or name its path in the option `executable`'),
    });
  });
});
