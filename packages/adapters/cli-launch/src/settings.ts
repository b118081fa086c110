import type { Parts, Settings } from './parts.ts';
import { isPlainObject, refuseValue, wantRecord } from './values.ts';

/** What `--settings` is given: settings that rules may be added to, or the path of a file that is the caller's. */
export function settingsOf(value: string | Readonly<Record<string, unknown>>, option: string): Settings | undefined {
  if (typeof value !== 'string') return { object: wantRecord(option, value) };
  if (value === '') return undefined;
  return value.trimStart().startsWith('{') ? { object: parse(value, option) } : { path: value, option };
}

/** Settings with a sandbox that is asked for by an option of its own. */
export function withSandbox(settings: Settings | undefined, sandbox: Parts['sandbox']): Settings | undefined {
  if (sandbox === undefined) return settings;
  if (settings !== undefined && 'path' in settings) {
    throw new TypeError(
      `sandbox: ${settings.option} is the path of a file. Write the sandbox into that file, or pass ${settings.option} as JSON.`,
    );
  }
  const present = settings?.object['sandbox'];
  return { object: { ...settings?.object, sandbox: { ...(isPlainObject(present) ? present : {}), ...sandbox } } };
}

/** The CLI takes JSON in place of a path; here it becomes settings like any other, out of sight of other users. */
function parse(value: string, option: string): Readonly<Record<string, unknown>> {
  try {
    const settings: unknown = JSON.parse(value);
    if (isPlainObject(settings)) return settings;
  } catch (cause) {
    throw new TypeError(
      `${option}: this starts like JSON and is none. Pass an object, its JSON, or the path of a file.`,
      { cause },
    );
  }
  throw refuseValue(option, value, 'Pass an object, its JSON, or the path of a file.');
}
