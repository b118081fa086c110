import { parseJson } from './parse-json.ts';
import type { Redactor } from './redaction.ts';
import type { Redaction } from './tape-entry.ts';

export interface RedactedLine {
  readonly text: string;
  readonly isJson: boolean;
  readonly redacted: readonly Redaction[];
}

/** A line of the wire without its secrets. One that has none keeps its exact text. */
export function redactedLine(line: string, path: string, redactor: Redactor): RedactedLine {
  const frame = parseJson(line);
  if (frame === undefined) {
    const { value, redacted } = redactor.redact(line, `${path}Line`);
    return { text: value, isJson: false, redacted };
  }
  const { value, redacted } = redactor.redact(frame, path);
  return { text: redacted.length === 0 ? line : JSON.stringify(value), isJson: true, redacted };
}
