import { expect, it } from 'vitest';
import { withCli } from './support/cli.ts';
import { comparableAnswers, type Comparable } from './ui-stream/compare.ts';
import { have } from './ui-stream/conversation.ts';
import { conversations } from './ui-stream/conversations.ts';
import { expectValid, openPartsOf, readAsPage, type PageMessage } from './ui-stream/read-as-page.ts';

withCli('A conversation on a page', () => {
  it.each(Object.entries(conversations))(
    'is read without an error, and is the same as its history: %s',
    async (_, conversation) => {
      const { turns, history, sent } = await have(conversation);
      const live: PageMessage[] = [];
      for (const { chunks } of turns) {
        const { message, errors } = await readAsPage(chunks);
        expect(errors).toEqual(
          chunks.flatMap((chunk) => (chunk.type === 'error' ? [`Error: ${chunk.errorText}`] : [])),
        );
        expect(openPartsOf(message)).toEqual([]);
        live.push(message);
      }
      await expectValid(history);
      const answers = conversation.asStored?.answers ?? ((all: readonly Comparable[]) => all);
      expect(comparableAnswers(live).length).toBeGreaterThan(0);
      expect(answers(comparableAnswers(history))).toEqual(answers(comparableAnswers(live)));
      const asked = history.filter(({ role }) => role === 'user').flatMap(({ parts }) => parts);
      expect(asked).toMatchObject(conversation.asStored === undefined ? sent : asked);
    },
  );
});
