import { createUiTranslator } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';
import {
  approval,
  assistant,
  blockStart,
  blockStop,
  call,
  jsonDelta,
  messageStart,
  messageStop,
  text,
  textDelta,
  toolResult,
  translate,
  typesOf,
} from './messages.ts';

const streamedCall = [messageStart('m1'), blockStart(0, call('t1', {})), jsonDelta(0, '{"command":"ls"}')];

describe('The three orderings of the agent', () => {
  it('the complete block before the stop of its stream: a text ends once', () => {
    const chunks = translate([
      messageStart('m1'),
      blockStart(0, text('')),
      textDelta(0, 'a'),
      assistant('m1', text('a')),
      blockStop(0),
      messageStop(),
    ]);
    expect(typesOf(chunks).filter((type) => type === 'text-end')).toHaveLength(1);
    expect(typesOf(chunks).filter((type) => type === 'text-start')).toHaveLength(1);
  });

  it('the question before the stop of the stream: the call is complete when its approval is requested', () => {
    const translator = createUiTranslator({ messageId: 'answer' });
    for (const message of [...streamedCall, assistant('m1', call('t1'))]) translator.push(message);
    expect(typesOf(translator.approvalRequested(approval('a1', 't1')))).toEqual(['tool-approval-request']);
    expect([blockStop(0), messageStop()].flatMap((message) => [...translator.push(message)])).toEqual([]);
  });

  it('the question before the messages in front of it were read: it waits for the call', () => {
    const translator = createUiTranslator({ messageId: 'answer' });
    expect(typesOf(translator.approvalRequested(approval('a1', 't1')))).toEqual(['start']);
    expect(typesOf(streamedCall.flatMap((message) => [...translator.push(message)]))).toEqual([
      'start-step',
      'tool-input-start',
      'tool-input-delta',
    ]);
    expect(typesOf(translator.push(assistant('m1', call('t1'))))).toEqual([
      'tool-input-available',
      'tool-approval-request',
    ]);
  });

  it('the result before the stop of the stream: the call keeps it', () => {
    const chunks = translate([
      ...streamedCall,
      assistant('m1', call('t1')),
      toolResult('t1', 'done'),
      blockStop(0),
      messageStop(),
      assistant('m1', call('t1')),
    ]);
    expect(typesOf(chunks).slice(-2)).toEqual(['tool-input-available', 'tool-output-available']);
  });
});
