import type { InitializeFields, LaunchArgument } from '@hexagent/ports';
import { refuseValue, wantNumber, wantStrings } from './values.ts';

/** What one option adds to a launch. */
export interface Parts {
  readonly args?: readonly LaunchArgument[];
  readonly initialize?: InitializeFields;
  readonly settings?: Settings | undefined;
  /** Becomes a part of the settings. */
  readonly sandbox?: Readonly<Record<string, unknown>>;
  /** Rules go into one argument each, or into the settings when an argument cannot hold them. */
  readonly rules?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
}

/** A settings file of the caller's, which nobody here reads, or settings that others may be added to. */
export type Settings =
  | { readonly path: string; readonly option: string }
  | { readonly object: Readonly<Record<string, unknown>> };

/** Turns the value of an option into what it adds. */
export type Row<Value> = (value: Value, option: string) => Parts;

const nothing: Parts = {};

// Values follow an equals sign, so that one which starts with a dash stays a value and never becomes a flag.

/** `--flag=text`. An empty text counts as not given, as programs write `process.env.MODEL ?? ''`. */
export function text(flag: string): Row<string> {
  return (value, option) => {
    if (typeof value !== 'string') throw refuseValue(option, value, 'Pass a string.');
    return value === '' ? nothing : { args: [`${flag}=${value}`] };
  };
}

/** `--flag` for whatever counts as true: such a switch narrows, or changes nothing that matters. */
export function toggle(flag: string): Row<boolean> {
  return (value) => (value ? { args: [flag] } : nothing);
}

/** `--flag` for one of the two; nothing else counts as either, because the wrong guess would let more happen. */
export function strictToggle(flag: string, { when = true }: { readonly when?: boolean } = {}): Row<boolean> {
  return (value, option) => {
    if (typeof value !== 'boolean') throw refuseValue(option, value, 'Pass true or false.');
    return value === when ? { args: [flag] } : nothing;
  };
}

/** `--flag=n`. */
export function number(flag: string, limits: { readonly above: number; readonly whole?: boolean }): Row<number> {
  return (value, option) => ({ args: [`${flag}=${wantNumber(option, value, limits)}`] });
}

/** `--flag=a,b`, also for an empty list: it means none, not the default. */
export function list(flag: string): Row<readonly string[]> {
  const remedy = 'Pass each name as an item of its own, without commas or spaces.';
  return (value, option) => {
    const values = wantStrings(option, value, remedy);
    const wrong = values.find((name) => name === '' || /[\s,]/u.test(name));
    if (wrong !== undefined) throw refuseValue(option, wrong, remedy);
    return { args: [`${flag}=${values.join(',')}`] };
  };
}

/** `--flag=value`, once for each. */
export function each(flag: string): Row<readonly string[]> {
  return (value, option) => {
    const values = wantStrings(option, value, 'Pass each path as an item of its own.');
    if (values.includes('')) throw refuseValue(option, '', 'Leave the empty item out.');
    return { args: values.map((path) => `${flag}=${path}`) };
  };
}

/** A value out of a known few. */
export function choice<Value extends string>(flag: string, choices: readonly string[]): Row<Value> {
  return (value, option) => {
    if (!choices.includes(value)) throw refuseValue(option, value, `Pass one of ${choices.join(', ')}.`);
    return { args: [`${flag}=${value}`] };
  };
}

/** Rules for tools. */
export function rules(list: 'allow' | 'deny'): Row<readonly string[]> {
  return (value, option) => ({ rules: { [list]: wantStrings(option, value, aRule) } });
}

/** What a rule is, for whoever passes something else. */
export const aRule = 'Pass the name of a tool, or a rule such as Bash(git *), as an item of its own.';

/** A field of the `initialize` request: no length is too long there, and no other user of the machine can read it. */
export function field<Value>(name: string): Row<Value> {
  return (value) => ({ initialize: { [name]: value } });
}
