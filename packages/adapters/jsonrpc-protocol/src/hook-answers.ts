import { isRecord, jsonCopy, kindOf } from '@hexagent/checks';
import type { ControlRequest, HookRequest, RequestHandlers } from '@hexagent/ports';
import { Unanswerable, type Answerer, type OpenCall, type Payload, type ReportFault } from './call.ts';
import { mayPrevent, replacesOutput, withoutNulls, wrongWithOutput } from './hook-outputs.ts';

interface Answered {
  readonly event: string;
  readonly output: unknown;
  readonly why: string;
}

/**
 * The agent takes an answer that it cannot use for an empty one and continues: with the original input, with what was to
 * be denied. Where the hook may have been there to prevent something, the answer makes the agent stop instead.
 */
const refusals: Readonly<Record<string, (answered: Answered) => Payload | undefined>> = {
  PreToolUse: deny,
  PreModelSwitch: deny,
  PermissionRequest: ({ event, why }) => ({
    hookSpecificOutput: { hookEventName: event, decision: { behavior: 'deny', message: why } },
  }),
  UserPromptSubmit: block,
  UserPromptExpansion: block,
  PreCompact: block,
  // The result of the tool was replaced for a reason; ending the turn keeps the original from the model.
  PostToolUse: ({ output, why }) => (changesOutput(output) ? { continue: false, stopReason: why } : undefined),
};

function block({ why }: Answered): Payload {
  return { decision: 'block', reason: why };
}

function deny({ event, why }: Answered): Payload {
  return { hookSpecificOutput: { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: why } };
}

export const hookAnswers: Answerer = { ask, read };

function ask(request: ControlRequest, { hook_callback: handle }: RequestHandlers, context: OpenCall): unknown {
  if (!isHook(request)) throw new Unanswerable('hook_callback needs `callback_id` and `input`.');
  if (!handle) throw new Unanswerable(`No hook is registered as ${request.callback_id}.`);
  return handle(request, context);
}

function read(output: unknown, call: OpenCall, fault: ReportFault): Payload {
  call.isJson = true;
  const { input } = call.request as ControlRequest & HookRequest; // `ask` has checked it
  const event = input.hook_event_name;
  const { tool_input: original } = input as { readonly tool_input?: unknown }; // the events that need it have it
  const written = jsonCopy(output, { name: 'answer', exact: mayPrevent(event) });
  const payload = written.lost === undefined && isRecord(written.copy) ? withoutNulls(written.copy, event) : undefined;
  const wrong =
    payload === undefined
      ? (written.lost ?? `it is ${kindOf(output)}, and an object is accepted, {} to go on.`)
      : wrongWithOutput(payload, event, original);
  if (payload !== undefined && wrong === undefined) return payload;
  const why = `A hook for ${event} answered with something that the agent cannot use: ${wrong}`;
  const refusal = Object.hasOwn(refusals, event) ? refusals[event]?.({ event, output, why }) : undefined;
  if (refusal === undefined) throw new TypeError(why);
  fault(call, new TypeError(why));
  return refusal;
}

/** Also `true` when reading throws, since the output may be changed then. */
function changesOutput(output: unknown): boolean {
  if (typeof output !== 'object' || output === null) return false;
  try {
    return replacesOutput(Reflect.get(output, 'hookSpecificOutput'));
  } catch {
    return true;
  }
}

function isHook(request: ControlRequest): request is ControlRequest & HookRequest {
  return typeof request['callback_id'] === 'string' && isRecord(request['input']);
}
