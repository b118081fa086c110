import type { Chance } from '../support/chance.ts';

export type Fields = Record<string, unknown>;

/** Prompts and outputs, also those that a reader may take for something else. */
export const texts = [
  'asked',
  'asked more',
  '',
  '  spaces \n and lines ',
  'x'.repeat(300),
  '<command-name>/clear</command-name>',
  '<command-name>/x</command-name>\n<command-args>y</command-args>',
  '<local-command-stdout>done</local-command-stdout>',
  '<local-command-stderr>failed',
  '<local-command-caveat>not for you</local-command-caveat>',
  '<bash-input>ls</bash-input>',
  '<system-reminder>x</system-reminder>',
  '[Request interrupted by user]',
  '<3 é😀 \u2028 \u0000 "quoted" \\ back',
  '","uuid":"00000000-0000-4000-8000-000000000000","type":"user","parentUuid":null',
  '{"type":"user","message":{"role":"user","content":"no"}}',
];

/** In the place of a field: what a broken or a newer agent might have written. */
export const oddValues: readonly unknown[] = [
  null,
  '',
  0,
  7,
  1e300,
  true,
  false,
  [],
  {},
  ['x'],
  { a: 1 },
  'text',
  ' ',
  '\u0000',
];

/** Fields of which a mistake is likely to change an order or what is shown. */
export const fieldNames = [
  'isMeta',
  'teamName',
  'agentId',
  'sessionId',
  'message',
  'subtype',
  'attachment',
  'isCompactSummary',
  'isVisibleInTranscriptOnly',
  'toolUseResult',
  'sourceToolAssistantUUID',
  'toolDenialKind',
  'origin',
  'logicalParentUuid',
  'forkedFrom',
  'isCompletedLocalCommand',
  'content',
  'slug',
  'leafUuid',
  'promptId',
  'requestSessionId',
  'parent_tool_use_id',
  'entrypoint',
  'sessionKind',
];

export function pick<T>(chance: Chance, values: readonly T[]): T {
  return values[chance.below(values.length)] as T; // below the length
}

export function uuidsOf(entries: readonly Fields[]): string[] {
  return entries.flatMap(({ uuid }) => (typeof uuid === 'string' ? [uuid] : []));
}
