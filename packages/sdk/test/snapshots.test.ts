import { describe, expect, it } from 'vitest';
import { createSdk, type MessageSnapshot } from '@hexagent/sdk';
import { linkedTransport, reply, scriptedAgent } from '@hexagent/testing';
import { MessageAssembler } from '../src/reading/message-assembler.ts';

type Frame = Readonly<Record<string, unknown>> & { readonly type: string };

const event = (of: object, fields: object = {}): Frame => ({
  type: 'stream_event',
  event: of,
  parent_tool_use_id: null,
  ...fields,
});
const start = (id: string): Frame => event({ type: 'message_start', message: { id } });
const open = (index: number, block: object): Frame =>
  event({ type: 'content_block_start', index, content_block: block });
const text = { type: 'text', text: '' };
const bash = { type: 'tool_use', id: 'call', name: 'Bash', input: {} };
const delta = (index: number, of: object): Frame => event({ type: 'content_block_delta', index, delta: of });
const stop = (index: number): Frame => event({ type: 'content_block_stop', index });
const end = (fields: object = {}): Frame => event({ type: 'message_stop' }, fields);
const whole = (id: string, block: object, fields: object = {}): Frame => ({
  type: 'assistant',
  uuid: `${id}-uuid`,
  parent_tool_use_id: null,
  message: { id, content: [block] },
  ...fields,
});

function snapshotsOf(frames: readonly Frame[]): readonly MessageSnapshot[] {
  const assembler = new MessageAssembler();
  return frames.flatMap((frame) => assembler.push(frame));
}

const written = (text: string): object => ({ type: 'text', text, isComplete: true });

