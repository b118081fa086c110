import { oneOf, text } from '@hexagent/checks';
import { Translation } from './translation.ts';
import type { SubagentView } from './subagents.ts';
import type { UiTranslator, UiTranslatorOptions } from './ui-translator.ts';

const checkId = text();
const checkView = oneOf<SubagentView>('flat', 'nested', 'drop');

/**
 * A translator for one turn.
 * @throws {TypeError} for options that are not understood.
 */
export function createUiTranslator(options: UiTranslatorOptions): UiTranslator {
  checkId(options.messageId, 'messageId');
  checkView(options.subagents ?? 'flat', 'subagents');
  return new Translation(options);
}

/** The id of the answer to a message. */
export function answerIdOf(messageUuid: string): string {
  return `answer-${messageUuid}`;
}
