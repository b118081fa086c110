import { createUiTranslator } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';
import { assistant, blockStart, call, messageStart, result, text, textDelta, translate, typesOf } from './messages.ts';

const usage = { input_tokens: 3, output_tokens: 4 };

describe('The end of a turn', () => {
  it('reports usage, the cost of this turn, its length, why it ended and what it answers', () => {
    const [, , , finish] = translate([
      assistant('m1', call('t1')),
      result({
        usage,
        duration_ms: 12,
        total_cost_usd: 9,
        model_usage_since_last_result: { a: { costUSD: 0.25 }, b: { costUSD: 0.5 } },
        user_message_uuids: ['u1'],
        permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'secret' } }],
      }),
    ]).filter(({ type }) => type !== 'tool-output-error' && type !== 'finish-step');
    expect(finish).toEqual({
      type: 'finish',
      finishReason: 'stop',
      messageMetadata: {
        usage,
        cost: 0.75,
        durationMs: 12,
        terminalReason: 'completed',
        userMessageIds: ['u1'],
        denials: [{ toolName: 'Bash', toolCallId: 't1' }],
      },
    });
  });

  it.each([
    ['the total of the first result', { total_cost_usd: 0.75, result_index: 0 }, 0.75],
    ['unknown where only a total was reported', { total_cost_usd: 0.75, result_index: 1 }, undefined],
  ])('reports as the cost %s', (_, fields, cost) => {
    const metadata = translate([result(fields)]).flatMap((chunk) =>
      chunk.type === 'finish' ? [chunk.messageMetadata] : [],
    );
    expect(metadata).toHaveLength(1);
    expect(metadata[0]?.cost).toBe(cost);
  });

  it('that was interrupted is an abort, behind the metadata', () => {
    const chunks = translate([
      result({ terminal_reason: 'aborted_streaming', is_error: true, subtype: 'error_during_execution' }),
    ]);
    expect(chunks.slice(1)).toMatchObject([
      { type: 'finish', finishReason: 'interrupted', messageMetadata: { interrupted: true } },
      { type: 'abort', reason: 'aborted_streaming' },
    ]);
  });

  it.each([
    [
      'an error of the service, which has the subtype of a success',
      { is_error: true, result: 'API Error: 400' },
      'API Error: 400',
    ],
    ['a limit', { subtype: 'error_max_turns', is_error: true, errors: ['Too many.', 'Really.'] }, 'Too many.\nReally.'],
    [
      'an error without a word',
      { subtype: 'error_during_execution', is_error: true },
      'The agent ended the turn with error_during_execution.',
    ],
  ])('with %s has the error as its last chunk', (_, fields, errorText) => {
    const chunks = translate([assistant('m1', text('a')), result(fields)]);
    expect(chunks.at(-2)).toMatchObject({ type: 'finish', finishReason: 'error' });
    expect(chunks.at(-1)).toEqual({ type: 'error', errorText });
  });

  it.each([
    ['max_tokens', 'length'],
    ['refusal', 'content-filter'],
    ['tool_use', 'stop'],
    [null, 'stop'],
  ])('after the stop reason %j is %s', (stop_reason, finishReason) => {
    expect(translate([result({ stop_reason })]).at(-1)).toMatchObject({ finishReason });
  });

  it('gives the structured output as a part', () => {
    const chunks = translate([result({ structured_output: { answer: 42 } })]);
    expect(chunks[1]).toEqual({
      type: 'data-structured-output',
      id: 'structured-output',
      data: { output: { answer: 42 } },
    });
  });

  it('closes what is open, and emits nothing afterwards', () => {
    const translator = createUiTranslator({ messageId: 'answer' });
    for (const message of [messageStart('m1'), blockStart(0, text('')), textDelta(0, 'a'), assistant('m1', call('t1'))])
      translator.push(message);
    expect(translator.ended).toBe(false);
    expect(typesOf(translator.push(result()))).toEqual(['text-end', 'tool-output-error', 'finish-step', 'finish']);
    expect(translator.ended).toBe(true);
    expect(translator.push(assistant('m2', text('late')))).toEqual([]);
    expect(translator.end()).toEqual([]);
  });

  it('that never came is a finish without a reason', () => {
    expect(createUiTranslator({ messageId: 'answer' }).end()).toEqual([
      { type: 'start', messageId: 'answer' },
      { type: 'finish', finishReason: 'other' },
    ]);
  });

  it.each([
    ['was suspended', { kind: 'suspended' }, { finishReason: 'other', messageMetadata: { suspended: true } }],
    ['failed with its agent', { kind: 'error', errorText: 'It has gone.' }, { finishReason: 'error' }],
  ] as const)('that %s leaves what waits for a person as it is, and marks what ran', (_, how, finish) => {
    const translator = createUiTranslator({ messageId: 'answer' });
    translator.push(assistant('m1', call('t1')));
    translator.push(assistant('m1', call('t2')));
    translator.approvalRequested({ id: 'a', toolUseId: 't1', tool: 'Bash', input: {}, kind: 'permission' });
    const chunks = translator.end(how);
    expect(chunks[0]).toMatchObject({
      type: 'tool-output-error',
      toolCallId: 't2',
      providerMetadata: { hexagent: { interrupted: true } },
    });
    expect(chunks).toContainEqual(expect.objectContaining({ type: 'finish', ...finish }));
    expect(JSON.stringify(chunks)).not.toContain('t1');
  });

  it('that the program brings about is an abort or an error', () => {
    const end = (how: Parameters<ReturnType<typeof createUiTranslator>['end']>[0]) =>
      createUiTranslator({ messageId: 'answer' }).end(how).at(-1);
    expect(end({ kind: 'aborted', reason: 'stopped' })).toEqual({ type: 'abort', reason: 'stopped' });
    expect(end({ kind: 'error', errorText: 'The agent has exited.' })).toEqual({
      type: 'error',
      errorText: 'The agent has exited.',
    });
  });
});
