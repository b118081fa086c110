import { SdkError, type AgentMessage, type ApprovalRecord, type SessionFact, type TurnOutcome } from '@hexagent/ports';
import { agentFrames, HandClock } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { NumberedChat } from './numbered-chat.ts';

const chat = (): NumberedChat =>
  new NumberedChat({
    subagents: undefined,
    answers: { permissionModes: [], suggestions: 'session' },
    clock: new HandClock(),
  });

/** In the form of the wire, which is what a log keeps. */
const received = (frame: object): SessionFact => ({
  kind: 'message',
  turn: 'one',
  message: { session_id: 's', uuid: 'u', parent_tool_use_id: null, ...frame } as unknown as AgentMessage,
});
const streamed = (event: object): SessionFact => received({ type: 'stream_event', event });
const written = (id: string, ...texts: readonly string[]): readonly SessionFact[] => [
  streamed({ type: 'message_start', message: { id, content: [] } }),
  streamed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  ...texts.map((text) => streamed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
  streamed({ type: 'content_block_stop', index: 0 }),
  received({
    type: 'assistant',
    message: { id, role: 'assistant', content: [{ type: 'text', text: texts.join('') }] },
  }),
];
const call = { type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'ls' } };
const record: ApprovalRecord = {
  id: 'ask',
  session: 'chat',
  kind: 'permission',
  toolUseId: 'call',
  tool: 'Bash',
  input: call.input,
  suggestions: [],
  createdAt: 0,
  state: 'open',
};
const started = (turn: string): SessionFact => ({
  kind: 'turn_started',
  turn,
  isUnsolicited: false,
  within: undefined,
});
const outcome = { kind: 'completed' } as TurnOutcome; // what is read of it

/** A turn with everything in it: pieces of text, a call that a person allows, and a message that joins. */
const whole: readonly SessionFact[] = [
  { kind: 'accepted', uuid: 'one', input: { content: 'Go' }, isCut: false },
  { kind: 'outbox', uuid: 'one', state: 'sent' },
  started('one'),
  ...written('m1', 'I ', 'look ', 'around. '),
  received({ type: 'assistant', message: { id: 'm2', role: 'assistant', content: [call] } }),
  { kind: 'ask_opened', record },
  { kind: 'accepted', uuid: 'two', input: { content: 'Be quick', priority: 'next' }, isCut: false },
  { kind: 'ask_settled', record: { ...record, state: 'answered', answer: { behavior: 'allow' } } },
  received({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call', content: 'a file' }] },
  }),
  started('two'),
  ...written('m3', 'There ', 'is ', 'a file.'),
  received({ ...agentFrames.result({ result: 'There is a file.' }), user_message_uuids: ['one', 'two'] }),
  { kind: 'turn_ended', turn: 'one', outcome },
  { kind: 'turn_ended', turn: 'two', outcome },
];

/** The same up to its last piece, where the agent is killed. Another one continues the message under the same name. */
const continued: readonly SessionFact[] = [
  ...whole.slice(0, 7),
  { kind: 'turn_cut', turn: 'one', error: new SdkError('AGENT_EXITED', 'It was killed.') },
  { kind: 'crashed', error: new SdkError('AGENT_EXITED', 'It was killed.'), restartsInMs: 10 },
  { kind: 'state', state: 'starting' },
  started('one'),
  ...written('m4', 'Once ', 'more.'),
  received(agentFrames.result({ result: 'Once more.' })),
  { kind: 'turn_ended', turn: 'one', outcome },
];

/** What a log keeps of an error. */
const plain = (_: string, value: unknown): unknown =>
  value instanceof SdkError ? { code: value.code, message: value.message, remedy: value.remedy } : value;

const stored = (facts: readonly SessionFact[]): readonly SessionFact[] =>
  JSON.parse(JSON.stringify(facts, plain)) as readonly SessionFact[]; // as they were written

/** What a page reads that joins before the fact at this place: its text, and the other parts in order. */
async function joiningAt(place: number, facts: readonly SessionFact[]): Promise<object> {
  const live = chat();
  for (const fact of facts.slice(0, place)) live.take(fact);
  const turn = live.turnOf();
  const chunks: { readonly type: string; readonly delta?: string; readonly id?: string }[] = [];
  const reader = turn?.buffer.read();
  for (const fact of facts.slice(place)) live.take(fact);
  for await (const chunk of reader ?? []) chunks.push(chunk);
  const text = chunks.map(({ delta = '' }) => delta).join('');
  return { text, parts: chunks.filter(({ type }) => !type.endsWith('-delta')) };
}

const places = (facts: readonly SessionFact[], from: number, to: number): readonly number[] =>
  facts.flatMap((_, place) => (place >= from && place < to ? [place] : []));

describe('A chat that is replayed from stored facts', () => {
  it.each(places(whole, 1, whole.length - 1))('shows a page that joins at %i the same answer', async (place) => {
    const answer = await joiningAt(1, whole);
    expect(answer).toMatchObject({ text: 'I look around. There is a file.' });
    expect(await joiningAt(place, whole)).toEqual(answer);
    expect(await joiningAt(place, stored(whole))).toEqual(answer);
  });

  it.each(places(continued, 1, continued.length))('shows one that joins a cut turn at %i the same', async (place) => {
    const before = place < 8;
    const answer = await joiningAt(before ? 1 : 9, continued);
    expect(answer).toMatchObject(before ? { text: 'I look ' } : { text: 'Once more.' });
    expect(await joiningAt(place, continued)).toEqual(place === 8 ? { text: '', parts: [] } : answer);
    expect(await joiningAt(place, stored(continued))).toEqual(await joiningAt(place, continued));
  });
});
