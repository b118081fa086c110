import type { AgentMessage, ApprovalRecord, PermissionUpdate, TurnOutcome } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { describe, expect, it } from 'vitest';
import { LiveChat } from '../src/live-chat.ts';

const chat = (): LiveChat =>
  new LiveChat({
    subagents: undefined,
    answers: { permissionModes: ['acceptEdits'], suggestions: 'session' },
    clock: systemClock,
  });

const assistant = (text: string): AgentMessage =>
  ({
    type: 'assistant',
    message: { id: `msg-${text}`, role: 'assistant', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
    session_id: 's',
    uuid: `uuid-${text}`,
  }) as unknown as AgentMessage; // what the translator reads of one

const record = (id: string): ApprovalRecord => ({
  id,
  session: 'chat',
  kind: 'permission',
  toolUseId: `call-${id}`,
  agentId: 'agent',
  tool: 'Bash',
  input: { command: 'ls' },
  suggestions: [],
  createdAt: 0,
  state: 'open',
});

interface Read {
  /** The ids of the answers that the stream begins. */
  readonly starts: readonly string[];
  readonly text: string;
  readonly types: readonly string[];
}

/** What a reader of the turn gets, once it has ended. */
async function read(live: LiveChat, turnId?: string): Promise<Read> {
  const stream = live.stream(turnId);
  const whole = await new Response(stream?.body).text();
  const chunks = [...whole.matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json));
  return {
    starts: chunks.flatMap(({ type, messageId }) => (type === 'start' ? [messageId] : [])),
    text: chunks.map(({ delta = '' }) => delta).join(''),
    types: chunks.map(({ type }) => type),
  };
}

