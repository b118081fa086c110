import { isRecord } from '@hexagent/checks';
import { createUiTranslator, type SubagentView, type UiChunk, type UiEnd } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';
import { listRecordings, loadRecording } from '../../packages/testing/test/recordings/load-recording.ts';
import { openPartsOf, readAsPage } from '../support/read-as-page.ts';
import { turnsOf, type TurnEvent } from './recorded-turns.ts';
import { feed } from './translate.ts';

const names = (await listRecordings()).filter(({ use }) => use !== 'corpus').map(({ name }) => name);
const views: readonly SubagentView[] = ['flat', 'nested', 'drop'];
const endings: readonly (UiEnd | undefined)[] = [
  undefined,
  { kind: 'suspended' },
  { kind: 'aborted' },
  { kind: 'error', errorText: 'gone' },
];

interface HowToTranslate {
  readonly subagents: SubagentView;
  readonly end?: UiEnd | undefined;
}

/** A turn that was not stopped by a person leaves what waits for one as it is. */
const waitsForPerson = (part: unknown): boolean => isRecord(part) && part['state'] === 'approval-requested';

/** The events as a page reads them: nothing but the errors that were sent, the last chunk alone, and nothing left open. */
async function expectReadable(events: readonly TurnEvent[], { subagents, end }: HowToTranslate): Promise<void> {
  const translator = createUiTranslator({ messageId: 'answer', subagents });
  const chunks: UiChunk[] = [];
  for (const event of events) chunks.push(...feed(translator, event));
  chunks.push(...translator.end(end));
  const { message, errors } = await readAsPage(chunks);
  const sent = chunks.flatMap((chunk) => (chunk.type === 'error' ? [`Error: ${chunk.errorText}`] : []));
  expect(errors).toEqual(sent);
  const open = openPartsOf(message).filter((part) => end?.kind === 'aborted' || !waitsForPerson(part));
  expect(open).toEqual([]);
  expect(chunks.findIndex(({ type }) => type === 'error')).toBe(sent.length > 0 ? chunks.length - 1 : -1);
  expect(chunks[0]).toMatchObject({ type: 'start' });
  expect(chunks.filter(({ type }) => type === 'finish')).toHaveLength(1);
}

/** At most `most` of some values, at equal distances. */
function some<T>(values: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, values.length / most);
  return values.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** The events with each question as early as a program can learn of it: before the messages that were not read yet. */
function askedEarly(events: readonly TurnEvent[], by: number): readonly TurnEvent[] {
  const moved = [...events];
  for (const [index, event] of events.entries())
    if (event.kind === 'asked') {
      moved.splice(moved.indexOf(event), 1);
      moved.splice(Math.max(0, index - by), 0, event);
    }
  return moved;
}

describe('Every recording', () => {
  it.each(names)('becomes messages that a page of the AI SDK reads without an error: %s', async (name) => {
    for (const turn of turnsOf(await loadRecording(name)))
      for (const subagents of views) await expectReadable(turn, { subagents });
  });

  it.each(names)('cut off anywhere and ended in any way, leaves nothing open: %s', async (name) => {
    for (const turn of some(turnsOf(await loadRecording(name)), 4))
      for (const length of some([...turn.keys()], 24)) {
        const how = { subagents: views[length % views.length] ?? 'flat', end: endings[length % endings.length] };
        await expectReadable(turn.slice(0, length), how);
      }
  });

  it.each(names)('is read without an error when the program receives questions early: %s', async (name) => {
    for (const turn of turnsOf(await loadRecording(name)).filter((events) =>
      events.some(({ kind }) => kind === 'asked'),
    ))
      for (const by of [1, 2, 5, 99]) await expectReadable(askedEarly(turn, by), { subagents: 'flat' });
  });
});
