import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  allow,
  ask,
  openSession,
  textDeltaOf,
  textOf,
  type AgentMessage,
  type Approver,
  type Session,
  type SessionOptions,
  type Turn,
} from '@hexagent/sdk';
import {
  dropped,
  gate,
  lastUserText,
  text,
  toolResults,
  toolUse,
  type Gate,
  type ModelRequest,
  type TurnLike,
} from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from './support/cli.ts';
import { collect } from './support/collect.ts';
import { stage } from './support/stage.ts';

// Odd sequences: what a person at a keyboard, a queue or an impatient program does to a session.

/** Reads until text streams, and leaves the rest unread. */
async function untilItStreams(turn: Turn): Promise<void> {
  for await (const message of turn) if (textDeltaOf(message) !== '') return;
}

/** Calls a tool that asks, and then says what `then` says. */
const afterTool =
  (then: (request: ModelRequest) => TurnLike) =>
  (request: ModelRequest): TurnLike =>
    toolResults(request).length === 0 ? toolUse('Bash', { command: 'touch made' }) : then(request);

/** Whoever is asked says `words` first: they are written before the answer, so they wait while the tool runs. */
function saying(words: string): {
  readonly open: (options: SessionOptions) => Promise<Session>;
  readonly said: Promise<Turn>;
} {
  const opened = Promise.withResolvers<Session>();
  const said = Promise.withResolvers<Turn>();
  const approver: Approver = async () => {
    said.resolve((await opened.promise).send(words));
    return allow();
  };
  const open = async (options: SessionOptions): Promise<Session> => {
    const session = await openSession({ ...options, permissions: { approver } });
    opened.resolve(session);
    return session;
  };
  return { open, said: said.promise };
}

/** Somebody who is asked and never answers. */
function silentPerson(): { readonly approver: Approver; readonly asked: Promise<void> } {
  const asked = Promise.withResolvers<void>();
  const approver: Approver = () => {
    asked.resolve();
    return new Promise(() => {});
  };
  return { approver, asked: asked.promise };
}

withCli('#9 A message sent while a tool runs', () => {
  it('is folded into the running turn, and both have the one result', async () => {
    await using place = await stage(afterTool(() => 'both done'));
    const { open, said } = saying('also this');
    await using session = await open(place.options);
    const running = session.send('go');
    const folded = await said;
    const outcome = await folded.result;
    expect(outcome).toMatchObject({ kind: 'completed', text: 'both done' });
    expect(await running.result).toBe(outcome);
    expect(JSON.stringify(place.loopback.requests[1]?.body.messages)).toContain('also this');
    await session.idle();
  });

  it('is interrupted with the turn that it was folded into', async () => {
    const held = gate();
    await using place = await stage(afterTool(() => text(['partial ', held])));
    const { open, said } = saying('also this');
    await using session = await open({ ...place.options, partialMessages: true });
    const running = session.send('go');
    const folded = await said;
    await untilItStreams(running);
    expect(await folded.interrupt()).toBe('interrupted');
    expect(await folded.result).toMatchObject({ kind: 'interrupted', text: 'partial ' });
    expect(await running.result).toBe(await folded.result);
  });
});

