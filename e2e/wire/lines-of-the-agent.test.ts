import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliTransport } from '@hexagent/cli-transport';
import { createSdk, openSession, type ObservedEvent } from '@hexagent/sdk';
import { createQuery } from '@hexagent/sdk/claude-agent-sdk';
import { survivors } from '@hexagent/testing/cli';
import { reply } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';

const executable = fileURLToPath(new URL('fixtures/long-line.mjs', import.meta.url));
const tooLong = {
  code: 'LINE_TOO_LONG',
  message: expect.stringContaining('100000 bytes, which is the limit `maxLineBytes`'),
};

/** Reads until an error, and returns it with the pids that the stand-in reports. */
async function readUntilError(messages: AsyncIterable<object>): Promise<{ pids: number[]; error: unknown }> {
  const pids: number[] = [];
  try {
    for await (const message of messages) if ('pids' in message) pids.push(...(message.pids as number[]));
  } catch (error) {
    return { pids, error };
  }
  return { pids, error: undefined };
}

/** The path of a shell script that starts the CLI. */
async function wrapped(place: Stage, before: string, after = ''): Promise<string> {
  const wrapper = join(place.home.root, 'wrapper.sh');
  await writeFile(wrapper, `#!/bin/sh\n${before}\n'${cli}' "$@"${after}\n`, { mode: 0o755 });
  return wrapper;
}

describe('An agent that writes a line longer than `maxLineBytes`', () => {
  it('is ended with what it started, and every pending promise of the session rejects with the reason', async () => {
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
    expect(await survivors(pids, 20_000)).toEqual([]);
  });

  it('ends `ask()` with the same error', async () => {
    const answer = createSdk().ask('go', { executable, maxLineBytes: 100_000 });
    await expect(answer.outcome).rejects.toMatchObject(tooLong);
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

withCli('#34 A line that is not a frame', () => {
  it('is skipped and reported to the observer, and the session continues', async () => {
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
