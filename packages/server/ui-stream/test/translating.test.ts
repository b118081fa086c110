import { createUiTranslator } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';
import {
  assistant,
  blockStart,
  blockStop,
  call,
  jsonDelta,
  messageStart,
  messageStop,
  result,
  system,
  text,
  textDelta,
  thinking,
  toolResult,
  translate,
  typesOf,
  user,
} from './messages.ts';

describe('The translator', () => {
  it('turns a text that streams into a start, its pieces and an end, within a step', () => {
    const chunks = translate([
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'Hel'),
      textDelta(0, 'lo'),
      assistant('m1', text('Hello')),
      blockStop(0),
      messageStop(),
      result(),
    ]);
    expect(chunks).toEqual([
      { type: 'start', messageId: 'answer', messageMetadata: { sessionId: 's' } },
      { type: 'start-step' },
      { type: 'text-start', id: 'm1:0' },
      { type: 'text-delta', id: 'm1:0', delta: 'Hel' },
      { type: 'text-delta', id: 'm1:0', delta: 'lo' },
      { type: 'text-end', id: 'm1:0' },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'stop', messageMetadata: { terminalReason: 'completed' } },
    ]);
  });

  it('turns blocks that do not stream into whole parts, with the same ids', () => {
    const chunks = translate([assistant('m1', thinking('Hm.')), assistant('m1', text('Hello'))]);
    expect(chunks.slice(1)).toEqual([
      { type: 'start-step' },
      { type: 'reasoning-start', id: 'm1:0' },
      { type: 'reasoning-delta', id: 'm1:0', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'm1:0', providerMetadata: { anthropic: { signature: 'sig' } } },
      { type: 'text-start', id: 'm1:1' },
      { type: 'text-delta', id: 'm1:1', delta: 'Hello' },
      { type: 'text-end', id: 'm1:1' },
    ]);
  });

  it('adds what a complete text has beyond its pieces', () => {
    const chunks = translate([
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'Hel'),
      assistant('m1', text('Hello')),
    ]);
    expect(chunks.slice(4)).toEqual([
      { type: 'text-delta', id: 'm1:0', delta: 'lo' },
      { type: 'text-end', id: 'm1:0' },
    ]);
  });

  it('begins a step with each message of the model', () => {
    const chunks = translate([assistant('m1', text('a')), assistant('m1', text('b')), assistant('m2', text('c'))]);
    expect(typesOf(chunks).filter((type) => type.includes('step'))).toEqual([
      'start-step',
      'finish-step',
      'start-step',
    ]);
  });

  it('shows the input of a call as it grows, and whole when its complete block comes', () => {
    const chunks = translate([
      messageStart('m1'),
      blockStart(0, call('t1', {})),
      jsonDelta(0, '{"command":'),
      jsonDelta(0, '"ls"}'),
      assistant('m1', call('t1')),
      blockStop(0),
    ]);
    expect(chunks.slice(2)).toEqual([
      { type: 'tool-input-start', toolCallId: 't1', toolName: 'Bash', dynamic: true, providerExecuted: true },
      { type: 'tool-input-delta', toolCallId: 't1', inputTextDelta: '{"command":' },
      { type: 'tool-input-delta', toolCallId: 't1', inputTextDelta: '"ls"}' },
      {
        type: 'tool-input-available',
        toolCallId: 't1',
        toolName: 'Bash',
        input: { command: 'ls' },
        dynamic: true,
        providerExecuted: true,
      },
    ]);
  });

  it('takes the input of a call from its pieces when the stop comes before the complete block', () => {
    const chunks = translate([
      messageStart('m1'),
      blockStart(0, call('t1', {})),
      jsonDelta(0, '{"command":"ls"}'),
      blockStop(0),
      assistant('m1', call('t1')),
    ]);
    expect(typesOf(chunks).filter((type) => type === 'tool-input-available')).toHaveLength(1);
    expect(chunks.at(-1)).toMatchObject({ type: 'tool-input-available', input: { command: 'ls' } });
  });

  it('gives the structured result of a tool, and what the model read beside it', () => {
    const structured = { stdout: 'a', stderr: '' };
    const chunks = translate([assistant('m1', call('t1')), toolResult('t1', 'a', { tool_use_result: structured })]);
    expect(chunks.at(-1)).toEqual({
      type: 'tool-output-available',
      toolCallId: 't1',
      output: structured,
      dynamic: true,
      providerMetadata: { hexagent: { modelText: 'a' } },
    });
  });

  it('gives what the model read where a tool has no structured result', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'AA==', media_type: 'image/png' } };
    const run = [assistant('m1', call('t1')), assistant('m1', call('t2'))];
    const chunks = translate([...run, toolResult('t1', [text('a'), text('b')]), toolResult('t2', [text('c'), image])]);
    expect(chunks.slice(-2)).toMatchObject([{ output: 'a\nb' }, { output: [text('c'), image] }]);
  });

  it('reports a tool that failed', () => {
    const failed = toolResult('t1', 'No such file', { tool_use_result: 'Error: No such file' }, true);
    expect(translate([assistant('m1', call('t1')), failed]).at(-1)).toEqual({
      type: 'tool-output-error',
      toolCallId: 't1',
      errorText: 'No such file',
      dynamic: true,
    });
  });

  it('takes the results of parallel tools in the order in which they come', () => {
    const chunks = translate([
      assistant('m1', call('t1')),
      assistant('m1', call('t2')),
      toolResult('t2', 'second'),
      toolResult('t1', 'first'),
    ]);
    expect(chunks.slice(-2)).toMatchObject([{ toolCallId: 't2' }, { toolCallId: 't1' }]);
  });

  it('leaves out a result of a call that it has not seen, which a page would not take', () => {
    expect(typesOf(translate([toolResult('t9', 'lost')]))).toEqual(['start']);
  });

  it('shows a message that was sent meanwhile where the agent took it up', () => {
    const texts: Readonly<Record<string, string>> = { one: 'first', two: 'second' };
    const requesting = (uuids: readonly string[]) =>
      system('status', { status: 'requesting', user_message_uuids: uuids });
    const chunks = translate(
      [requesting(['one']), assistant('m1', text('a')), requesting(['one', 'two']), requesting(['one', 'two'])],
      { steering: (uuid) => texts[uuid] },
    );
    expect(chunks.filter(({ type }) => type === 'steering-message')).toEqual([
      { type: 'steering-message', id: 'two', parts: [{ type: 'text', text: 'second' }] },
    ]);
  });

  it('does not show what the agent writes in the name of the user', () => {
    const synthetic = user([text('Resume directly.')], { isSynthetic: true });
    expect(typesOf(translate([synthetic, user('[Request interrupted by user]')]))).toEqual([
      'start',
      'message-metadata',
    ]);
  });

  it('takes back what a stream that broke off had begun, and keeps what was complete', () => {
    const chunks = translate([
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'kept'),
      assistant('m1', text('kept')),
      blockStop(0),
      blockStart(1, text('')),
      textDelta(1, 'half'),
      blockStop(1),
      messageStop({ abandoned_blocks: { api_message_id: 'm1', from_block_index: 1 } }),
    ]);
    const start = chunks.findIndex(({ type }) => type === 'reset-step');
    expect(chunks.slice(start)).toEqual([
      { type: 'reset-step' },
      { type: 'text-start', id: 'm1:0' },
      { type: 'text-delta', id: 'm1:0', delta: 'kept' },
      { type: 'text-end', id: 'm1:0' },
    ]);
  });

  it('closes what is open when the next message of the model begins', () => {
    const chunks = translate([messageStart('m1'), blockStart(0, text('')), textDelta(0, 'a'), messageStart('m2')]);
    expect(typesOf(chunks).slice(-4)).toEqual(['text-delta', 'text-end', 'finish-step', 'start-step']);
  });

  it('gives the step of a stream that broke off to the next message, when nothing of it was complete', () => {
    const chunks = translate([
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'half'),
      messageStop({ abandoned_blocks: { from_block_index: 0 } }),
      assistant('m2', text('whole')),
      assistant('m3', text('next')),
    ]);
    expect(typesOf(chunks).filter((type) => type.includes('step'))).toEqual([
      'start-step',
      'reset-step',
      'finish-step',
      'start-step',
    ]);
  });

  it('becomes nothing for messages of unknown types, and for malformed ones', () => {
    const odd: unknown[] = [
      { type: 'weird' },
      { type: 'assistant' },
      { type: 'assistant', message: { content: [null, 7, {}] } },
      { type: 'user', message: 'x' },
      { type: 'stream_event', event: null },
      { type: 'stream_event', event: { type: 'content_block_delta', index: 9, delta: {} } },
      { type: 'system', subtype: 'toString' },
      { type: 'system' },
      { type: 'rate_limit_event' },
    ];
    // What arrives may not be in the form that its type promises.
    const chunks = translate(odd as { type: string }[]);
    expect(typesOf(chunks)).toEqual(['start', 'start-step', 'data-block', 'data-rate-limit']);
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'takes a block of the type %s for one that it does not know',
    (type) => {
      const block = { type };
      const streamed = translate([messageStart('m'), blockStart(0, block), assistant('m', block), blockStop(0)]);
      const whole = translate([assistant('m', block)]);
      for (const chunks of [streamed, whole]) expect(typesOf(chunks)).toEqual(['start', 'start-step', 'data-block']);
    },
  );

  it.each([[''], [undefined], [7]])('refuses %j as the id of the answer', (messageId) => {
    expect(() => createUiTranslator({ messageId: messageId as string })).toThrow(/`messageId`/);
  });

  it('refuses a view of subagents that there is not, and names those that there are', () => {
    expect(() => createUiTranslator({ messageId: 'a', subagents: 'nestd' as 'nested' })).toThrow(
      '`subagents` must be one of "flat", "nested", "drop", not "nestd".',
    );
  });
});
