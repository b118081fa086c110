import { ask, openSession } from '@hexagent/sdk';
import { query, type SDKMessage } from '@hexagent/sdk/claude-agent-sdk';
import { apiError } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

const refused = apiError(401, { message: 'invalid x-api-key' });

withCli('A key that the service refuses', () => {
  it('does not end the session: the next turn may succeed', async () => {
    await using place = await stage([refused, refused, 'fine']);
    await using session = await openSession(place.options);
    expect(await session.send('one').result).toMatchObject({ kind: 'failed', status: 401 });
    expect(await session.send('two').result).toMatchObject({ kind: 'completed', text: 'fine' });
  });

  it('is tried again once, since a token may have been renewed meanwhile', async () => {
    await using place = await stage([refused, 'fine']);
    expect(await ask('hi', place.options).result).toMatchObject({ kind: 'completed', text: 'fine' });
  });

  it('fails the turn by itself with the status 403, at the first request', async () => {
    await using place = await stage(() => apiError(403, { message: 'no' }));
    expect(await ask('hi', place.options).result).toMatchObject({
      kind: 'failed',
      status: 403,
      hint: { kind: 'permission' },
    });
    expect(place.loopback.requests).toHaveLength(1);
  });

  it('is left to the agent by query(), as in the official package', async () => {
    await using place = await stage(() => refused);
    const retries: SDKMessage[] = [];
    const options = { cwd: place.home.cwd, env: { ...place.env }, pathToClaudeCodeExecutable: cli };
    // Leaving the loop does not wait for the agent, which writes into its home while it ends.
    await using running = query({ prompt: 'hi', options });
    for await (const message of running) {
      if (message.type === 'system' && message.subtype === 'api_retry') retries.push(message);
      if (retries.length === 3) break;
    }
    expect(retries).toHaveLength(3);
  });
});

withCli('maxRetries', () => {
  it.each([
    ['refused credentials', 401, 0],
    ['refused credentials', 401, 1],
    ['a service that fails', 500, 0],
    ['a service that fails', 500, 1],
  ])('is how often is tried again, after %s with the status %i: %i', async (_, status, maxRetries) => {
    await using place = await stage(() => apiError(status, { message: 'no' }));
    const outcome = await ask('hi', { ...place.options, maxRetries }).result;
    expect(outcome).toMatchObject({ kind: 'failed', cause: 'api', status });
    expect(place.loopback.requests).toHaveLength(maxRetries + 1);
  });

  it('overrides a variable of the environment', async () => {
    await using place = await stage(() => apiError(500), { CLAUDE_CODE_MAX_RETRIES: '9' });
    expect(await ask('hi', { ...place.options, maxRetries: 0 }).result).toMatchObject({ kind: 'failed', status: 500 });
    expect(place.loopback.requests).toHaveLength(1);
  });

  it('as a variable counts for refused credentials as well', async () => {
    await using place = await stage(() => refused, { CLAUDE_CODE_MAX_RETRIES: '2' });
    const outcome = await ask('hi', place.options).result;
    expect(outcome).toMatchObject({ kind: 'failed', status: 401 });
    expect(place.loopback.requests).toHaveLength(3);
  });
});