withCli('#8 An impatient interrupt', () => {
  const first = (held: Gate) => (request: ModelRequest) =>
    lastUserText(request) === 'one' ? text(['partial ', held]) : `fine ${lastUserText(request)}`;

  it('given three times at once stops one turn and not the next', async () => {
    await using place = await stage(first(gate()));
    await using session = await openSession({ ...place.options, partialMessages: true });
    const running = session.send('one');
    const next = session.send('two');
    await untilItStreams(running);
    const interrupts = [running.interrupt(), session.interrupt(), running.interrupt()];
    expect(await Promise.all(interrupts)).toEqual(['interrupted', 'interrupted', 'interrupted']);
    expect(await next.result).toMatchObject({ kind: 'completed', text: 'fine two' });
  });

  it('given again afterwards is too late', async () => {
    await using place = await stage(first(gate()));
    await using session = await openSession({ ...place.options, partialMessages: true });
    const turn = session.send('one');
    await untilItStreams(turn);
    expect([await turn.interrupt(), await turn.interrupt(), await session.interrupt()]).toEqual([
      'interrupted',
      'too_late',
      'nothing_running',
    ]);
  });

  it('while the session is being closed still says what came of the turn', async () => {
    await using place = await stage(first(gate()));
    const session = await openSession({ ...place.options, partialMessages: true });
    const turn = session.send('one');
    await untilItStreams(turn);
    const closed = session.close();
    expect(await turn.interrupt()).toBe('interrupted');
    await closed;
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

withCli('#53 A message with a priority', () => {
  it('of `now` stops what runs and comes before what waits; `later` comes last', async () => {
    await using place = await stage((request) =>
      lastUserText(request) === 'one' ? text(['partial ', gate()]) : `said ${lastUserText(request)}`,
    );
    await using session = await openSession({ ...place.options, partialMessages: true });
    const ended: string[] = [];
    const send = (content: string, priority?: 'now' | 'later'): Turn => {
      const turn = session.send({ content, priority });
      void turn.result.then(() => ended.push(content));
      return turn;
    };
    const one = send('one');
    await untilItStreams(one);
    const all = [send('later', 'later'), send('two'), send('now', 'now')];
    expect(await one.result).toMatchObject({ kind: 'interrupted', text: 'partial ' });
    const outcomes = await Promise.all(all.map((turn) => turn.result));
    expect(outcomes.map((outcome) => 'text' in outcome && outcome.text)).toEqual([
      'said later',
      'said two',
      'said now',
    ]);
    expect(ended).toEqual(['one', 'now', 'two', 'later']);
  });
});

withCli('finish()', () => {
  it('#1 #28 waits for a person who is being asked, and refuses what is said meanwhile', async () => {
    await using place = await stage(afterTool(() => 'made'));
    const asked = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    const approver: Approver = async () => {
      asked.resolve();
      await decided.promise;
      return allow();
    };
    const session = await openSession({ ...place.options, permissions: { approver } });
    const turn = session.send('go');
    const finished = session.finish();
    await asked.promise;
    expect(() => session.send('late')).toThrow(expect.objectContaining({ code: 'CONVERSATION_CLOSED' }));
    decided.resolve();
    expect(await turn.result).toMatchObject({ kind: 'completed', text: 'made' });
    expect(await finished).toMatchObject({ code: 0 });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
  });

  it('#3 that waits for a person who never answers is ended by an interrupt', async () => {
    await using place = await stage(afterTool(() => 'made'));
    const { approver, asked } = silentPerson();
    const session = await openSession({ ...place.options, permissions: { approver } });
    session.send('go');
    const finished = session.finish();
    await asked;
    expect(await session.interrupt()).toBe('interrupted');
    await finished;
  });

  it('#3 that waits, and idle() beside it, are ended by close()', async () => {
    await using place = await stage(afterTool(() => 'made'));
    const { approver, asked } = silentPerson();
    const session = await openSession({ ...place.options, permissions: { approver } });
    const turn = session.send('go');
    const finished = session.finish();
    const idle = session.idle();
    await asked;
    await Promise.all([
      session.close(),
      finished,
      expect(idle).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' }),
      expect(turn.result).resolves.toMatchObject({ kind: 'interrupted' }),
    ]);
  });

  it('#10 waits for a background subagent that asks long after its turn has ended, and shows its words apart', async () => {
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
    const approver: Approver = ({ agent_id }) => (asked.push(agent_id), allow());
    const session = await openSession({ ...place.options, permissions: { approver } });
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

withCli('#41 Three sessions at the same time', () => {
  it('each get their own answers, in any order', async () => {
    const held = [gate(), gate(), gate()];
    await using place = await stage((request) => {
      const said = lastUserText(request);
      return text([`heard ${said}`, held[Number(said)] ?? gate()]);
    });
    const sessions = await Promise.all(held.map(() => openSession(place.options)));
    const turns = sessions.map((session, index) => session.send(`${index}`));
    for (const door of held.toReversed()) {
      await door.reached;
      door.open();
    }
    const outcomes = await Promise.all(turns.map((turn) => turn.result));
    expect(outcomes).toMatchObject([{ text: 'heard 0' }, { text: 'heard 1' }, { text: 'heard 2' }]);
    await Promise.all(sessions.map((session) => session.close()));
  });
});

withCli('Closing in the middle of a turn', () => {
  it('keeps what was said until then: a resumed session remembers it', async () => {
    await using place = await stage((request) =>
      request.body.messages.some(({ role }) => role === 'assistant')
        ? JSON.stringify(request.body.messages)
        : text(['partial words ', gate()]),
    );
    const session = await openSession({ ...place.options, partialMessages: true });
    const turn = session.send('tell me');
    await untilItStreams(turn);
    await session.close();
    const outcome = await turn.result;
    if (outcome.kind !== 'interrupted') throw new Error(outcome.kind);
    const resumed = await ask('go on', { ...place.options, resume: outcome.result.session_id }).outcome;
    expect(resumed).toMatchObject({ kind: 'completed', text: expect.stringContaining('partial words') });
  });
});

withCli('#6 A session that cannot be resumed', () => {
  it('says so to whoever speaks after it has gone', async () => {
    await using place = await stage();
    const session = await openSession({ ...place.options, resume: crypto.randomUUID() });
    await expect(session.ready).rejects.toThrow(/before it was ready.*No conversation found/s);
    await session.exited;
    expect(() => session.send('hi')).toThrow(
      expect.objectContaining({
        code: 'CONVERSATION_CLOSED',
        message: expect.stringContaining('No conversation found'),
        cause: expect.objectContaining({ code: 'AGENT_EXITED', exitCode: 1 }),
      }),
    );
    await session.close();
  });
});

withCli('#17 What local commands do', () => {
  it('is a turn of its own, and spoils neither costs nor the turns that wait', async () => {
    await using place = await stage((request) => `fine ${lastUserText(request)}`);
    await using session = await openSession(place.options);
    const words = ['one', '/cost', 'two', '/clear', 'three'];
    const outcomes = [];
    for (const word of words) outcomes.push(await session.send(word).result);
    expect(outcomes.map(({ kind }) => kind)).toEqual(words.map(() => 'completed'));
    const costs = outcomes.map((outcome) => ('cost' in outcome ? outcome.cost : Number.NaN));
    expect(costs[0]).toBeGreaterThan(0);
    expect(costs).toEqual([costs[0], 0, costs[0], 0, costs[0]]);
    const ids = outcomes.map((outcome) => 'result' in outcome && outcome.result.session_id);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids[4]).not.toBe(ids[0]);
    await session.idle();
  });

  it('includes a conversation that was reset while another message waited', async () => {
    const held = gate();
    await using place = await stage((request) =>
      lastUserText(request) === 'hold' ? text(['held ', held]) : `fine ${lastUserText(request)}`,
    );
    await using session = await openSession({ ...place.options, partialMessages: true });
    const running = session.send('hold');
    await untilItStreams(running);
    const [clear, after] = [session.send('/clear'), session.send('after')];
    held.open();
    expect(await running.result).toMatchObject({ kind: 'completed', text: 'held ' });
    expect((await collect(clear)).map((message: AgentMessage): string => message.type)).toContain('conversation_reset');
    expect(await after.result).toMatchObject({ kind: 'completed', text: 'fine after' });
  });
});

withCli('A message that asks nothing of the model', () => {
  it('has its own empty result at once, and is known in the next turn', async () => {
    await using place = await stage((request) => JSON.stringify(request.body.messages));
    await using session = await openSession(place.options);
    const silent = session.send({ content: 'so you know', fields: { shouldQuery: false } });
    expect(await silent.result).toMatchObject({ kind: 'completed', text: '', cost: 0 });
    expect(await session.send('and?').result).toMatchObject({ text: expect.stringContaining('so you know') });
    expect(place.loopback.requests).toHaveLength(1);
  });

  it('may be stopped by a hook, with the reason as its text', async () => {
    await using place = await stage(['fine']);
    const hooks = { UserPromptSubmit: [{ hooks: [() => ({ decision: 'block', reason: 'not that' }) as const] }] };
    await using session = await openSession({ ...place.options, hooks });
    expect(await session.send('bad').result).toMatchObject({ text: expect.stringContaining('not that'), cost: 0 });
    expect(place.loopback.requests).toEqual([]);
  });
});

withCli('#42 #56 A service that is not reached', () => {
  it('is a failure with a hint at the network', async () => {
    await using place = await stage([dropped()], { CLAUDE_CODE_MAX_RETRIES: '0' });
    const outcome = await ask('hi', place.options).outcome;
    expect(outcome).toMatchObject({ kind: 'failed', cause: 'api', hint: { kind: 'connection' } });
  });
});
