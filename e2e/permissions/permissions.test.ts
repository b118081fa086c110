import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allow, createSdk, openSession } from '@hexagent/sdk';
import { HandClock } from '@hexagent/testing';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';

withCli('A permission', () => {
  it('may change the input of the tool', async () => {
    await using place = await stage(callOnce('Bash', { command: 'echo one > out' }));
    await using session = await openSession({
      ...place.options,
      onAsk: () => allow({ input: { command: 'echo two > out' } }),
    });
    await session.send('go').result;
    expect(await readFile(join(place.home.cwd, 'out'), 'utf8')).toBe('two\n');
  });

  it('#28 may take a week, and the session continues', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    const clock = new HandClock();
    const asked = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    const approver = async (): Promise<ReturnType<typeof allow>> => {
      asked.resolve();
      await decided.promise;
      return allow();
    };
    await using session = await createSdk({ clock }).openSession({ ...place.options, onAsk: approver });
    const turn = session.send('go');
    await asked.promise;
    clock.advance(7 * 24 * 3_600_000);
    decided.resolve();
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
  });
});
