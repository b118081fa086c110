import type { HookCallback, HookContext, HookEvent, HookInput, HookInputOf } from '@hexagent/ports';

/** The input of a tool. Its members depend on the tool. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** The events about one call of a tool. */
type ToolEvent = {
  [Event in HookEvent]: HookInputOf<Event> extends { readonly tool_name: string } ? Event : never;
}[HookEvent];

/** What a hook is called with, at any event. */
interface AnyCall<Request> extends HookContext {
  /** What the agent sent, in its own spelling. */
  readonly request: Request;
}

/** Of a call of a tool. */
interface CallOfTool {
  /** The name of the tool, as the agent spells it. */
  readonly tool: string;
  /** The input of the call. */
  readonly input: ToolInput;
  /** The agent's id of the call, the same at all events about it; `undefined` where the event has none. */
  readonly toolUseId: string | undefined;
}

/** What a hook is called with. At events about a call of a tool it has `tool`, `input` and `toolUseId`. */
export type HookCall<Event extends HookEvent = HookEvent> = AnyCall<HookInputOf<Event>> &
  ([Event] extends [ToolEvent] ? CallOfTool : unknown);

/** A hook for an event. Nothing returned is the same as `{}`: the agent continues. */
export type HookHandler<Event extends HookEvent = HookEvent> = (
  call: HookCall<Event>,
) => ReturnType<HookCallback<Event>>;

export function toHookCall(request: HookInput, toolUseId: string | undefined, context: HookContext): HookCall {
  const call = {
    ...('tool_name' in request && {
      tool: request.tool_name,
      input: request.tool_input as ToolInput, // the agent sends an object; where it must be one, the hook checks that
      toolUseId,
    }),
    request,
    // Node makes a signal when it is read: with one for each call, hooks miss their bound of time.
    get signal() {
      return context.signal;
    },
    report: context.report,
  };
  return call;
}
