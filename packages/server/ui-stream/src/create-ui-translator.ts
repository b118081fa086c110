import { nearestName, shown } from '@hexagent/checks';
import { Translation } from './translation.ts';
import type { UiTranslator, UiTranslatorOptions } from './ui-translator.ts';

const views: readonly string[] = ['flat', 'nested', 'drop'];

/**
 * A translator for one turn.
 * @throws {TypeError} for options that are not understood.
 */
export function createUiTranslator(options: UiTranslatorOptions): UiTranslator {
  const { messageId, subagents = 'flat' }: { messageId?: unknown; subagents?: unknown } = options;
  if (typeof messageId !== 'string' || messageId === '')
    throw new TypeError(`\`messageId\` must be a text that is not empty, and is ${shown(messageId)}.`);
  if (typeof subagents !== 'string' || !views.includes(subagents)) {
    const near = typeof subagents === 'string' ? nearestName(subagents, views) : undefined;
    const meant = near === undefined ? '' : ` Did you mean '${near}'?`;
    throw new TypeError(`\`subagents\` must be 'flat', 'nested' or 'drop', and is ${shown(subagents)}.${meant}`);
  }
  return new Translation(options);
}

/** The id of the answer to a message. */
export function answerIdOf(messageUuid: string): string {
  return `answer-${messageUuid}`;
}
