import type { Addition } from './rows.ts';
import { settingsOf } from './settings.ts';
import { wrongValue, requireRecord } from './values.ts';

/** The formats of the protocol; with any other value the agent writes lines that the SDK cannot read. */
const formats = ['output-format', 'input-format'];

type Flag = readonly [name: string, value: string | null];

/** `--name value`, `--name` for null, and `--name=-value` for a value that looks like a flag. */
export function extraArguments(flags: Readonly<Record<string, string | null | undefined>>, option: string): Addition {
  const given = Object.entries(requireRecord(option, flags)).flatMap(([name, value]) => parseFlag(name, value, option));
  const settings = given.find(([name]) => name === 'settings');
  return {
    args: given.flatMap((flag) => (isSetElsewhere(flag) ? [] : toArguments(flag))),
    settings: settings && settingsOf(settings[1] ?? '', `${option}.settings`),
  };
}

/** The CLI reads only one `--settings`, so these settings are merged with the others; otherwise their deny rules are lost. */
const isSetElsewhere = ([name]: Flag): boolean => name === 'settings' || formats.includes(name);

function parseFlag(name: string, value: unknown, option: string): readonly Flag[] {
  if (!/^[a-z0-9][\w.-]*$/iu.test(name)) throw wrongValue(option, name, 'Pass the name of a flag without its dashes.');
  const place = `${option}.${name}`;
  if (value === undefined) return [];
  if (formats.includes(name) && value !== 'stream-json')
    throw wrongValue(place, value, 'The SDK needs stream-json; leave it out.');
  if (name === 'settings' && value === null) throw wrongValue(place, value, 'Pass JSON, or the path of a file.');
  if (value !== null && typeof value !== 'string')
    throw wrongValue(place, value, 'Pass a string, or null for a flag without a value.');
  return [[name, value]];
}

function toArguments([name, value]: Flag): readonly string[] {
  if (value === null) return [`--${name}`];
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
}
