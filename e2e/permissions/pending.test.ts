import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allow, createSdk, deny, openSession, type AnswerReceipt } from '@hexagent/sdk';
import { HandClock } from '@hexagent/testing';
import { lastUserText, toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { onePending, pendingOf } from '../support/asking.ts';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';

const touch = callOnce('Bash', { command: 'touch made' });
const onAsk = (): null => null;

/** Two subagents that work at the same time, each of which makes a file. */
function twoSubagents(request: ModelRequest): TurnLike {
  const history = JSON.stringify(request.body.messages);
  const name = ['one', 'two'].find((each) => history.includes(`make ${each}`) && !history.includes('make both'));
  if (name !== undefined)
    return toolResults(request).length > 0 ? `made ${name}` : toolUse('Bash', { command: `touch ${name}` });
  if (toolResults(request).length > 0) return 'All made.';
  return ['one', 'two'].map((each) =>
    toolUse('Agent', {
      description: each,
      prompt: `make ${each}`,
      subagent_type: 'general-purpose',
      run_in_background: false,
    }),
  );
}

/** Delegates to a background task, which makes a file. */
function backgroundTask(request: ModelRequest): TurnLike {
  if (JSON.stringify(request.body.messages[0]).includes('SUBPROMPT')) return touch(request);
  const launched = JSON.stringify(request.body.messages).includes('Async agent launched');
  const call = { description: 'd', prompt: 'SUBPROMPT', subagent_type: 'general-purpose', run_in_background: true };
  return launched ? 'Delegated.' : toolUse('Agent', call);
}

withCli('A request that waits for a person', () => {
  it('#57 is withdrawn by an interrupt; allowing it then runs nothing, and the session continues', async () => {
    const call = toolUse('Bash', { command: 'touch made' });
    await using place = await stage([call, call, 'Denied.']);
    await using session = await openSession({ ...place.options, onAsk });
    const turn = session.send('go');
    const { id, signal } = await onePending(session);
    expect(await turn.interrupt()).toBe('interrupted');
    expect(signal.aborted).toBe(true);
    expect(session.pending.list()).toEqual([]);
    expect(session.pending.answer(id, allow())).toBe<AnswerReceipt>('withdrawn');
    const next = session.send('go again');
    session.pending.answer((await onePending(session)).id, deny('no'));
    expect(await next.result).toMatchObject({ kind: 'completed' });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('is withdrawn by a message that cuts in, and nothing runs', async () => {
    await using place = await stage((request) => (lastUserText(request) === 'now' ? 'Yes.' : touch(request)));
    await using session = await openSession({ ...place.options, onAsk });
    session.send('go');
    const { signal } = await onePending(session);
    expect(await session.send({ content: 'now', priority: 'now' }).result).toMatchObject({ text: 'Yes.' });
    expect(signal.aborted).toBe(true);
    expect(session.pending.list()).toEqual([]);
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('is withdrawn when the background task that asks is stopped, and nothing runs', async () => {
    await using place = await stage(backgroundTask);
    await using session = await openSession({ ...place.options, onAsk });
    const tasks: string[] = [];
    const turn = session.send('delegate');
    for await (const message of turn)
      if (message.type === 'system' && message.subtype === 'task_started') tasks.push(message.task_id);
    const { signal } = await onePending(session);
    await session.stopTask(tasks[0]!);
    await expect.poll(() => signal.aborted, { timeout: 20_000 }).toBe(true);
    expect(session.pending.list()).toEqual([]);
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('still waits when the mode changes to one that would not have asked', async () => {
    await using place = await stage(touch);
    await using session = await openSession({ ...place.options, onAsk });
    const turn = session.send('go');
    const { id } = await onePending(session);
    await session.setPermissionMode('acceptEdits');
    expect(session.pending.list()).toMatchObject([{ id }]);
    session.pending.answer(id, deny('no'));
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('expires where that is asked for; the model reads it, and nothing runs', async () => {
    await using place = await stage(touch);
    const clock = new HandClock();
    const sdk = createSdk({ clock });
    await using session = await sdk.openSession({
      ...place.options,
      onAsk,
      permissions: { expiresAfterMs: 60_000 },
    });
    const turn = session.send('go');
    const { id } = await onePending(session);
    clock.advance(60_000);
    expect(await turn.result).toMatchObject({ text: expect.stringContaining('Nobody answered within 1 minute') });
    expect(session.pending.answer(id, allow())).toBe<AnswerReceipt>('expired');
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('can come while an earlier one of the same answer waits, and each gets its own answer', async () => {
    const fetch = (name: string) => toolUse('WebFetch', { url: `https://${name}.example/`, prompt: 'What is new?' });
    await using place = await stage([[fetch('one'), fetch('two')], 'Denied.']);
    const both = Promise.withResolvers<void>();
    const asked: string[] = [];
    await using session = await openSession({
      ...place.options,
      onAsk: async ({ input }) => {
        const { url } = input as { readonly url: string }; // of WebFetch
        if (asked.push(url) === 2) both.resolve();
        await both.promise;
        return deny(`Not ${url}.`);
      },
    });
    await session.send('go').result;
    const read = place.loopback.requests.flatMap((request) => toolResults(request).map(({ text }) => text));
    expect(read.toSorted()).toEqual([
      expect.stringContaining('Not https://one.example/.'),
      expect.stringContaining('Not https://two.example/.'),
    ]);
  });

  it('is listed beside that of another subagent, and each gets its own answer', async () => {
    await using place = await stage(twoSubagents);
    await using session = await openSession({ ...place.options, onAsk });
    const turn = session.send('make both');
    const both = await pendingOf(session, 2);
    const agents = both.map(({ request }) => request.agent_id);
    expect(new Set(agents).size).toBe(2);
    expect(agents).not.toContain(undefined);
    for (const { id, tool, input } of both)
      session.pending.answer(id, tool === 'Bash' && input.command === 'touch one' ? allow() : deny('not two'));
    expect(await turn.result).toMatchObject({ kind: 'completed' });
    expect(['one', 'two'].map((name) => existsSync(join(place.home.cwd, name)))).toEqual([true, false]);
  });
});
