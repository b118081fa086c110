import type { InitializeFields, LaunchArgument, LaunchOptions } from '@hexagent/ports';
import { checkJson, wrongValue, requireNumber, requireRecord, requireStrings } from './values.ts';

/** The parts that one option adds to a launch. */
export interface Addition {
  readonly args?: readonly LaunchArgument[];
  readonly initialize?: InitializeFields;
  /** The agent needs these fields before it does anything else. */
  readonly awaitsInitialize?: boolean;
  /** Variables of the agent's environment, which outrank the caller's. */
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Settings | undefined;
  /** Merged into the settings. */
  readonly sandbox?: Readonly<Record<string, unknown>>;
  /** Each list becomes one argument, or a part of the settings where no argument can hold it. */
  readonly rules?: { readonly [List in 'allow' | 'deny' | 'ask']?: readonly string[] };
}

/** The path of the caller's settings file, which is not read here, or settings to which others can be added. */
export type Settings =
  | { readonly path: string; readonly option: string }
  | { readonly object: Readonly<Record<string, unknown>> };

/** Turns the value of an option into what it adds to a launch. */
export type Row<Value> = (value: Value, option: string, options: LaunchOptions) => Addition;

/** A row that depends only on its value. */
export type PlainRow<Value> = (value: Value, option: string) => Addition;

const nothing: Addition = {};

// The equals sign keeps a value that starts with a dash from becoming a flag.

/** `--flag=text`. An empty text counts as not given, since programs write `process.env.MODEL ?? ''`. */
export function text(flag: string): PlainRow<string> {
  return (value, option) => {
    if (typeof value !== 'string') throw wrongValue(option, value, 'Pass a string.');
    return value === '' ? nothing : { args: [`${flag}=${value}`] };
  };
}

/** `--flag` for any truthy value. Only for switches with which the agent may do no more than without them. */
export function toggle(flag: string): PlainRow<boolean> {
  return (value) => (value ? { args: [flag] } : nothing);
}

/** `--flag` for one of true and false. Other values are refused, because a wrong guess would let the agent do more. */
export function strictToggle(flag: string, { when = true }: { readonly when?: boolean } = {}): PlainRow<boolean> {
  return (value, option) => {
    if (typeof value !== 'boolean') throw wrongValue(option, value, 'Pass true or false.');
    return value === when ? { args: [flag] } : nothing;
  };
}

/** `--flag=n`. */
export function number(flag: string, limits: { readonly above?: number; readonly whole?: boolean }): PlainRow<number> {
  return (value, option) => ({ args: [`${flag}=${requireNumber(option, value, limits)}`] });
}

/** `--flag=a,b`. An empty list becomes `--flag=`, which means none, while no flag means the default. */
export function list(flag: string): PlainRow<readonly string[]> {
  const remedy = 'Pass each name as an item of its own, without commas.';
  return (value, option) => {
    const values = requireStrings(option, value, remedy);
    const wrong = values.find((name) => name === '' || name.includes(','));
    if (wrong !== undefined) throw wrongValue(option, wrong, remedy);
    return { args: [`${flag}=${values.join(',')}`] };
  };
}

/** `--flag=value`, once for each item. */
export function each(flag: string, noun = 'path'): PlainRow<readonly string[]> {
  return (value, option) => {
    const values = requireStrings(option, value, `Pass each ${noun} as an item of its own.`);
    if (values.includes('')) throw wrongValue(option, '', 'Leave the empty item out.');
    return { args: values.map((item) => `${flag}=${item}`) };
  };
}

/** `--flag=value`, for a value of a fixed set. */
export function choice<Value extends string>(flag: string, choices: readonly string[]): PlainRow<Value> {
  return (value, option) => {
    if (!choices.includes(value)) throw wrongValue(option, value, `Pass one of ${choices.join(', ')}.`);
    return { args: [`${flag}=${value}`] };
  };
}

/** Rules for tools. */
export function rules(list: 'allow' | 'deny' | 'ask'): PlainRow<readonly string[]> {
  return (value, option) => ({ rules: { [list]: requireStrings(option, value, ruleRemedy) } });
}

/** The remedy in the errors about wrong rules. */
const ruleRemedy = 'Pass the name of a tool, or a rule such as Bash(git *), as an item of its own.';

/** A field of the `initialize` request, which has no limit of length, and which other users of the machine cannot read. */
export function field<Value>(name: string): PlainRow<Value> {
  return (value) => ({ initialize: { [name]: value } });
}

/** A field that is true or false. The agent ignores a field of another type without an error. */
export function flagField(name: string): PlainRow<boolean> {
  return (value, option) => {
    if (typeof value !== 'boolean') throw wrongValue(option, value, 'Pass true or false.');
    return field(name)(value, option);
  };
}

/** A field that is a text; an empty one counts as not given. */
export function textField(name: string): PlainRow<string> {
  return (value, option) => {
    if (typeof value !== 'string') throw wrongValue(option, value, 'Pass a string.');
    return value === '' ? nothing : field(name)(value, option);
  };
}

/** A field that is an object, of which JSON must lose nothing. The checked copy is sent. */
export function recordField(name: string): PlainRow<Readonly<Record<string, unknown>>> {
  return (value, option) => field(name)(checkJson(option, requireRecord(option, value)), option);
}

/** A variable of the agent's environment, set for any truthy value. */
export function variable(name: string, text: string): PlainRow<boolean> {
  return (value) => (value ? { env: { [name]: text } } : nothing);
}
