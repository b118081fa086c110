import type { Parts } from './parts.ts';
import { refuseValue, wantRecord } from './values.ts';

/** The conversation is held in these; with any other value the agent says nothing that can be read. */
const ours = ['output-format', 'input-format'];

/** `--name value`, `--name` for null, and `--name=-value` where the value would be taken for a flag. */
export function extraArguments(flags: Readonly<Record<string, string | null>>, option: string): Parts {
  return {
    args: Object.entries(wantRecord(option, flags)).flatMap(([name, value]) => extraArgument(name, value, option)),
  };
}

function extraArgument(name: string, value: unknown, option: string): readonly string[] {
  if (!/^[a-z0-9][\w.-]*$/iu.test(name)) throw refuseValue(option, name, 'Pass the name of a flag without its dashes.');
  if (ours.includes(name)) throw refuseValue(option, name, 'The SDK sets it; leave it out.');
  if (value === null) return [`--${name}`];
  if (typeof value !== 'string')
    throw refuseValue(`${option}.${name}`, value, 'Pass a string, or null for a flag without a value.');
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
}
