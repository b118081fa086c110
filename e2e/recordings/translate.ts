import type { UiChunk, UiTranslator } from '@hexagent/ui-stream';
import type { TurnEvent } from './recorded-turns.ts';

/** Hands an event to the translator. */
export function feed(translator: UiTranslator, event: TurnEvent): readonly UiChunk[] {
  if (event.kind === 'message') return translator.push(event.message);
  return event.kind === 'asked' ? translator.approvalRequested(event.approval) : translator.approvalSettled(event);
}
