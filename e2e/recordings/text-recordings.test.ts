import { isRecord } from '@hexagent/checks';
import { textOf, type AnyMessage } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { MessageAssembler } from '../../packages/sdk/src/reading/message-assembler.ts';
import { TextFold } from '../../packages/sdk/src/reading/text-fold.ts';
import type { MessageSnapshot } from '../../packages/sdk/src/reading/message-snapshot.ts';
import { listRecordings, loadRecording } from '../../packages/testing/test/recordings/load-recording.ts';
import { turnsOf } from './recorded-turns.ts';

const names = (await listRecordings()).filter(({ use }) => use !== 'corpus').map(({ name }) => name);
const gap = '\n\n';

async function turnsIn(name: string): Promise<readonly (readonly AnyMessage[])[]> {
  return turnsOf(await loadRecording(name)).map((events) =>
    events.flatMap((event) => (event.kind === 'message' ? [event.message] : [])),
  );
}

function piecesOf(messages: readonly AnyMessage[]): readonly string[] {
  const fold = new TextFold();
  const pieces = messages.map((message) => fold.push(message));
  const text = resultOf(messages);
  return text === undefined ? pieces : [...pieces, fold.end(text)];
}

/** The text of the result; `undefined` of a turn that did not complete. */
function resultOf(messages: readonly AnyMessage[]): string | undefined {
  const result: unknown = messages.at(-1);
  if (!isRecord(result) || result['type'] !== 'result' || result['is_error'] === true) return undefined;
  return typeof result['result'] === 'string' ? result['result'] : undefined;
}

/** The whole answers of the main thread. */
function answersIn(messages: readonly AnyMessage[]): ReadonlyMap<string, readonly AnyMessage[]> {
  const answers = new Map<string, AnyMessage[]>();
  for (const each of messages) {
    if (each.type !== 'assistant' || !('message' in each) || !isRecord(each.message)) continue;
    if ('parent_tool_use_id' in each && each.parent_tool_use_id !== null) continue;
    const id = String(each.message['id']);
    answers.set(id, [...(answers.get(id) ?? []), each]);
  }
  return answers;
}

describe('The text of a turn, in every recording,', () => {
  it.each(names)('is that of its answers, and ends with that of the result: %s', async (name) => {
    for (const messages of await turnsIn(name)) {
      const result = resultOf(messages) ?? '';
      const texts = [...answersIn(messages).values()].map((answer) => answer.map(textOf).join(''));
      const written = texts.filter((text) => text !== '');
      if (!(written.at(-1) ?? '').endsWith(result)) written.push(result);
      expect(piecesOf(messages).join('')).toBe(written.join(gap));
    }
  });

  it.each(names)('is the same without partial messages: %s', async (name) => {
    for (const messages of await turnsIn(name)) {
      const whole = messages.filter(({ type }) => type !== 'stream_event');
      expect(piecesOf(whole).join('')).toBe(piecesOf(messages).join(''));
    }
  });

  it.each(names)('has snapshots that end as the whole answers are: %s', async (name) => {
    for (const messages of await turnsIn(name)) {
      const assembler = new MessageAssembler();
      const last = new Map<string, MessageSnapshot>();
      for (const message of messages) for (const snapshot of assembler.push(message)) last.set(snapshot.id, snapshot);
      for (const [id, answer] of answersIn(messages)) {
        expect(last.get(id)?.text).toBe(answer.map(textOf).join(''));
        expect(last.get(id)?.blocks.every(({ isComplete }) => isComplete)).toBe(true);
      }
    }
  });
});