describe('Snapshots of an answer', () => {
  it('have its text, its thinking and the input of a call as they grow', () => {
    const all = snapshotsOf([
      start('m1'),
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'hm' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      stop(0),
      open(1, text),
      delta(1, { type: 'text_delta', text: 'I will ' }),
      delta(1, { type: 'text_delta', text: 'run it.' }),
      stop(1),
      open(2, bash),
      delta(2, { type: 'input_json_delta', partial_json: '{"command":"ec' }),
      delta(2, { type: 'input_json_delta', partial_json: 'ho","n":[1,' }),
      delta(2, { type: 'input_json_delta', partial_json: '2]}' }),
    ]);
    const newest = all.map(({ blocks }) => blocks.at(-1));
    expect(newest).toMatchObject([
      { type: 'thinking', thinking: '', isComplete: false },
      { thinking: 'hm', isComplete: false },
      { thinking: 'hm', isComplete: true },
      { type: 'text', text: '', isComplete: false },
      { text: 'I will ', isComplete: false },
      { text: 'I will run it.', isComplete: false },
      { text: 'I will run it.', isComplete: true },
      { type: 'tool_use', id: 'call', name: 'Bash', input: {}, isComplete: false },
      { input: { command: 'ec' } },
      { input: { command: 'echo', n: [1] } },
      { input: { command: 'echo', n: [1, 2] } },
    ]);
    expect(all.at(-1)).toMatchObject({ id: 'm1', text: 'I will run it.', isTakenBack: false });
    expect(all.at(-1)?.blocks).toHaveLength(3);
  });

  it('do not change once they are given', () => {
    const frames = [
      start('m1'),
      open(0, text),
      delta(0, { type: 'text_delta', text: 'a' }),
      delta(0, { type: 'text_delta', text: 'b' }),
    ];
    expect(snapshotsOf(frames).map(({ text }) => text)).toEqual(['', 'a', 'ab']);
  });

  it('have a block once, whether it comes whole before the end of its stream, behind it, or after the result of a tool', () => {
    const streamed = [start('m1'), open(0, text), delta(0, { type: 'text_delta', text: 'A' })];
    const call = [open(1, bash), delta(1, { type: 'input_json_delta', partial_json: '{"command":"ls"}' })];
    const [a, use] = [whole('m1', { type: 'text', text: 'A' }), whole('m1', { ...bash, input: { command: 'ls' } })];
    const result: Frame = { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'call' }] } };
    for (const frames of [
      [...streamed, a, stop(0), ...call, use, stop(1), end(), result],
      [...streamed, stop(0), a, ...call, stop(1), use, end(), result],
      [...streamed, a, stop(0), ...call, use, result, stop(1), end()],
      [...streamed, stop(0), ...call, stop(1), end(), a, use, result],
      [a, use, result],
    ])
      expect(snapshotsOf(frames).at(-1)).toEqual({
        id: 'm1',
        text: 'A',
        blocks: [
          written('A'),
          { type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'ls' }, isComplete: true },
        ],
        isTakenBack: false,
      });
  });

  it('have two blocks of the same text', () => {
    const same = whole('m1', { type: 'text', text: 'A' });
    const frames = [
      start('m1'),
      open(0, text),
      same,
      stop(0),
      open(1, text),
      { ...same, uuid: 'other' },
      stop(1),
      end(),
    ];
    expect(snapshotsOf(frames).at(-1)?.blocks).toEqual([written('A'), written('A')]);
  });

  it('leave out what subagents write', () => {
    const frames = [
      start('m1'),
      open(0, text),
      whole('sub', written('no'), { parent_tool_use_id: 'call' }),
      delta(0, { text: 'yes' }),
    ];
    expect(snapshotsOf(frames).map(({ id, text }) => [id, text])).toEqual([
      ['m1', ''],
      ['m1', 'yes'],
    ]);
  });

  it('begin with the next whole block where reading began in the middle of an answer', () => {
    const frames = [delta(0, { text: 'end' }), whole('m1', { type: 'text', text: 'The end' }), stop(0), end()];
    expect(snapshotsOf(frames).map(({ text }) => text)).toEqual(['The end']);
  });

  it('are without what was not complete when the stream broke off', () => {
    const frames = [
      start('m1'),
      open(0, text),
      delta(0, { text: 'whole' }),
      whole('m1', { type: 'text', text: 'whole' }),
      stop(0),
      open(1, bash),
      stop(1),
      end({ abandoned_blocks: { api_message_id: 'm1', from_block_index: 1 } }),
    ];
    expect(snapshotsOf(frames).at(-1)).toEqual({
      id: 'm1',
      text: 'whole',
      blocks: [written('whole')],
      isTakenBack: true,
    });
  });

  it('are without the messages of a model in whose place another one answers, once', () => {
    const [old, answer] = [whole('m1', { type: 'text', text: 'No.' }), whole('m2', { type: 'text', text: 'Yes.' })];
    const banner: Frame = {
      type: 'system',
      subtype: 'model_refusal_fallback',
      retracted_message_uuids: ['m1-uuid', 'unknown'],
    };
    const gone = { id: 'm1', text: '', blocks: [], isTakenBack: true };
    const said = (id: string, text: string): object => ({ id, text, blocks: [written(text)], isTakenBack: false });
    const superseding = { ...answer, supersedes: ['m1-uuid'] };
    const expected = [said('m1', 'No.'), gone, said('m2', 'Yes.')];
    expect(snapshotsOf([old, superseding])).toEqual(expected);
    expect(snapshotsOf([old, banner, superseding])).toEqual(expected);
    expect(snapshotsOf([old, answer, banner])).toEqual([expected[0], expected[2], gone]);
  });

  it('have blocks of other types as the agent sent them, and none of a message in another form', () => {
    const block = { type: 'redacted_thinking', data: 'x' };
    expect(snapshotsOf([whole('m1', block)])[0]?.blocks).toEqual([{ type: 'other', block, isComplete: true }]);
    for (const message of [null, 'text', { content: 'text' }, { content: [null] }, {}])
      expect(snapshotsOf([{ type: 'assistant', message }, event(null as never), { type: 'system' }])).toEqual([]);
  });
});

describe('A turn', () => {
  it('has the snapshots of its answers, and ends with them however it ends', async () => {
    const turns = [['Let me see.', reply.tool('Read', { file_path: '/a' }), '42', reply.apiError(529, 'overloaded')]];
    const { transport } = linkedTransport(scriptedAgent({ turns }));
    const session = await createSdk({ transport }).openSession({ partialMessages: true });
    const last = new Map<string, MessageSnapshot>();
    const turn = session.send('go');
    for await (const snapshot of turn.snapshots()) last.set(snapshot.id, snapshot);
    const [first, second] = last.values();
    expect(first).toMatchObject({ text: 'Let me see.', blocks: [{}, { name: 'Read', input: { file_path: '/a' } }] });
    expect(second).toMatchObject({ text: '42', blocks: [written('42')] });
    expect(await turn.result).toMatchObject({ kind: 'failed' });
    await session.close();
  });
});
