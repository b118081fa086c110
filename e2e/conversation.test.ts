import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentMessage, Approver, ObservedEvent, PermissionRequest, Turn } from '@hexagent/sdk';
import { allow, ask, createSdk, deny, openSession } from '@hexagent/sdk';
import {
  gate,
  lastUserText,
  silent,
  text,
  toolResults,
  toolUse,
  type ModelRequest,
  type TurnLike,
} from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from './support/cli.ts';
import { collect } from './support/collect.ts';
import { stage } from './support/stage.ts';

const kinds = (messages: readonly AgentMessage[]): string[] =>
  messages.map((message) => ('subtype' in message ? `${message.type}/${message.subtype}` : message.type));

/** The session ids that messages have. */
const idsIn = (messages: readonly AgentMessage[]): string[] => [
  ...new Set(
    messages.flatMap((message) => ('session_id' in message && message.session_id ? [message.session_id] : [])),
  ),
];

/** Calls the tool once; whatever came of it, the second answer tells what the tool said. */
const callOnce =
  (command: string) =>
  (request: ModelRequest): TurnLike => {
    const [result] = toolResults(request);
    return result === undefined ? toolUse('Bash', { command }) : `The tool said: ${result.text}`;
  };

withCli('One prompt', () => {
  it('is answered, and the agent leaves', async () => {
    await using place = await stage(['The answer is 4.']);
    const answer = ask('What is 2+2?', place.options);
    expect(kinds(await collect(answer))).toEqual(['system/init', 'assistant', 'result/success']);
    expect(await answer.outcome).toMatchObject({
      kind: 'completed',
      text: 'The answer is 4.',
      usage: { input_tokens: 100 },
    });
  });

  it('gives its outcome to who reads nothing', async () => {
    await using place = await stage(['Four.']);
    expect(await ask('What is 2+2?', place.options).outcome).toMatchObject({ text: 'Four.' });
  });
});

withCli('The id of a session', () => {
  it('is the one that every frame of the wire has, known when the first turn begins, and each event names the session', async () => {
    await using place = await stage(['One.', 'Two.', 'Three.']);
    const events: ObservedEvent[] = [];
    const sdk = createSdk({ observer: { observe: (event) => events.push(event) } });
    await using session = await sdk.openSession(place.options);
    expect(session.sessionId).toBeUndefined();
    const messages = await collect(session.send('one'));
    expect(idsIn(messages)).toEqual([session.sessionId]);
    const resumed = await sdk.openSession({ ...place.options, resume: session.sessionId });
    expect(idsIn(await collect(resumed.send('two')))).toEqual([session.sessionId]);
    expect(resumed.sessionId).toBe(session.sessionId);
    await resumed.close();
    await session.close();
    expect(session.id).not.toBe(resumed.id);
    expect(new Set(events.map(({ conversation }) => conversation))).toEqual(new Set([session.id, resumed.id]));
    const exits = events.flatMap((event) => (event.kind === 'exited' ? [event.conversation] : []));
    expect(exits).toEqual([resumed.id, session.id]);
  });

  it('is the one that the program gives, at once', async () => {
    await using place = await stage(['One.']);
    const sessionId = crypto.randomUUID();
    await using session = await openSession({ ...place.options, sessionId });
    expect(session.sessionId).toBe(sessionId);
    expect(idsIn(await collect(session.send('one')))).toEqual([sessionId]);
    expect(session.sessionId).toBe(sessionId);
  });

  it('follows the agent when `/clear` begins another', async () => {
    await using place = await stage(['One.', 'Two.']);
    await using session = await openSession(place.options);
    await session.send('one').result;
    const before = session.sessionId;
    await session.send('/clear').result;
    const messages = await collect(session.send('two'));
    expect(session.sessionId).not.toBe(before);
    expect(idsIn(messages)).toEqual([session.sessionId]);
  });
});

