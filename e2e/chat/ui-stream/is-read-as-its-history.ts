import { expect } from 'vitest';
import { expectValid, openPartsOf, readAsPage, type PageMessage } from '../../support/read-as-page.ts';
import { comparableAnswers, type Comparable } from './compare.ts';
import { have, type Conversation } from './conversation.ts';

/** Has this conversation, and reads it as a page does, live and from the history. */
export async function isReadAsItsHistory(conversation: Conversation): Promise<void> {
  const { turns, history, sent } = await have(conversation);
  const live: PageMessage[] = [];
  for (const { chunks } of turns) {
    const { message, errors } = await readAsPage(chunks);
    expect(errors).toEqual(chunks.flatMap((chunk) => (chunk.type === 'error' ? [`Error: ${chunk.errorText}`] : [])));
    expect(openPartsOf(message)).toEqual([]);
    live.push(message);
  }
  await expectValid(history);
  const answers = conversation.asStored?.answers ?? ((all: readonly Comparable[]) => all);
  expect(comparableAnswers(live).length).toBeGreaterThan(0);
  expect(answers(comparableAnswers(history))).toEqual(answers(comparableAnswers(live)));
  const asked = history.filter(({ role }) => role === 'user').flatMap(({ parts }) => parts);
  expect(asked).toMatchObject(conversation.asStored === undefined ? sent : asked);
}
