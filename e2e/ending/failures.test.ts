import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentExitedError, ask, hintOf, openSession } from '@hexagent/sdk';
import { query } from '@hexagent/sdk/claude-agent-sdk';
import { apiError, dropped, gate, text } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

withCli('#6 An agent that exits', () => {
  it('by a signal in the middle of a turn is reported with the signal, the end of stderr and what was lost', async () => {
    await using place = await stage([text(['half ', gate()])]);
    const session = await openSession({ ...place.options, partialMessages: true });
    const turn = session.send('go');
    for await (const message of turn) if (message.type === 'stream_event') break;
    const { pid } = await session.ready;
    process.kill(Number(pid), 'SIGKILL');
    const error = await turn.result.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AgentExitedError);
    expect(error).toMatchObject({
      signal: 'SIGKILL',
      exitCode: null,
      lost: [`turn ${turn.id}`],
      message: expect.stringContaining('SIGKILL'),
    });
    await session.close();
  });

  it('because the session to resume is unknown is reported as that', async () => {
    await using place = await stage();
    const outcome = await ask('hi', { ...place.options, resume: crypto.randomUUID() }).result;
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining('No conversation found') });
  });

  it('because its session id is in use is reported as that', async () => {
    await using place = await stage(['a', 'b']);
    const sessionId = crypto.randomUUID();
    await ask('hi', { ...place.options, sessionId }).result;
    await expect(ask('hi', { ...place.options, sessionId }).result).rejects.toMatchObject({
      code: 'AGENT_EXITED',
      message: expect.stringContaining('already in use'),
    });
  });
});

withCli('#42 A service that fails', () => {
  it('gives a hint at a bad key with the first retry', async () => {
    await using place = await stage(() => apiError(401, { message: 'invalid x-api-key' }));
    await using session = await openSession(place.options);
    const turn = session.send('hi');
    for await (const message of turn) {
      const hint = hintOf(message);
      if (hint === undefined) continue;
      expect(hint).toMatchObject({ kind: 'authentication', remedy: expect.stringContaining('ANTHROPIC_API_KEY') });
      break;
    }
    expect(await turn.interrupt()).toBe('interrupted');
  });

  it.each([
    [401, 'authentication'],
    [429, 'rate_limit'],
    [500, 'service'],
    [529, 'overloaded'],
  ])('with status %i is an outcome with a hint when nothing is retried', async (status, kind) => {
    await using place = await stage(() => apiError(status), { CLAUDE_CODE_MAX_RETRIES: '0' });
    const outcome = await ask('hi', place.options).result;
    expect(outcome).toMatchObject({ kind: 'failed', cause: 'api', status, hint: { kind } });
  });

  it('because there are no credentials is an outcome with a hint', async () => {
    await using place = await stage([], { ANTHROPIC_API_KEY: '' });
    const outcome = await ask('hi', place.options).result;
    expect(outcome).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('Not logged in'),
      hint: { kind: 'authentication' },
    });
  });

  it('is yielded and then thrown by the drop-in, as the official package does', async () => {
    await using place = await stage(() => apiError(400, { message: 'no such thing' }), {
      CLAUDE_CODE_MAX_RETRIES: '0',
    });
    const seen: string[] = [];
    const reading = (async () => {
      const options = { cwd: place.home.cwd, env: { ...place.env }, pathToClaudeCodeExecutable: cli };
      for await (const message of query({ prompt: 'hi', options })) seen.push(message.type);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'RESULT_ERROR',
      message: expect.stringContaining('no such thing'),
    });
    expect(seen.at(-1)).toBe('result');
  });

  it('#56 that is not reached is a failure with a hint at the network', async () => {
    await using place = await stage([dropped()], { CLAUDE_CODE_MAX_RETRIES: '0' });
    const outcome = await ask('hi', place.options).result;
    expect(outcome).toMatchObject({ kind: 'failed', cause: 'api', hint: { kind: 'connection' } });
  });
});

withCli('#22 #59 Long and secret values', () => {
  it('reach the agent without passing through its command line', async () => {
    await using place = await stage((request) =>
      JSON.stringify(request.body.system).length > 200_000 ? 'long prompt seen' : 'short',
    );
    const secret = 'made-up-secret-of-a-test';
    await mkdir(join(place.home.cwd, 'sub'));
    await using session = await openSession({
      ...place.options,
      systemPrompt: `Be brief. ${'x'.repeat(250_000)}`,
      tools: [{ dialled: { command: process.execPath, args: ['-e', ''], env: { TOKEN: secret } } }],
    });
    const { pid } = await session.ready;
    const commandLine = await readFile(`/proc/${String(pid)}/cmdline`, 'utf8').catch(() => '');
    // Elsewhere than on Linux it cannot be read like this.
    expect(process.platform === 'linux' && !commandLine.includes('--')).toBe(false);
    expect(commandLine).not.toContain(secret);
    expect(commandLine.length).toBeLessThan(5000);
    expect(await session.send('hi').result).toMatchObject({ kind: 'completed', text: 'long prompt seen' });
  });
});
