import { fileURLToPath } from 'node:url';
import { CliTransport } from '@hexagent/cli-transport';
import { createSdk, openSession } from '@hexagent/sdk';
import { createQuery } from '@hexagent/sdk/claude-agent-sdk';
import { survivors } from '@hexagent/testing/cli';
import { describe, expect, it } from 'vitest';

const executable = fileURLToPath(new URL('fixtures/long-line.mjs', import.meta.url));
const tooLong = {
  code: 'LINE_TOO_LONG',
  message: expect.stringContaining('100000 bytes, which is the limit `maxLineBytes`'),
};

/** Reads until an error, and returns it with the pids that the stand-in says. */
async function readUntilError(messages: AsyncIterable<object>): Promise<{ pids: number[]; error: unknown }> {
  const pids: number[] = [];
  try {
    for await (const message of messages) if ('pids' in message) pids.push(...(message.pids as number[]));
  } catch (error) {
    return { pids, error };
  }
  return { pids, error: undefined };
}

describe('An agent that writes a line longer than `maxLineBytes`', () => {
  it('is ended with what it started, and everyone who waits in a session is told why', async () => {
    const session = await openSession({ executable, maxLineBytes: 100_000 });
    const turn = session.send('go');
    const waiting = [turn.result, session.idle()].map((promise) => promise.catch((error: unknown) => error));
    const { pids, error } = await readUntilError(session.messages);
    expect(error).toMatchObject(tooLong);
    expect(await Promise.all(waiting)).toEqual([error, error]);
    await session.close();
    expect(pids).toHaveLength(2);
    expect(await survivors(pids, 0)).toEqual([]);
  });

  it('ends the loop over `query()` with the same error', async () => {
    const query = createQuery({ transport: new CliTransport({ executable, maxLineBytes: 100_000 }) });
    const { pids, error } = await readUntilError(query({ prompt: 'go' }));
    expect(error).toMatchObject(tooLong);
    expect(await survivors(pids, 5000)).toEqual([]);
  });

  it('ends `ask()` with the same error', async () => {
    const answer = createSdk().ask('go', { executable, maxLineBytes: 100_000 });
    await expect(answer.outcome).rejects.toMatchObject(tooLong);
  });
});
