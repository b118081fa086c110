import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allow, openSession, textOf, type AskHandler, type Turn } from '@hexagent/sdk';
import {
  gate,
  lastUserText,
  text,
  toolResults,
  toolUse,
  type ModelRequest,
  type TurnLike,
} from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { collect } from '../support/collect.ts';
import { stage } from '../support/stage.ts';
import { afterTool } from '../support/tool-calls.ts';

withCli('finish()', () => {
  it('#1 #28 waits for a pending permission, and refuses messages meanwhile', async () => {
    await using place = await stage(afterTool(() => 'made'));
    const asked = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    const onAsk: AskHandler = async () => {
      asked.resolve();
      await decided.promise;
      return allow();
    };
    const session = await openSession({ ...place.options, onAsk });
    const turn = session.send('go');
    const finished = session.finish();
    await asked.promise;
    expect(() => session.send('late')).toThrow(expect.objectContaining({ code: 'CONVERSATION_CLOSED' }));
    decided.resolve();
    expect(await turn.result).toMatchObject({ kind: 'completed', text: 'made' });
    expect(await finished).toMatchObject({ code: 0 });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
  });

  it('#10 waits for a background subagent that asks long after its turn has ended, whose text is in no turn', async () => {
    const held = gate();
    const isSubagent = ({ body }: ModelRequest): boolean => !JSON.stringify(body.messages[0]).includes('delegate');
    await using place = await stage((request) => {
      if (isSubagent(request))
        return toolResults(request).length === 0
          ? [text(['looking ', held]), toolUse('Bash', { command: 'touch made' })]
          : 'subagent done';
      const launched = JSON.stringify(request.body.messages).includes('Async agent launched');
      return launched ? 'main' : toolUse('Task', { description: 'd', prompt: 'p', subagent_type: 'general-purpose' });
    });
    const asked: (string | undefined)[] = [];
    const onAsk: AskHandler = (ask) => (ask.kind === 'call' && asked.push(ask.request.agent_id), allow());
    const session = await openSession({ ...place.options, onAsk });
    await session.send('delegate').result;
    const meanwhile = session.send('meanwhile');
    await held.reached;
    held.open();
    const finished = session.finish();
    expect((await collect(meanwhile)).map(textOf).join('')).not.toContain('looking');
    expect(await finished).toMatchObject({ code: 0 });
    expect(asked).toEqual([expect.any(String)]);
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
    expect((await collect(session.messages)).map(textOf).join('')).toContain('subagent done');
  });
});

withCli('#10 Background work', () => {
  const shell = (request: ModelRequest): TurnLike => {
    const results = toolResults(request);
    return results.length === 0
      ? toolUse('Bash', { command: 'tail -f /dev/null', run_in_background: true })
      : 'started';
  };

  it('is stopped by finish(), by default: a shell', async () => {
    await using place = await stage(shell);
    await using session = await openSession({ ...place.options, permissions: { allow: ['Bash'] } });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'started' });
    expect((await session.finish()).code).toBe(0);
  });

  it('is waited for by finish() with `backgroundTasks: wait`: a shell', async () => {
    await using place = await stage((request) => {
      const results = toolResults(request);
      return results.length === 0
        ? toolUse('Bash', { command: 'until [ -e go ]; do sleep 0.05; done; touch ended', run_in_background: true })
        : 'noted';
    });
    await using session = await openSession({
      ...place.options,
      permissions: { allow: ['Bash'] },
      backgroundTasks: 'wait',
    });
    await session.send('go').result;
    const finished = session.finish();
    await writeFile(join(place.home.cwd, 'go'), '');
    await finished;
    expect(existsSync(join(place.home.cwd, 'ended'))).toBe(true);
  });

  it('reports in a turn of its own before the session is idle: a subagent', async () => {
    let asked = 0;
    await using place = await stage((request) => {
      if (lastUserText(request).includes('SUBPROMPT')) return 'the report';
      asked += 1;
      if (asked > 1) return 'fine';
      return toolUse('Task', { description: 'd', prompt: 'SUBPROMPT', subagent_type: 'general-purpose' });
    });
    await using session = await openSession({ ...place.options, onAsk: () => allow() });
    const unsent: Turn[] = [];
    const reading = (async () => {
      for await (const turn of session.turns) unsent.push(turn);
    })();
    expect(await session.send('delegate please').result).toMatchObject({ kind: 'completed' });
    await session.idle();
    expect(unsent).toHaveLength(1);
    expect(await unsent[0]!.result).toMatchObject({
      kind: 'completed',
      result: { origin: { kind: 'task-notification' } },
    });
    await session.close();
    await reading;
  });

  it('keeps idle() pending after its turn has ended: a shell', async () => {
    const command = 'until [ -e go ]; do sleep 0.05; done';
    await using place = await stage((request) =>
      toolResults(request).length === 0 ? toolUse('Bash', { command, run_in_background: true }) : text(['started']),
    );
    await using session = await openSession({ ...place.options, permissions: { allow: ['Bash'] } });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'started' });
    let isIdle = false;
    const idle = session.idle().then(() => (isIdle = true));
    await session.request('get_binary_version');
    expect(isIdle).toBe(false);
    await writeFile(join(place.home.cwd, 'go'), '');
    await idle;
  });
});
