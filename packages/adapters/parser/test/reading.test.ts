import { describe, expect, it } from 'vitest';
import { SdkError } from '@hexagent/ports';
import { wireParser } from '@hexagent/parser';

/** The frame of a line, and what was reported about it. */
function read(line: string): { frame: unknown; reports: string[] } {
  const reports: string[] = [];
  return { frame: wireParser.parse(line, (reason) => reports.push(reason)), reports };
}

function refusalOf(line: string): SdkError {
  try {
    read(line);
  } catch (error) {
    if (SdkError.is(error)) return error;
  }
  throw new Error('It was read.');
}

const usage = { input_tokens: 1, output_tokens: 2 };
const result = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 1,
  total_cost_usd: 0,
  usage,
  modelUsage: {},
};

describe('A line', () => {
  it('becomes a frame with every field, in order', () => {
    const line = '{"type":"from_the_future","z":1,"a":{"deep":[null,"é"]}}';
    expect(JSON.stringify(read(line).frame)).toBe(line);
  });

  it('of white space is no frame', () => {
    for (const line of ['', ' ', '\t\r', '\ufeff', '\ufeff  ']) expect(read(line).frame).toBeUndefined();
  });

  it('may start with a byte order mark, or with white space', () => {
    expect(read('\ufeff{"type":"keep_alive"}').frame).toEqual({ type: 'keep_alive' });
    expect(read('  {"type":"keep_alive"}\r').frame).toEqual({ type: 'keep_alive' });
  });

  it('#34 that is not a frame is refused with its start', () => {
    for (const line of [
      'Warning: x',
      '{"type":',
      'null',
      '42',
      '"text"',
      '[{"type":"user"}]',
      '{}',
      '{"type":7}',
      '{"type":null}',
    ]) {
      const error = refusalOf(line);
      expect(error.code).toBe('FRAME_MALFORMED');
      expect(error.message).toContain(line);
    }
  });

  it('that is refused is never shown whole when it is long', () => {
    const secret = `${'x'.repeat(200)}SECRET${'y'.repeat(1_000_000)}`;
    const { message, cause } = refusalOf(secret);
    expect(message.length).toBeLessThan(300);
    expect(`${message} ${String(cause)}`).not.toContain('SECRET');
  });

  it('may use names that every object has', () => {
    const line = '{"type":"constructor","__proto__":{"polluted":true},"toString":1}';
    expect(read(line)).toMatchObject({ reports: [] });
    expect(JSON.stringify(read(line).frame)).toBe(line);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('A frame of a known type', () => {
  const valid: readonly object[] = [
    { type: 'stream_event', event: { type: 'ping' } },
    { type: 'assistant', message: { content: [] } },
    { type: 'user', message: { role: 'user', content: 'text' } },
    { type: 'user', message: { role: 'user', content: [] } },
    { type: 'system', subtype: 'from_the_future' },
    { type: 'system', subtype: 'init', session_id: 's', user_message_uuids: ['u'] },
    { type: 'system', subtype: 'session_state_changed', state: 'idle' },
    { type: 'system', subtype: 'background_tasks_changed', tasks: [{ task_id: 't', task_type: 'local_bash' }] },
    { type: 'system', subtype: 'task_started', task_id: 't' },
    { type: 'system', subtype: 'task_notification', task_id: 't', status: 'completed' },
    { type: 'command_lifecycle', command_uuid: 'u', state: 'queued' },
    { type: 'keep_alive' },
    { type: 'transcript_mirror', filePath: '/x', entries: [{}] },
    { type: 'control_request', request_id: 'r', request: { subtype: 'x' } },
    { type: 'control_response', response: { subtype: 'success', request_id: 'r' } },
    { type: 'control_response', response: { subtype: 'success', request_id: 'r', response: { any: 1 } } },
    { type: 'control_response', response: { subtype: 'error', request_id: 'r', error: 'no', error_code: 'x' } },
    { type: 'control_cancel_request', request_id: 'r' },
    result,
    { ...result, user_message_uuids: ['u'], errors: ['e'], terminal_reason: 'completed', result: 'text' },
  ];
  it.each(valid)('is parsed without a report: %j', (frame) => {
    expect(read(JSON.stringify(frame))).toEqual({ frame, reports: [] });
  });

  const wrong: readonly [object, RegExp][] = [
    [{ type: 'stream_event', event: {} }, /event/],
    [{ type: 'stream_event' }, /event/],
    [{ type: 'assistant', message: { content: 'text' } }, /message\.content/],
    [{ type: 'assistant' }, /message/],
    [{ type: 'user', message: { role: 'user' } }, /message\.content/],
    [{ type: 'user', message: [] }, /`message` is not an object/],
    [{ type: 'system' }, /subtype/],
    [{ type: 'system', subtype: 'init' }, /session_id/],
    [{ type: 'system', subtype: 'init', session_id: 's', user_message_uuids: [1] }, /user_message_uuids/],
    [{ type: 'system', subtype: 'session_state_changed' }, /state/],
    [{ type: 'system', subtype: 'background_tasks_changed', tasks: [{ task_id: 't' }] }, /task_type/],
    [{ type: 'system', subtype: 'background_tasks_changed', tasks: {} }, /tasks/],
    [{ type: 'system', subtype: 'task_started' }, /task_id/],
    [{ type: 'system', subtype: 'task_notification', task_id: 't' }, /status/],
    [{ type: 'command_lifecycle', command_uuid: 'u' }, /state/],
    [{ type: 'transcript_mirror', filePath: '/x' }, /entries/],
    [{ type: 'control_request', request: { subtype: 'x' } }, /request_id/],
    [{ type: 'control_request', request_id: 'r', request: {} }, /request\.subtype/],
    [{ type: 'control_request', request_id: 'r', request: null }, /request/],
    [{ type: 'control_response', response: { subtype: 'maybe', request_id: 'r' } }, /response\.subtype/],
    [
      { type: 'control_response', response: { subtype: 'success', request_id: 'r', response: [] } },
      /response\.response/,
    ],
    [{ type: 'control_response', response: { subtype: 'error', request_id: 'r' } }, /response\.error/],
    [{ type: 'control_response', request_id: 'r', result: {} }, /response/],
    [{ type: 'control_cancel_request' }, /request_id/],
    [{ ...result, is_error: 'no' }, /is_error/],
    [{ ...result, usage: null }, /usage/],
    [{ ...result, user_message_uuids: 'u' }, /user_message_uuids/],
  ];
  it.each(wrong)('is reported and returned unchanged when a field is wrong: %j', (frame, reason) => {
    const { frame: returned, reports } = read(JSON.stringify(frame));
    expect(returned).toEqual(frame);
    expect(reports).toEqual([expect.stringMatching(reason)]);
  });

  it.each([
    [{ ...result, usage: { input_tokens: '1', output_tokens: 2 } }, 'result: `usage.input_tokens` is not a number'],
    [{ ...result, errors: ['e', 1] }, 'result: `errors` is not a list of strings'],
    [{ ...result, terminal_reason: null }, 'result: `terminal_reason` is not a string'],
    [{ type: 'control_response', response: [] }, 'control_response: `response` is not an object'],
    [
      { type: 'control_response', response: { subtype: 'maybe' } },
      'control_response: `response.subtype` is nothing that is known',
    ],
    [
      { type: 'control_response', response: { subtype: 'success' } },
      'control_response: `response.request_id` is not a string',
    ],
  ])('is reported with the path of the wrong field: %j', (frame, reason) => {
    expect(read(JSON.stringify(frame)).reports).toEqual([reason]);
  });

  it('is reported when a number is too large', () => {
    const line = JSON.stringify(result).replace('"num_turns":1', '"num_turns":1e999');
    expect(read(line).reports).toEqual(['result: `num_turns` is not a number']);
  });
});
