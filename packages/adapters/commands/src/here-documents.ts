import type { Cursor, Findings } from './shell-words.ts';

/** A here-document whose lines have not been read. */
export interface HereDocument {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly mayBeIndented: boolean;
  /** Of the command that it is for. */
  readonly inputs: string[];
}

/** The lines up to the delimiter. Reported as broken where shells differ in which line that is. */
export function takeHereDocument(
  cursor: Cursor,
  { delimiter, isQuoted, mayBeIndented }: HereDocument,
  findings: Findings,
): string {
  const lines: string[] = [];
  let joined: string | undefined;
  for (;;) {
    const taken = takeLine(cursor);
    if (taken === undefined) findings.reportBroken();
    const line = mayBeIndented ? taken?.replace(/^\t+/, '') : taken;
    if (taken === undefined || (line === delimiter && joined === undefined)) return lines.join('\n');
    // The delimiter may be one of several lines that a backslash joins, or all of them.
    const whole = joined === undefined || joined.length > delimiter.length ? line : joined + line;
    if (line === delimiter || whole === delimiter) findings.reportBroken();
    const goesOn = !isQuoted && /(?:^|[^\\])(?:\\\\)*\\$/.test(taken);
    joined = goesOn ? whole?.slice(0, -1) : undefined;
    lines.push(taken);
  }
}

function takeLine(cursor: Cursor): string | undefined {
  const { text, at } = cursor;
  if (at >= text.length) return undefined;
  const end = text.indexOf('\n', at);
  cursor.at = end === -1 ? text.length : end + 1;
  return text.slice(at, end === -1 ? undefined : end);
}

/** What a program reads of a here-document: the backslashes are gone. What is expanded in it may be anything. */
export function expandedBody(body: string): string {
  const read = body.replaceAll(/\\([$`\\\n])/g, (_, next: string) => (next === '\n' ? '' : next));
  return /[$`]/.test(body.replaceAll(/\\[\s\S]/g, '')) ? `$input\n${read}` : read;
}
