import { createUiTranslator, type SubagentView } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';
import { listRecordings, loadRecording } from '../packages/testing/test/recordings/load-recording.ts';
import { openPartsOf, readAsPage } from './ui-stream/read-as-page.ts';
import { turnsOf } from './ui-stream/recorded-turns.ts';
import { feed } from './ui-stream/translate.ts';

const names = (await listRecordings()).filter(({ use }) => use !== 'corpus').map(({ name }) => name);
const views: readonly SubagentView[] = ['flat', 'nested', 'drop'];

describe('Every recording', () => {
  it.each(names)('becomes messages that a page of the AI SDK reads without an error: %s', async (name) => {
    for (const turn of turnsOf(await loadRecording(name)))
      for (const subagents of views) {
        const translator = createUiTranslator({ messageId: 'answer', subagents });
        const chunks = [...turn.flatMap((event) => [...feed(translator, event)]), ...translator.end()];
        const { message, errors } = await readAsPage(chunks);
        const told = chunks.flatMap((chunk) => (chunk.type === 'error' ? [`Error: ${chunk.errorText}`] : []));
        expect(errors).toEqual(told);
        expect(openPartsOf(message)).toEqual([]);
        expect(chunks.findIndex(({ type }) => type === 'error')).toBe(told.length > 0 ? chunks.length - 1 : -1);
      }
  });
});