withCli('A session', () => {
  it('#5 #9 holds three turns in one process, in the order they were sent', async () => {
    await using place = await stage((request) => `You said ${lastUserText(request)}`);
    await using session = await openSession(place.options);
    const first = session.send('one');
    await first.result;
    const [second, third] = [session.send('two'), session.send('three')];
    expect(await first.result).toMatchObject({ kind: 'completed', text: 'You said one' });
    expect(await second.result).toMatchObject({ kind: 'completed', text: 'You said two' });
    expect(await third.result).toMatchObject({ kind: 'completed' });
    expect((await session.finish()).code).toBe(0);
  });

  it('tells what each turn cost, although the wire counts on', async () => {
    await using place = await stage(['a', 'b']);
    await using session = await openSession(place.options);
    const [first, second] = [await session.send('1').result, await session.send('2').result];
    if (first.kind === 'cancelled' || second.kind === 'cancelled') throw new Error('Both turns should have a result.');
    expect(first.cost).toBeGreaterThan(0);
    expect(second.cost).toBeCloseTo(first.cost, 10);
    expect(second.result.total_cost_usd).toBeCloseTo(first.cost + second.cost, 10);
  });

  it('shows text as it streams when asked to', async () => {
    await using place = await stage([text(['Hel', 'lo'])]);
    await using session = await openSession({ ...place.options, partialMessages: true });
    const messages = await collect(session.send('hi'));
    const deltas = messages.flatMap((message) =>
      message.type === 'stream_event' &&
      message.event.type === 'content_block_delta' &&
      message.event.delta.type === 'text_delta'
        ? [message.event.delta.text]
        : [],
    );
    expect(deltas).toEqual(['Hel', 'lo']);
  });

  it('introduces itself without being spoken to', async () => {
    await using place = await stage();
    await using session = await openSession(place.options);
    expect((await session.ready).claude_code_version).toMatch(/^2\./);
  });

  it('goes on with an earlier one, and in a copy', async () => {
    await using place = await stage((request) => `${request.body.messages.length} messages so far`);
    const first = await ask('one', place.options).outcome;
    if (first.kind !== 'completed') throw new Error(first.kind);
    const id = first.result.session_id;
    const resumed = await ask('two', { ...place.options, resume: id }).outcome;
    expect(resumed).toMatchObject({ kind: 'completed', result: { session_id: id } });
    const forked = await ask('three', { ...place.options, resume: id, fork: true }).outcome;
    if (forked.kind !== 'completed') throw new Error(forked.kind);
    expect(forked.result.session_id).not.toBe(id);
    expect(
      place.loopback.requests.map(({ body }) => body.messages.filter(({ role }) => role === 'assistant').length),
    ).toEqual([0, 1, 2]);
  });

  it('#32 sends a first prompt of several hundred kilobytes whole', async () => {
    const long = 'prompt '.repeat(60_000);
    await using place = await stage(['Read.']);
    await using session = await openSession(place.options);
    expect(await session.send(long).result).toMatchObject({ kind: 'completed' });
    expect(lastUserText(place.loopback.requests[0]!)).toContain(long.trim());
  });
});

