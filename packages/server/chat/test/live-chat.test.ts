import type {
  AgentMessage,
  ApprovalRecord,
  ChatStream,
  PermissionUpdate,
  SessionFact,
  TurnOutcome,
  UserInput,
} from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { describe, expect, it } from 'vitest';
import type { LiveChat } from '../src/live-chat.ts';
import { NumberedChat } from './numbered-chat.ts';

const chat = (): NumberedChat =>
  new NumberedChat({
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

const accepted = (uuid: string, input: Omit<UserInput, 'uuid'> = { content: 'Go' }): SessionFact => ({
  kind: 'accepted',
  uuid,
  input,
  isCut: false,
});
const started = (turn: string, isUnsolicited: boolean): SessionFact => ({
  kind: 'turn_started',
  turn,
  isUnsolicited,
  within: undefined,
});
const message = (turn: string, of: AgentMessage): SessionFact => ({ kind: 'message', turn, message: of });
const completed = { kind: 'completed' } as TurnOutcome; // what is read of it
const ended = (turn: string, outcome = completed): SessionFact => ({ kind: 'turn_ended', turn, outcome });
const cut = (turn: string, error: unknown): SessionFact => ({ kind: 'turn_cut', turn, error });
const stored = (uuid: string): SessionFact => ({ kind: 'outbox', uuid, state: 'completed' });

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

const streamOf = (live: LiveChat, turnId?: string): ChatStream | undefined => {
  const turn = live.turnOf(turnId);
  return turn && live.streamOf(turn);
};

/** What a reader of the turn gets, once it has ended. */
async function read(live: LiveChat, turnId?: string): Promise<Read> {
  const stream = streamOf(live, turnId);
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
    live.take(accepted('one'));
    const reading = read(live);
    live.take(started('one', false));
    live.take(message('one', assistant('hello')));
    live.take(ended('one'));
    expect(await reading).toMatchObject({ starts: ['answer-one'], text: 'hello' });
    expect([streamOf(live), live.isAnswered('one')]).toEqual([undefined, true]);
  });

  it('ends with what to do about a failure, where the agent itself only reports an interrupt', async () => {
    const live = chat();
    live.take(accepted('one'));
    const stream = streamOf(live, 'one');
    live.take(started('one', false));
    const result = { type: 'result', subtype: 'error_during_execution', is_error: false, terminal_reason: 'aborted' };
    live.take(message('one', result as unknown as AgentMessage)); // what the translator reads of one
    const hint = { kind: 'authentication', remedy: 'Set a valid key.' } as const;
    // The fields of an outcome that are shown.
    live.take(ended('one', { kind: 'failed', message: 'The key was refused.', hint } as unknown as TurnOutcome));
    const whole = await new Response(stream?.body).text();
    expect(whole).toContain(JSON.stringify({ type: 'error', errorText: 'The key was refused.\nSet a valid key.' }));
    expect(whole).toContain('"failure":{"message":"The key was refused.","remedy":"Set a valid key."}');
    expect(whole).not.toContain('"type":"abort"');
  });

  it('ends with why its message was not sent', async () => {
    const live = chat();
    live.take(accepted('one'));
    const stream = streamOf(live, 'one');
    live.take(ended('one', { kind: 'failed', message: 'The budget is spent.' } as unknown as TurnOutcome)); // what is read of one
    expect(await new Response(stream?.body).text()).toContain('"errorText":"The budget is spent."');
  });

  it('ends with what to do where its agent has exited, beside what happened', async () => {
    const live = chat();
    live.take(accepted('one'));
    const stream = streamOf(live, 'one');
    live.take(cut('one', { code: 'AGENT_NOT_FOUND', message: 'secret', remedy: 'Install it.' }));
    const whole = await new Response(stream?.body).text();
    const message = 'The agent has exited before it answered (AGENT_NOT_FOUND).';
    expect(whole).toContain(JSON.stringify({ type: 'error', errorText: `${message}\nInstall it.` }));
    expect(whole).toContain(`"failure":{"message":"${message}","remedy":"Install it."}`);
    expect(whole).not.toContain('secret');
  });

  it('names the suggestions that callers may not choose, those after which the agent asks again, and the modes that they may with a plan', async () => {
    const live = chat();
    live.take(accepted('one'));
    const stream = streamOf(live, 'one');
    live.take(started('one', false));
    const setMode = (mode: string, destination: string): PermissionUpdate =>
      ({ type: 'setMode', mode, destination }) as PermissionUpdate; // of these two
    const suggestions = [
      setMode('bypassPermissions', 'session'),
      setMode('acceptEdits', 'session'),
      setMode('acceptEdits', 'localSettings'),
      setMode('acceptEdits', 'a later version'),
    ];
    const content = ['call', 'plan'].map((id) => ({ type: 'tool_use', id: `call-${id}`, name: 'Bash', input: {} }));
    const asking = { ...assistant('asks'), message: { id: 'm', role: 'assistant', content } };
    live.take(message('one', asking as unknown as AgentMessage)); // what the translator reads of one
    const asksAgain = [{ index: 1, reason: 'The agent asks about this call again.' }];
    live.take({ kind: 'ask_opened', record: { ...record('call'), suggestions, asksAgain } });
    live.take({ kind: 'ask_opened', record: { ...record('plan'), kind: 'plan', tool: 'ExitPlanMode' } });
    live.take(ended('one'));
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
    live.take(accepted('one'));
    const reading = read(live);
    live.take(message('one', { type: 'result', subtype: 'success', is_error: false } as unknown as AgentMessage));
    live.take(stored('one'));
    expect((await reading).types).toContain('finish');
  });

  it('is an unsolicited turn, under its own id', async () => {
    const live = chat();
    live.take(started('own', true));
    const reading = read(live);
    live.take(message('own', assistant('a task has ended')));
    live.take(ended('own'));
    expect(await reading).toMatchObject({ starts: ['answer-own'], text: 'a task has ended' });
  });

  it('is the message that was cut off, in the turn in which the next agent continues it', async () => {
    const live = chat();
    live.take(accepted('cut'));
    live.take(started('cut', false));
    live.take(message('cut', assistant('half')));
    const before = read(live);
    live.take(cut('cut', new Error('gone')));
    expect((await before).types.at(-1)).toBe('error');
    live.take({ kind: 'crashed', error: new Error('gone'), restartsInMs: 10 });
    const after = read(live);
    live.take(started('cut', false));
    live.take(message('cut', assistant('whole')));
    live.take(ended('cut'));
    expect(await after).toMatchObject({ starts: ['answer-cut'], text: 'whole' });
    expect(live.isAnswered('cut')).toBe(true);
    live.take(stored('cut'));
    live.take(started('later', true));
    expect(live.turnId).toBe('later');
  });

  it('is first what was cut off and then the new message, each in its own stream', async () => {
    const live = chat();
    live.take({ kind: 'held', isHeld: true });
    live.take(accepted('cut'));
    expect(live.turnId).toBeUndefined();
    live.take({ kind: 'held', isHeld: false });
    live.take(accepted('new'));
    const own = read(live, 'new');
    expect(live.turnId).toBe('cut');
    const other = read(live);
    live.take(started('cut', false));
    live.take(message('cut', assistant('the old one')));
    live.take(ended('cut'));
    expect(live.turnId).toBe('new');
    live.take(started('new', false));
    live.take(message('new', assistant('the new one')));
    live.take(ended('new'));
    expect([await other, await own]).toMatchObject([
      { starts: ['answer-cut'], text: 'the old one' },
      { starts: ['answer-new'], text: 'the new one' },
    ]);
  });

  it('is one turn where a message joins it, and another where it came too late for that', async () => {
    const live = chat();
    live.take(accepted('one'));
    live.take(started('one', false));
    live.take(accepted('joined', { content: 'rather blue', priority: 'next' }));
    live.take(started('joined', false));
    expect([live.turnId, live.isSteering('joined')]).toEqual(['one', true]);
    live.take(ended('one'));
    // It is shown before the agent is given it.
    const reading = read(live);
    expect(live.turnId).toBe('joined');
    live.take(started('joined', false));
    live.take(message('joined', assistant('blue')));
    live.take(ended('joined'));
    expect(await reading).toMatchObject({ starts: ['answer-joined'], text: 'blue' });
    expect(live.isSteering('joined')).toBe(false);
  });

  it('is done with every message that its result names', () => {
    const live = chat();
    live.take(accepted('one'));
    live.take(started('one', false));
    live.take(accepted('joined', { content: 'rather blue', priority: 'next' }));
    const result = { type: 'result', subtype: 'success', is_error: false, user_message_uuids: ['one', 'joined'] };
    live.take(message('one', result as unknown as AgentMessage)); // what is read of one
    live.take(ended('one'));
    expect([live.turnId, live.isAnswered('one'), live.isAnswered('joined')]).toEqual([undefined, true, true]);
    live.take(ended('joined'));
    expect([live.isAnswered('joined'), live.isSteering('joined')]).toEqual([true, false]);
  });

  it('waits for a person between two turns, when a subagent in the background asks', async () => {
    const live = chat();
    live.take({ kind: 'ask_opened', record: record('ask') });
    expect([live.isWaiting, live.turnId]).toEqual([true, 'ask']);
    const reading = read(live);
    live.take({ kind: 'ask_settled', record: { ...record('ask'), state: 'answered', answer: { behavior: 'allow' } } });
    expect((await reading).types).toEqual(expect.arrayContaining(['tool-approval-request', 'tool-approval-response']));
    expect([live.isWaiting, live.turnId]).toEqual([false, undefined]);
  });

  it.each([
    { what: 'what a subagent in the background still asks', asker: record('ask'), turn: 'ask' },
    { what: 'nothing that the agent itself asked', asker: { ...record('ask'), agentId: undefined }, turn: undefined },
  ])('is, after the end of a turn, $what', async ({ asker, turn }) => {
    const live = chat();
    live.take(accepted('one'));
    live.take({ kind: 'ask_opened', record: asker });
    const first = read(live);
    live.take(ended('one'));
    expect((await first).starts).toEqual(['answer-one']);
    expect([live.isWaiting, live.turnId]).toEqual([turn !== undefined, turn]);
    const second = read(live);
    live.take({ kind: 'ask_settled', record: { ...asker, state: 'answered', answer: { behavior: 'allow' } } });
    expect((await second).starts).toEqual(turn === undefined ? [] : ['answer-ask']);
    expect(live.turnId).toBeUndefined();
  });

  it('is nothing that was asked in a turn which was interrupted', () => {
    const live = chat();
    live.take(accepted('one'));
    live.take({ kind: 'ask_opened', record: record('ask') });
    live.take(ended('one', { kind: 'interrupted' } as TurnOutcome)); // what is read of it
    expect(live.turnId).toBeUndefined();
  });

  it('ends for all readers when the chat does', async () => {
    const live = chat();
    live.take(accepted('one'));
    live.take(accepted('two'));
    const reading = [read(live, 'one'), read(live, 'two'), read(live)];
    live.take({ kind: 'dropped', error: { code: 'SESSION_NOT_FOUND' } });
    expect((await Promise.all(reading)).map(({ types }) => types.at(-1))).toEqual(['abort', 'abort', 'abort']);
    expect(live.turnId).toBeUndefined();
  });

  it('is, for a page that was shown what came before its end, the last turn as well', async () => {
    const live = chat();
    const facts = [accepted('one'), started('one', false), message('one', assistant('hello')), ended('one')];
    const cursors = facts.map((fact) => {
      live.take(fact);
      return live.cursor;
    });
    expect(cursors.map((after) => live.turnAfter(after) !== undefined)).toEqual([true, true, true, false]);
    const missed = live.turnAfter(cursors[0]);
    const whole = await new Response(missed && live.streamOf(missed).body).text();
    expect(whole).toContain('hello');
    // A client that connects again by itself asks for what comes after that.
    expect(whole.endsWith(`id: ${cursors.at(-1)}\ndata: [DONE]\n\n`)).toBe(true);
    live.take({ kind: 'ask_opened', record: record('ask') });
    live.take({ kind: 'ask_settled', record: { ...record('ask'), state: 'answered', answer: { behavior: 'allow' } } });
    expect(live.turnAfter(cursors.at(-1))).toBeDefined();
    live.take(accepted('two'));
    expect(live.turnAfter(live.cursor)).toBe(live.turnOf('two'));
  });
});
