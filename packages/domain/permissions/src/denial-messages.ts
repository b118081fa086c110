import type { PendingRequest } from '@hexagent/ports';

/** The message of a denial where no callback can decide. */
export function noHandlerMessage({ kind, tool }: Pick<PendingRequest, 'kind' | 'tool'>): string {
  if (kind === 'call') return `No rule allows ${tool}, and there is nobody to ask.`;
  return kind === 'question'
    ? 'There is nobody here to answer questions. Decide yourself, and say what you assumed.'
    : 'There is nobody here to approve a plan. Give the plan as your answer, and change nothing.';
}
