import type { Parts } from './parts.ts';
import { settingsOf } from './settings.ts';
import { refuseValue, wantRecord } from './values.ts';

/** The conversation is held in these; with any other value the agent says nothing that can be read. */
const formats = ['output-format', 'input-format'];

type Flag = readonly [name: string, value: string | null];

/** `--name value`, `--name` for null, and `--name=-value` where the value would be taken for a flag. */
export function extraArguments(flags: Readonly<Record<string, string | null | undefined>>, option: string): Parts {
  const given = Object.entries(wantRecord(option, flags)).flatMap(([name, value]) => wantFlag(name, value, option));
  const settings = given.find(([name]) => name === 'settings');
  return {
    args: given.flatMap((flag) => (isSetElsewhere(flag) ? [] : toArguments(flag))),
    settings: settings && settingsOf(settings[1] ?? '', `${option}.settings`),
  };
}

/** Settings may have to hold rules, and the CLI reads one `--settings` only: with two, what the first denies runs. */
const isSetElsewhere = ([name]: Flag): boolean => name === 'settings' || formats.includes(name);

function wantFlag(name: string, value: unknown, option: string): readonly Flag[] {
  if (!/^[a-z0-9][\w.-]*$/iu.test(name)) throw refuseValue(option, name, 'Pass the name of a flag without its dashes.');
  const place = `${option}.${name}`;
  if (value === undefined) return [];
  if (formats.includes(name) && value !== 'stream-json')
    throw refuseValue(place, value, 'The SDK speaks stream-json; leave it out.');
  if (name === 'settings' && value === null) throw refuseValue(place, value, 'Pass JSON, or the path of a file.');
  if (value !== null && typeof value !== 'string')
    throw refuseValue(place, value, 'Pass a string, or null for a flag without a value.');
  return [[name, value]];
}

function toArguments([name, value]: Flag): readonly string[] {
  if (value === null) return [`--${name}`];
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
}
