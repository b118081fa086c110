import { isRecord, shown } from '@hexagent/checks';
import { toHookCall, type HookCall, type HookHandler } from './hook-call.ts';
import { sameMark } from './ready-made-marks.ts';
import type {
  HookCallback,
  HookContext,
  HookEvent,
  HookInput,
  HookMatcher,
  HookOutput,
  HookTable,
} from '@hexagent/ports';
import {
  checkHandler,
  checkMatcher,
  checkTableStrictly,
  refuseUnknownEvent,
  refuseWrongMatcher,
} from './check-table.ts';

/** How the agent calls a hook. */
export type HookOptions = Pick<HookMatcher, 'timeout' | 'onFailure'>;

/** A hook for an event, whose answer has only fields that the agent supports for it. */
export type HookFor<Event extends HookEvent, Answer> = ((call: HookCall<Event>) => Answer | Promise<Answer>) &
  WithoutTypo<Answer, HookOutput<Event>>;

type KeysOf<T> = T extends unknown ? keyof T : never;
type MemberOf<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : never) : never;
type UnknownKeys<Given, Known> = Given extends object ? Exclude<keyof Given, KeysOf<Known>> : never;
type Typos<Given, Known> =
  | UnknownKeys<Given, Known>
  | UnknownKeys<MemberOf<Given, 'hookSpecificOutput'>, MemberOf<Known, 'hookSpecificOutput'>>;
/** TypeScript itself checks for unknown fields only in what is written out where a type is named, not in a function's result. */
type WithoutTypo<Given, Known> = [Typos<Given, Known>] extends [never]
  ? unknown
  : { readonly 'is no field of an answer': Typos<Given, Known> };

/** The entries of a set, in the form that both faces take. */
export interface RegisteredHooks {
  matcher?: string;
  hooks: RegisteredHook[];
  timeout?: number;
  onFailure?: 'continue' | 'block';
}

/** A hook as it is kept: the agent calls it with inputs of its event only. */
export type RegisteredHook = (
  input: HookInput,
  toolUseId: string | undefined,
  context: HookContext,
) => Promise<AnyAnswer>;

/** A part that the answers of all events have, at both faces: only the agent reads more. */
interface AnyAnswer {
  readonly systemMessage?: string;
}

/** A table of hooks that can be added to. Accepted wherever a table is, by `openSession()` as by `query()`. */
export interface HookSet extends Readonly<{ [Event in HookEvent]?: RegisteredHooks[] }> {
  /**
   * Adds a hook, behind those that are there, and returns the same set. A conversation has the hooks that its set held
   * when it was opened.
   * @throws {TypeError} for an event, a matcher or an option that the agent would not follow.
   */
  on<Event extends HookEvent, Answer extends HookOutput<Event> | void>(
    event: Event,
    // No overloads: with them, TypeScript reads a hook without parameters as what the first overload has in its place.
    ...given:
      | readonly [hook: HookFor<Event, Answer>, options?: HookOptions]
      | readonly [matcher: string, hook: HookFor<Event, Answer>, options?: HookOptions]
  ): this;
}

/**
 * Makes a set of hooks, of the hooks of these tables and sets in their order: what one of them has under an event is
 * put behind what the ones before have there.
 * @example createHooks().on('PreToolUse', 'Bash', hooks.deny('No shell here.'))
 * @throws {TypeError} for a table that the agent would not follow, naming the event and the place.
 */
export function createHooks(...tables: readonly HookTable[]): HookSet {
  const set = new OwnHookSet();
  for (const table of tables)
    for (const [event, matchers] of checkTableStrictly(table)) for (const matcher of matchers) add(set, event, matcher);
  return set as HookSet; // its own members are events
}

class OwnHookSet {
  on(event: string, ...given: readonly unknown[]): this {
    refuseUnknownEvent(event, 'on()');
    const place = `on(${shown(event)})`;
    const [matcher, hook, options = {}] = typeof given[0] === 'function' ? [undefined, ...given] : given;
    if (isHookSet(matcher) || isHookSet(hook))
      throw new TypeError(`${place}: this is a set of hooks, which has events of its own. Pass it to createHooks().`);
    checkHandler(hook, event, `${place}: the hook`);
    const entry = { matcher, hooks: [toCallback(hook)], ...optionsOf(options, place) };
    checkMatcher(entry, event, place);
    refuseWrongMatcher(event, entry.matcher, place);
    add(this, event, entry);
    return this;
  }
}

/** The hook in the form that tables have, at both doors. */
function toCallback(hook: HookHandler<never>): HookCallback {
  const handle = hook as (call: HookCall) => ReturnType<HookCallback>; // the agent calls it at its event
  return sameMark(hook, (input, toolUseId, context) => handle(toHookCall(input, toolUseId, context)));
}

function optionsOf(options: unknown, place: string): object {
  if (!isRecord(options))
    throw new TypeError(`${place}: the options must be { timeout, onFailure }, not ${shown(options)}.`);
  const unknown = Reflect.ownKeys(options).find((key) => key !== 'timeout' && key !== 'onFailure');
  if (unknown !== undefined)
    throw new TypeError(`${place}: ${shown(String(unknown))} is no option. There are timeout and onFailure.`);
  return { timeout: options['timeout'], onFailure: options['onFailure'] };
}

/** A copy without what is undefined: in the official package, what may be missing is never that. */
function add(set: object, event: string, { matcher, hooks, timeout, onFailure }: HookMatcher): void {
  const table = set as Record<string, object[]>; // its own members are events
  const entry = {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [...hooks],
    ...(timeout === undefined ? {} : { timeout }),
    ...(onFailure === undefined ? {} : { onFailure }),
  };
  table[event] = [...(Object.hasOwn(set, event) ? (table[event] ?? []) : []), entry];
}

/** Whether this is a set that `createHooks()` has made, of any copy of this package: unlike a table it has `on()`. */
export function isHookSet(value: unknown): value is HookSet {
  try {
    return isRecord(value) && !Object.hasOwn(value, 'on') && typeof Reflect.get(value, 'on') === 'function';
  } catch {
    return false; // a proxy
  }
}
