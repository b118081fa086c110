import type { HookEvent, HookInputOf } from './hook-inputs.ts';
import type { HookOutput } from './hook-outputs.ts';

/**
 * One hook as a program writes it. Nothing returned is the same as `{}`: the agent continues. A hook of any event has no
 * `Event`, and answers with what every event takes: `hookSpecificOutput` is for hooks of a single event.
 */
export type HookCallback<Event extends HookEvent = HookEvent> = HookFunction<
  HookInputOf<Event>,
  HookOutput<Sole<Event>>
>;

/** What comes with the input of a hook. */
export interface HookContext {
  /** Aborts when the agent no longer waits. */
  readonly signal: AbortSignal;
  /**
   * Reports a failure that the answer does not show, such as one for which the hook refuses the call: to the observer,
   * and as a warning. Absent where something else than this SDK calls the hook.
   */
  readonly report?: ((error: unknown) => void) | undefined;
}

type HookFunction<Input, Output> = (
  input: Input,
  toolUseId: string | undefined,
  context: HookContext,
) => Promise<Output | void> | Output | void;

/** The event where there is one, none of several: an answer of one event is nonsense to another. */
type Sole<Event extends HookEvent, Events extends HookEvent = Event> = Event extends HookEvent
  ? [Events] extends [Event]
    ? Event
    : never
  : never;

/** Hooks of one event that share a matcher. */
export interface HookMatcher<Event extends HookEvent = HookEvent> {
  /**
   * A tool name, names joined by `|` or a comma, or a regular expression, which is searched for anywhere in the name;
   * absent, empty or `*` for all. Events without tools compare it with something else, or with nothing.
   */
  readonly matcher?: string | undefined;
  /** Called all of them, each with the same input. */
  readonly hooks: readonly HookCallback<Event>[];
  /** Seconds the agent waits for an answer; then it refuses the tool call. */
  readonly timeout?: number | undefined;
  /** What the agent does when a hook fails: continue (the default), or block what it was about to do. */
  readonly onFailure?: 'continue' | 'block' | undefined;
}

/** Hooks by event. Each hook gets the input of its event. */
export type HookTable = { readonly [Event in HookEvent]?: readonly HookMatcher<Event>[] | undefined };
