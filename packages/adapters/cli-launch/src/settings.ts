import type { Settings } from './parts.ts';
import { isRecord, refuseValue, wantRecord } from './values.ts';

/** What `--settings` is given: settings that rules may be added to, or the path of a file that is the caller's. */
export function settingsOf(value: string | Readonly<Record<string, unknown>>, option: string): Settings | undefined {
  if (typeof value !== 'string') return { object: wantRecord(option, value) };
  if (value === '') return undefined;
  return value.trimStart().startsWith('{') ? { object: parse(value, option) } : { path: value, option };
}

/** The CLI takes JSON in place of a path; here it becomes settings like any other, out of sight of other users. */
function parse(value: string, option: string): Readonly<Record<string, unknown>> {
  try {
    const settings: unknown = JSON.parse(value);
    if (isRecord(settings)) return settings;
  } catch (cause) {
    throw new TypeError(
      `${option}: this starts like JSON and is none. Pass an object, its JSON, or the path of a file.`,
      { cause },
    );
  }
  throw refuseValue(option, value, 'Pass an object, its JSON, or the path of a file.');
}
