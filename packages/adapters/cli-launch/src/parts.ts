import type { InitializeFields, LaunchArgument } from '@hexagent/ports';
import { refuseValue, wantNumber } from './values.ts';

/** What one option adds to a launch. */
export interface Parts {
  readonly args?: readonly LaunchArgument[];
  readonly initialize?: InitializeFields;
  readonly settings?: Settings | undefined;
  /** Rules go into one argument each, or into the settings when an argument cannot hold them. */
  readonly rules?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
}

/** A settings file of the caller's, which nobody here reads, or settings that others may be added to. */
export type Settings = { readonly path: string } | { readonly object: Readonly<Record<string, unknown>> };

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

/** `--flag` when true. */
export function toggle(flag: string, { when = true }: { readonly when?: boolean } = {}): Row<boolean> {
  return (value) => (value === when ? { args: [flag] } : nothing);
}

/** `--flag=n`. */
export function number(flag: string, limits: { readonly above: number; readonly whole?: boolean }): Row<number> {
  return (value, option) => ({ args: [`${flag}=${wantNumber(option, value, limits)}`] });
}

/** `--flag=a,b`, also for an empty list: it means none, not the default. */
export function list(flag: string): Row<readonly string[]> {
  return (values, option) => {
    const wrong = values.find((value) => typeof value !== 'string' || value === '' || /[\s,]/u.test(value));
    if (wrong !== undefined)
      throw refuseValue(option, wrong, 'Pass each name as an item of its own, without commas or spaces.');
    return { args: [`${flag}=${values.join(',')}`] };
  };
}

/** `--flag=value`, once for each. */
export function each(flag: string): Row<readonly string[]> {
  return (values, option) => {
    if (values.includes('')) throw refuseValue(option, '', 'Leave the empty item out.');
    return { args: values.map((value) => `${flag}=${value}`) };
  };
}

/** A value out of a known few. */
export function choice<Value extends string>(flag: string, choices: readonly string[]): Row<Value> {
  return (value, option) => {
    if (!choices.includes(value)) throw refuseValue(option, value, `Pass one of ${choices.join(', ')}.`);
    return { args: [`${flag}=${value}`] };
  };
}

/** A field of the `initialize` request: no length is too long there, and no other user of the machine can read it. */
export function field<Value>(name: string): Row<Value> {
  return (value) => ({ initialize: { [name]: value } });
}