withCli('A permission', () => {
  const asked: PermissionRequest[] = [];
  const approving =
    (approver: Approver): Approver =>
    (request, context) => (asked.push(request), approver(request, context));

  it('that is given lets the tool run', async () => {
    await using place = await stage(callOnce('touch made && echo done'));
    await using session = await openSession({ ...place.options, permissions: { approver: approving(() => allow()) } });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'The tool said: done' });
    expect(asked.at(-1)).toMatchObject({ tool_name: 'Bash', input: { command: 'touch made && echo done' } });
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
  });

  it('that is refused keeps it from running, and the model reads why', async () => {
    await using place = await stage(callOnce('touch made'));
    await using session = await openSession({ ...place.options, permissions: { approver: () => deny('not today') } });
    const outcome = await session.send('go').result;
    expect(outcome).toMatchObject({ kind: 'completed', result: { permission_denials: [{ tool_name: 'Bash' }] } });
    expect(outcome.kind === 'completed' && outcome.text).toContain('not today');
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('may change what the tool is given', async () => {
    await using place = await stage(callOnce('echo one > out'));
    await using session = await openSession({
      ...place.options,
      permissions: { approver: () => allow({ command: 'echo two > out' }) },
    });
    await session.send('go').result;
    expect(await readFile(join(place.home.cwd, 'out'), 'utf8')).toBe('two\n');
  });

  it('is denied with its message when the approver fails', async () => {
    await using place = await stage(callOnce('touch made'));
    await using session = await openSession({
      ...place.options,
      permissions: { approver: () => Promise.reject(new Error('approver broke')) },
    });
    const outcome = await session.send('go').result;
    expect(outcome.kind === 'completed' && outcome.text).toContain('approver broke');
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('denied by rule is never asked about and never runs', async () => {
    await using place = await stage(callOnce('rm -f keep && touch made'));
    const before = asked.length;
    await using session = await openSession({
      ...place.options,
      permissions: { deny: ['Bash(rm *)'], approver: approving(() => allow()) },
    });
    await session.send('go').result;
    expect(asked.length).toBe(before);
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });
});

withCli('#8 An interrupt', () => {
  const untilSomethingRuns = async (turn: Turn, type: string): Promise<void> => {
    for await (const message of turn) if (message.type === type) return;
  };

  it('before any message says that nothing runs', async () => {
    await using place = await stage();
    await using session = await openSession(place.options);
    expect(await session.interrupt()).toBe('nothing_running');
  });

  it('right after the message, before the agent has begun, stops it without a request to the model', async () => {
    await using place = await stage((request) => lastUserText(request));
    await using session = await openSession(place.options);
    const turn = session.send('one');
    expect(await turn.interrupt()).toBe('interrupted');
    expect(await turn.result).toMatchObject({ kind: 'interrupted' });
    expect(place.loopback.requests).toEqual([]);
    expect(await session.send('two').result).toMatchObject({ kind: 'completed', text: expect.stringContaining('two') });
  });

  it('while the model streams stops it and keeps what was said; the next turn is not touched', async () => {
    const held = gate();
    await using place = await stage((request) => (lastUserText(request) === 'one' ? text(['partial ', held]) : 'fine'));
    await using session = await openSession({ ...place.options, partialMessages: true });
    const turn = session.send('one');
    for await (const message of turn)
      if (message.type === 'stream_event' && message.event.type === 'content_block_delta') break;
    expect(await turn.interrupt()).toBe('interrupted');
    expect(await turn.result).toMatchObject({ kind: 'interrupted', text: 'partial ' });
    expect(await session.send('two').result).toMatchObject({ kind: 'completed', text: 'fine' });
  });

  it('while a tool runs ends the tool', async () => {
    await using place = await stage(callOnce('touch started; sleep 100; touch ended'));
    await using session = await openSession({ ...place.options, permissions: { approver: () => allow() } });
    const turn = session.send('go');
    await untilSomethingRuns(turn, 'assistant');
    expect(await turn.interrupt()).toBe('interrupted');
    expect(await turn.result).toMatchObject({ kind: 'interrupted' });
    expect(existsSync(join(place.home.cwd, 'ended'))).toBe(false);
  });

  it('#57 while a permission is pending withdraws the question', async () => {
    await using place = await stage(callOnce('touch made'));
    const open = Promise.withResolvers<AbortSignal>();
    const approver: Approver = (_, { signal }) => {
      open.resolve(signal);
      return new Promise(() => {});
    };
    await using session = await openSession({ ...place.options, permissions: { approver } });
    const turn = session.send('go');
    const signal = await open.promise;
    expect(await turn.interrupt()).toBe('interrupted');
    expect(signal.aborted).toBe(true);
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(false);
  });

  it('of a queued message takes it out and leaves the running one alone', async () => {
    const held = gate();
    await using place = await stage((request) => text(['said ', held, lastUserText(request)]));
    await using session = await openSession({ ...place.options, partialMessages: true });
    const running = session.send('one');
    for await (const message of running) if (message.type === 'stream_event') break;
    const queued = session.send('two');
    expect(await queued.interrupt()).toBe('cancelled');
    expect(await queued.result).toEqual({ kind: 'cancelled', why: 'withdrawn' });
    held.open();
    expect(await running.result).toMatchObject({ kind: 'completed', text: 'said one' });
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
});

withCli('Messages sent while a turn runs', () => {
  it('that the agent merges share one result; the messages belong to the first', async () => {
    const held = gate();
    await using place = await stage((request) => (answersSoFar(request) === 0 ? text(['first', held]) : 'both'));
    await using session = await openSession({ ...place.options, partialMessages: true });
    const first = session.send('a');
    for await (const message of first) if (message.type === 'stream_event') break;
    const [second, third] = [session.send('b'), session.send('c')];
    held.open();
    expect(await third.result).toBe(await second.result);
    expect(kinds(await collect(second))).toContain('result/success');
    expect(await collect(third)).toEqual([]);
    await session.idle();
  });

  it('twice with the same uuid are refused before the agent would drop them without a word', async () => {
    await using place = await stage(['a']);
    await using session = await openSession(place.options);
    const uuid = crypto.randomUUID();
    await session.send({ content: 'a', uuid }).result;
    expect(() => session.send({ content: 'b', uuid })).toThrow(expect.objectContaining({ code: 'MESSAGE_REPEATED' }));
  });

  it('a second time to a resumed session end at once, since it has answered them', async () => {
    await using place = await stage(['a', 'b']);
    const message = { content: 'once', uuid: crypto.randomUUID() };
    const first = await ask(message, place.options).outcome;
    if (first.kind !== 'completed') throw new Error(first.kind);
    await using session = await openSession({ ...place.options, resume: first.result.session_id });
    expect(await session.send(message).result).toEqual({ kind: 'cancelled', why: 'repeated' });
    expect(place.loopback.requests).toHaveLength(1);
  });
});

const answersSoFar = (request: ModelRequest): number =>
  request.body.messages.filter(({ role }) => role === 'assistant').length;

withCli('#10 Background work', () => {
  const shell = (request: ModelRequest): TurnLike => {
    const results = toolResults(request);
    return results.length === 0
      ? toolUse('Bash', { command: 'tail -f /dev/null', run_in_background: true })
      : 'started';
  };

  it('a shell left running is stopped by finish(), by default', async () => {
    await using place = await stage(shell);
    await using session = await openSession({ ...place.options, permissions: { allow: ['Bash'] } });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed', text: 'started' });
    expect((await session.finish()).code).toBe(0);
  });

  it('a shell is waited for when told to', async () => {
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

  it('a delegated task reports with a turn of its own, which is seen before the session is idle', async () => {
    let asked = 0;
    await using place = await stage((request) => {
      if (lastUserText(request).includes('SUBPROMPT')) return 'the report';
      asked += 1;
      if (asked > 1) return 'fine';
      return toolUse('Task', { description: 'd', prompt: 'SUBPROMPT', subagent_type: 'general-purpose' });
    });
    await using session = await openSession({ ...place.options, permissions: { approver: () => allow() } });
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
});

withCli('Leaving early', () => {
  it('#3 #4 by break ends the agent behind the loop', async () => {
    await using place = await stage([text(['word ', gate()])]);
    const answer = ask('go', { ...place.options, partialMessages: true });
    for await (const message of answer) if (message.type === 'stream_event') break;
    await answer.close();
    await expect(answer.outcome).resolves.toMatchObject({ kind: 'interrupted' });
  });

  it('#26 by an aborted signal rejects with an AbortError that keeps the reason', async () => {
    await using place = await stage([silent()]);
    const controller = new AbortController();
    const answer = ask('go', { ...place.options, signal: controller.signal });
    const reading = collect(answer);
    await place.loopback.received(1);
    controller.abort('enough');
    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' });
    await expect(answer.outcome).rejects.toMatchObject({ name: 'AbortError' });
    await answer.close();
  });
});
