import type { HookEvent } from '@hexagent/ports';

/** The name of a ready-made hook, and the event that it serves. */
interface Mark {
  readonly name: string;
  /** Absent where the hook serves any event. */
  readonly event?: HookEvent;
  /** It makes a hook, and is not a hook itself. */
  readonly isMaker?: boolean;
  /** It is called as the hooks of `on()` are, and not as those of a table. */
  readonly isHandler?: boolean;
  /** It changes the input of calls: the answer of another hook must not replace its change. */
  readonly changesInput?: boolean;
}

const marks = new WeakMap<object, Mark>();

/** Remembers where a hook belongs, for those that register it. */
export function marked<Hook extends object>(hook: Hook, mark: Mark): Hook {
  marks.set(hook, mark);
  return hook;
}

/** Marks what calls a ready-made hook as that, in the form of a table. */
export function sameMark<Hook extends object>(hook: object, caller: Hook): Hook {
  const mark = marks.get(hook);
  return mark === undefined ? caller : marked(caller, { ...mark, isHandler: false });
}

/** Describes the mistake of a ready-made hook in a table. */
export function wrongInTable(hook: object): string | undefined {
  const { name, isHandler } = marks.get(hook) ?? {};
  return isHandler === true ? `${name}() is a hook for createHooks().on(), not for a table.` : undefined;
}

/** Describes the mistake of a ready-made hook under this event, whose input it is not made for. */
export function wrongPlaceOf(hook: object, event: string): string | undefined {
  const { name, event: own, isMaker } = marks.get(hook) ?? {};
  if (isMaker === true) return `${name} has to be called: ${name}(…).`;
  if (own === undefined || own === event) return undefined;
  return `${name}() is a hook for ${own}, not for ${event}.`;
}

/** Whether the hook was made to change the input of calls. */
export const changesInput = (hook: object): boolean => marks.get(hook)?.changesInput === true;
