import type { RealRecord } from './real.ts';

/** Fields that only ours has; the page of differences names them, and `added-fields.test.ts` holds it to that. */
const added: ReadonlySet<string> = new Set([
  'user_message_uuid',
  'user_message_uuids',
  'first_request_cache_read_input_tokens',
  'first_request_input_tokens',
  'owed_rows',
  'request_sent_wall_ms',
]);

const isTime = (name: string): boolean => /(?:_ms|Ms|_at|At|_time|timestamp)$|^duration|^ttft/.test(name);

/** A run without what no two runs share: ids, times, and the folders of their home. */
export function comparableRun({ messages, notes, hangs, files }: RealRecord): Readonly<Record<string, unknown>> {
  return {
    messages: messages.map(comparable),
    notes: comparable(notes),
    hangs,
    files,
  };
}

export function comparable(value: unknown): unknown {
  if (typeof value === 'string') return comparableText(value);
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !added.has(name))
      .map(([name, field]) => [name, isTime(name) && field !== undefined ? 'TIME' : comparable(field)]),
  );
}

/** What no two runs share, taken out of a text. */
export const comparableText = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    // The folders of a run, also as the CLI writes them in names of its own.
    .replaceAll(/[/-][^\s"']*[/-]hexagent-[A-Za-z0-9]{6}/g, 'ROOT')
    .replaceAll(/plans\/[a-z-]+\.md/g, 'plans/NAME.md')
    .replaceAll(/\ba[0-9a-f]{16}\b|\b[0-9a-z]{9}-[0-9a-f]{8}\b/g, 'ID')
    .replaceAll(/duration_ms: \d+/g, 'duration_ms: TIME')
    // The page of differences names it: which dialect the schema of a tool is written in.
    .replaceAll(',"$schema":"http://json-schema.org/draft-07/schema#"', '')
    .replaceAll(/cc-socks\/\d+/g, 'cc-socks/PID')
    .replaceAll(/\b(?:req|task)_[A-Za-z0-9]+/g, 'ID');
