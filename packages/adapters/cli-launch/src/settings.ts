import type { Addition, Settings } from './rows.ts';
import { hasMembers, wrongValue, requireRecord } from './values.ts';

/** Reads a value of `--settings`: settings to which rules can be added, or the path of the caller's file. */
export function settingsOf(value: string | Readonly<Record<string, unknown>>, option: string): Settings | undefined {
  if (typeof value !== 'string') return { object: requireRecord(option, value) };
  if (value === '') return undefined;
  return value.trimStart().startsWith('{') ? { object: parse(value, option) } : { path: value, option };
}

/**
 * Adds the option `sandbox` to the settings. Unless `failIfUnavailable` is set, which is the default here, the agent runs
 * commands without a sandbox where the system has none.
 */
export function withSandbox(settings: Settings | undefined, sandbox: Addition['sandbox']): Settings | undefined {
  if (sandbox === undefined) return settings;
  if (settings !== undefined && 'path' in settings) {
    throw new TypeError(
      `sandbox: ${settings.option} is the path of a file. Write the sandbox into that file, or pass ${settings.option} as JSON.`,
    );
  }
  const present = settings?.object['sandbox'];
  const merged: Record<string, unknown> = { ...(hasMembers(present) ? present : {}), ...sandbox };
  if (sandbox['enabled'] === true) merged['failIfUnavailable'] ??= true;
  return { object: { ...settings?.object, sandbox: merged } };
}

/** The CLI accepts JSON in place of a path. It goes into a private file like other settings, hidden from other users. */
function parse(value: string, option: string): Readonly<Record<string, unknown>> {
  try {
    const settings: unknown = JSON.parse(value);
    if (hasMembers(settings)) return settings;
  } catch (cause) {
    throw new TypeError(
      `${option}: this starts like JSON and is none. Pass an object, its JSON, or the path of a file.`,
      { cause },
    );
  }
  throw wrongValue(option, value, 'Pass an object, its JSON, or the path of a file.');
}