describe('#66 What a chat shows', () => {
  it('is a turn from the moment its message is accepted', async () => {
    const live = chat();
    live.begin('one');
    const reading = read(live);
    live.started('one', { isUnsolicited: false });
    live.receive('one', assistant('hello'));
    live.answer('one');
    expect(await reading).toMatchObject({ starts: ['answer-one'], text: 'hello' });
    expect([live.stream(), live.isAnswered('one')]).toEqual([undefined, true]);
  });

  it('ends with what to do about a failure, where the agent itself only reports an interrupt', async () => {
    const live = chat();
    live.begin('one');
    const stream = live.stream('one');
    live.started('one', { isUnsolicited: false });
    const result = { type: 'result', subtype: 'error_during_execution', is_error: false, terminal_reason: 'aborted' };
    live.receive('one', result as unknown as AgentMessage); // what the translator reads of one
    const hint = { kind: 'authentication', remedy: 'Set a valid key.' } as const;
    // The fields of an outcome that are shown.
    live.answer('one', { kind: 'failed', message: 'The key was refused.', hint } as unknown as TurnOutcome);
    const whole = await new Response(stream?.body).text();
    expect(whole).toContain(JSON.stringify({ type: 'error', errorText: 'The key was refused.\nSet a valid key.' }));
    expect(whole).toContain('"failure":{"message":"The key was refused.","remedy":"Set a valid key."}');
    expect(whole).not.toContain('"type":"abort"');
  });

  it('ends with what to do where its agent has exited, beside what happened', async () => {
    const live = chat();
    live.begin('one');
    const stream = live.stream('one');
    live.cut('one', { kind: 'error', errorText: 'It has gone.', remedy: 'Restart it.' });
    const whole = await new Response(stream?.body).text();
    expect(whole).toContain(JSON.stringify({ type: 'error', errorText: 'It has gone.\nRestart it.' }));
    expect(whole).toContain('"failure":{"message":"It has gone.","remedy":"Restart it."}');
  });

  it('names the suggestions that callers may not choose, those after which the agent asks again, and the modes that they may with a plan', async () => {
    const live = chat();
    live.begin('one');
    const stream = live.stream('one');
    live.started('one', { isUnsolicited: false });
    const setMode = (mode: string, destination: string): PermissionUpdate =>
      ({ type: 'setMode', mode, destination }) as PermissionUpdate; // of these two
    const suggestions = [
      setMode('bypassPermissions', 'session'),
      setMode('acceptEdits', 'session'),
      setMode('acceptEdits', 'localSettings'),
      setMode('acceptEdits', 'a later version'),
    ];
    const content = ['call', 'plan'].map((id) => ({ type: 'tool_use', id: `call-${id}`, name: 'Bash', input: {} }));
    const message = { ...assistant('asks'), message: { id: 'm', role: 'assistant', content } };
    live.receive('one', message as unknown as AgentMessage); // what the translator reads of one
    const asksAgain = [{ index: 1, reason: 'The agent asks about this call again.' }];
    live.approvalOpened({ ...record('call'), suggestions, asksAgain });
    live.approvalOpened({ ...record('plan'), kind: 'plan', tool: 'ExitPlanMode' });
    live.answer('one');
    const whole = await new Response(stream?.body).text();
    const outlasts = 'This server does not let callers choose what outlasts the session.';
    const refused = [
      { index: 0, reason: 'This server does not let callers choose the mode bypassPermissions.' },
      { index: 2, reason: outlasts },
      { index: 3, reason: outlasts },
    ];
    expect(whole).toContain(`"refusedSuggestions":${JSON.stringify(refused)}`);
    expect(whole).toContain(`"asksAgain":${JSON.stringify(asksAgain)}`);
    expect(whole).toContain('"kind":"plan","suggestions":[],"permissionModes":["acceptEdits"]');
  });

  it('ends with its result, also when only the end of its message was reported', async () => {
    const live = chat();
    live.begin('one');
    const reading = read(live);
    live.receive('one', { type: 'result', subtype: 'success', is_error: false } as unknown as AgentMessage);
    live.done('one');
    expect((await reading).types).toContain('finish');
  });

  it('is an unsolicited turn, under its own id', async () => {
    const live = chat();
    live.started('own', { isUnsolicited: true });
    const reading = read(live);
    live.receive('own', assistant('a task has ended'));
    live.answer('own');
    expect(await reading).toMatchObject({ starts: ['answer-own'], text: 'a task has ended' });
  });

  it('is the message that was cut off, in the turn in which the next agent continues with it by itself', async () => {
    const live = chat();
    live.begin('cut');
    live.started('cut', { isUnsolicited: false });
    live.receive('cut', assistant('half'));
    const before = read(live);
    live.cut('cut', { kind: 'error', errorText: 'gone' });
    expect((await before).types.at(-1)).toBe('error');
    live.begin('cut');
    const after = read(live);
    live.started('resumed', { isUnsolicited: true });
    live.receive('resumed', assistant('whole'));
    live.answer('resumed');
    expect(await after).toMatchObject({ starts: ['answer-cut'], text: 'whole' });
    expect(live.isAnswered('cut')).toBe(true);
    live.done('cut');
    live.started('later', { isUnsolicited: true });
    expect(live.turnId).toBe('later');
  });

  it('is first what was cut off and then the new message, each in its own stream', async () => {
    const live = chat();
    live.cut('cut', { kind: 'aborted' });
    live.begin('new');
    const own = read(live, 'new');
    live.started('resumed', { isUnsolicited: true });
    expect(live.turnId).toBe('cut');
    const other = read(live);
    live.receive('resumed', assistant('the old one'));
    live.answer('resumed');
    expect(live.turnId).toBe('new');
    live.started('new', { isUnsolicited: false });
    live.receive('new', assistant('the new one'));
    live.answer('new');
    expect([await other, await own]).toMatchObject([
      { starts: ['answer-cut'], text: 'the old one' },
      { starts: ['answer-new'], text: 'the new one' },
    ]);
  });

  it('is one turn where a message joins it, and another where it came too late for that', async () => {
    const live = chat();
    live.begin('one');
    live.started('one', { isUnsolicited: false });
    live.steer('joined', 'rather blue');
    live.started('joined', { isUnsolicited: false });
    expect([live.turnId, live.isSteering('joined')]).toEqual(['one', true]);
    live.answer('one');
    // A page sees that it is about to run before the agent is given it.
    const reading = read(live);
    expect(live.turnId).toBe('joined');
    live.started('joined', { isUnsolicited: false });
    live.receive('joined', assistant('blue'));
    live.answer('joined');
    expect(await reading).toMatchObject({ starts: ['answer-joined'], text: 'blue' });
    expect(live.isSteering('joined')).toBe(false);
  });

  it('is done with every message that its result names', () => {
    const live = chat();
    live.begin('one');
    live.started('one', { isUnsolicited: false });
    live.steer('joined', 'rather blue');
    const result = { type: 'result', subtype: 'success', is_error: false, user_message_uuids: ['one', 'joined'] };
    live.receive('one', result as unknown as AgentMessage); // what is read of one
    live.answer('one');
    expect([live.turnId, live.isAnswered('one'), live.isAnswered('joined')]).toEqual([undefined, true, true]);
    live.answer('joined');
    expect([live.isAnswered('joined'), live.isSteering('joined')]).toEqual([true, false]);
  });

  it('waits for a person between two turns, when a subagent in the background asks', async () => {
    const live = chat();
    live.approvalOpened(record('ask'));
    expect([live.isWaiting, live.turnId]).toEqual([true, 'ask']);
    const reading = read(live);
    live.approvalSettled({ ...record('ask'), state: 'answered', answer: { behavior: 'allow' } });
    expect((await reading).types).toEqual(expect.arrayContaining(['tool-approval-request', 'tool-approval-response']));
    expect([live.isWaiting, live.turnId]).toEqual([false, undefined]);
  });

  it.each([
    { what: 'what a subagent in the background still asks', asker: record('ask'), turn: 'ask' },
    { what: 'nothing that the agent itself asked', asker: { ...record('ask'), agentId: undefined }, turn: undefined },
  ])('is, after the end of a turn, $what', async ({ asker, turn }) => {
    const live = chat();
    live.begin('one');
    live.approvalOpened(asker);
    const first = read(live);
    live.answer('one');
    expect((await first).starts).toEqual(['answer-one']);
    expect([live.isWaiting, live.turnId]).toEqual([turn !== undefined, turn]);
    const second = read(live);
    live.approvalSettled({ ...asker, state: 'answered', answer: { behavior: 'allow' } });
    expect((await second).starts).toEqual(turn === undefined ? [] : ['answer-ask']);
    expect(live.turnId).toBeUndefined();
  });

  it('is nothing that was asked in a turn which was interrupted', () => {
    const live = chat();
    live.begin('one');
    live.approvalOpened(record('ask'));
    live.answer('one', { kind: 'interrupted' } as TurnOutcome); // what is read of it
    expect(live.turnId).toBeUndefined();
  });

  it('ends for all readers when the chat does', async () => {
    const live = chat();
    live.begin('one');
    live.begin('two');
    const reading = [read(live, 'one'), read(live, 'two'), read(live)];
    live.endAll({ kind: 'aborted' });
    expect((await Promise.all(reading)).map(({ types }) => types.at(-1))).toEqual(['abort', 'abort', 'abort']);
    expect(live.turnId).toBeUndefined();
  });
});
