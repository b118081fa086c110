import type { UiMessage } from '@hexagent/ui-stream';
import type { PageMessage } from '../../support/read-as-page.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is reported while a turn runs and not stored: how tasks went, lines for a person, and who was asked. */
const onlyLive = new Set(['data-task', 'data-notice', 'data-compaction']);

/** An answer in the form in which the live one and the stored one are the same. */
export interface Comparable {
  readonly id: string | undefined;
  readonly isInterrupted: boolean;
  readonly parts: readonly Fields[];
}

/** The answers among some messages; those that have nothing to show, such as that to a command, are left out. */
export function comparableAnswers(messages: readonly (PageMessage | UiMessage)[]): readonly Comparable[] {
  const answers = messages.filter(({ role }) => role === 'assistant').map(comparable);
  return answers.filter(({ parts, isInterrupted }) => parts.length > 0 || isInterrupted);
}

function comparable({ id, parts, metadata }: PageMessage | UiMessage): Comparable {
  const kept = parts.filter(({ type }) => !onlyLive.has(type)).map(comparablePart);
  return {
    id,
    isInterrupted: metadata?.interrupted === true,
    // A subagent works while its call is open, and what it did is stored elsewhere: only its own order can be compared.
    parts: [...kept.filter((part) => !isOfSubagent(part)), ...kept.filter(isOfSubagent)],
  };
}

function comparablePart(part: Fields): Fields {
  const { approval: _, title: __, rawInput: ___, preliminary: ____, toolMetadata, ...rest } = part;
  const withoutNothing = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  if (toolMetadata !== undefined) withoutNothing['toolMetadata'] = ofSubagent(toolMetadata as Fields);
  if (String(part['type']).startsWith('data-subagent')) withoutNothing['data'] = ofSubagent(part['data'] as Fields);
  return withoutNothing;
}

/** The id of a subagent is not stored with its messages. */
function ofSubagent({ agentId: _, subagentType: __, ...fields }: Fields): Fields {
  return fields;
}

function isOfSubagent(part: Fields): boolean {
  return 'toolMetadata' in part || String(part['type']).startsWith('data-subagent');
}
