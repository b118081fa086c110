import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allow, openSession, type AskHandler } from '@hexagent/sdk';
import { isAlive, survivors } from '@hexagent/testing/cli';
import { gate, lastUserText, silent, text } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';

withCli('#8 An interrupt', () => {
  it('right after the message, before its turn has begun, stops it without a request to the model', async () => {
    await using place = await stage((request) => lastUserText(request));
    await using session = await openSession(place.options);
    const turn = session.send('one');
    expect(await turn.interrupt()).toBe('interrupted');
    expect(await turn.result).toMatchObject({ kind: 'interrupted' });
    expect(place.loopback.requests).toEqual([]);
    expect(await session.send('two').result).toMatchObject({ kind: 'completed', text: expect.stringContaining('two') });
  });

  it('while a tool runs stops the tool', async () => {
    await using place = await stage(callOnce('Bash', { command: 'echo $$ > shell; exec tail -f /dev/null' }));
    const shell = join(place.home.cwd, 'shell');
    await using session = await openSession({ ...place.options, onAsk: () => allow() });
    const turn = session.send('go');
    await expect.poll(() => existsSync(shell) && readFileSync(shell, 'utf8')).toMatch(/^\d+\n$/);
    const pid = Number(readFileSync(shell, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    expect(await turn.interrupt()).toBe('interrupted');
    expect(await turn.result).toMatchObject({ kind: 'interrupted' });
    expect(await survivors([pid], 10_000)).toEqual([]);
  });

  it('#57 while a permission is pending aborts the signal of the request', async () => {
    await using place = await stage(callOnce('Bash', { command: 'touch made' }));
    const open = Promise.withResolvers<AbortSignal>();
    const onAsk: AskHandler = ({ signal }) => {
      open.resolve(signal);
      return new Promise(() => {});
    };
    await using session = await openSession({ ...place.options, onAsk });
    const turn = session.send('go');
    const signal = await open.promise;
    expect(await turn.interrupt()).toBe('interrupted');
    expect(signal.aborted).toBe(true);
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('of a queued message removes it and does not affect the running one', async () => {
    const held = gate();
    await using place = await stage((request) => text(['said ', held, lastUserText(request)]));
    await using session = await openSession({ ...place.options, partialMessages: true });
    const running = session.send('one');
    for await (const message of running) if (message.type === 'stream_event') break;
    const queued = session.send('two');
    expect(await queued.interrupt()).toBe('cancelled');
    expect(await queued.result).toEqual({ kind: 'cancelled', why: 'withdrawn' });
    held.open();
    // What was spent is what the other turn has: nothing of it is missing where the outcome has no cost.
    expect(await running.result).toMatchObject({ kind: 'completed', text: 'said one', cost: session.ledger.cost });
    expect(session.ledger.cost).toBeGreaterThan(0);
    expect(place.loopback.requests).toHaveLength(1);
  });

  it('of a turn whose model never answers ends it', async () => {
    await using place = await stage((request) => (lastUserText(request) === 'one' ? silent() : 'fine'));
    await using session = await openSession(place.options);
    const turn = session.send('one');
    await place.loopback.received(1);
    expect(await turn.interrupt()).toBe('interrupted');
    expect(await session.send('two').result).toMatchObject({ kind: 'completed', text: 'fine' });
  });

  it('stops a local command too, whose result gives no reason', async () => {
    const held = gate();
    await using place = await stage((request) =>
      lastUserText(request) === 'one' ? 'fine' : text(['a summary ', held]),
    );
    await using session = await openSession(place.options);
    await session.send('one').result;
    const turn = session.send('/compact');
    await held.reached;
    expect(await turn.interrupt()).toBe('interrupted');
    expect(await session.send('one').result).toMatchObject({ kind: 'completed', text: 'fine' });
  });
});
