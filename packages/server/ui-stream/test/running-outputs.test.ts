import { describe, expect, it } from 'vitest';
import type { AnyMessage } from '@hexagent/ports';
import { createReplayBuffer } from '@hexagent/ui-stream';
import { system, translate } from './messages.ts';

const called = {
  type: 'assistant',
  parent_tool_use_id: null,
  message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'make' } }] },
} as AnyMessage;
const answered = {
  type: 'user',
  parent_tool_use_id: null,
  message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'all' }] },
} as AnyMessage;

function wrote(text: string, total: number, skipped = 0): AnyMessage {
  return {
    type: 'hexagent',
    subtype: 'tool_output',
    tool_use_id: 't',
    parent_tool_use_id: null,
    task_id: 'b1',
    text,
    skipped_bytes: skipped,
    total_bytes: total,
    session_id: 's',
  } as AnyMessage;
}

const outputs = (messages: readonly AnyMessage[]): unknown[] =>
  translate(messages).flatMap((chunk) =>
    chunk.type === 'tool-output-available' ? [[chunk.output, chunk.preliminary]] : [],
  );

describe('What a running command writes', () => {
  it('is the preliminary output of its call, which the result takes the place of', () => {
    expect(outputs([called, wrote('one ', 4), wrote('two', 7), answered])).toEqual([
      [{ stdout: 'one ', leftOutBytes: 0 }, true],
      [{ stdout: 'one two', leftOutBytes: 0 }, true],
      ['all', undefined],
    ]);
  });

  it('is its end, with how much was left out before it', () => {
    const long = 'é'.repeat(10_000);
    expect(outputs([called, wrote('gone', 4), wrote(long, 90_000, 69_996)])[1]).toEqual([
      { stdout: 'é'.repeat(8192), leftOutBytes: 90_000 - 2 * 8192 },
      true,
    ]);
  });

  it('is at the task of a background command, whose call has its result', () => {
    const started = system('task_started', { task_id: 'b1', tool_use_id: 't', task_type: 'local_bash' });
    const chunks = translate([called, started, answered, wrote('late', 4)]);
    expect(chunks.at(-1)).toMatchObject({
      type: 'data-task',
      id: 'b1',
      data: { output: { stdout: 'late', leftOutBytes: 0 } },
    });
  });

  it('is not there for a call that is not known', () => {
    expect(outputs([wrote('x', 1)])).toEqual([]);
  });

  it('is kept once for a page that is loaded again', async () => {
    const buffer = createReplayBuffer();
    for (const chunk of translate([called, ...Array.from({ length: 50 }, (_, n) => wrote('x', n + 1))]))
      buffer.push([chunk]);
    buffer.end();
    const kept = [];
    for await (const chunk of buffer.read()) kept.push(chunk);
    expect(kept.filter(({ type }) => type === 'tool-output-available')).toHaveLength(1);
  });
});
