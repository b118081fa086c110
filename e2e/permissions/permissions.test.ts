import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allow, createSdk, openSession, type Approver } from '@hexagent/sdk';
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
      permissions: { approver: () => allow({ input: { command: 'echo two > out' } }) },
    });
    await session.send('go').result;
    expect(await readFile(join(place.home.cwd, 'out'), 'utf8')).toBe('two\n');
  });

  it('whose input the approver changes in place is denied: the agent would run the original', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    const approver: Approver = ({ input }) => (Object.assign(input, { command: 'echo harmless' }), allow());
    await using session = await createSdk({ onWarning: () => {} }).openSession({
      ...place.options,
      permissions: { approver },
    });
    const outcome = await session.send('go').result;
    expect(outcome.kind === 'completed' && outcome.text).toContain('allow({ input })');
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('is denied with the message of an approver that fails', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    await using session = await openSession({
      ...place.options,
      permissions: { approver: () => Promise.reject(new Error('approver broke')) },
    });
    const outcome = await session.send('go').result;
    expect(outcome.kind === 'completed' && outcome.text).toContain('approver broke');
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
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
    await using session = await createSdk({ clock }).openSession({ ...place.options, permissions: { approver } });
    const turn = session.send('go');
    await asked.promise;
    clock.advance(7 * 24 * 3_600_000);
    decided.resolve();
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
  });
});

withCli('#57 A hook that the agent no longer waits for', () => {
  it('has its signal aborted, and the tool is refused', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
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
