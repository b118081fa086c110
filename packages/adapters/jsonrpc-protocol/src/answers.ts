import type {
  ControlRequest,
  DialogRequest,
  ElicitationRequest,
  HookRequest,
  PermissionRequest,
} from '@hexagent/ports';
import { Unanswerable } from './call.ts';
import type { Answerer, Call, Payload } from './call.ts';
import { answerMcp, failMcp } from './mcp-answers.ts';
import { describe, isRecord } from './shapes.ts';

/** What the agent may ask; everything else is refused by name. */
export const answerers: ReadonlyMap<string, Answerer> = new Map<string, Answerer>([
  ['can_use_tool', { answer: answerPermission }],
  ['hook_callback', { answer: answerHook }],
  ['mcp_message', { answer: answerMcp, failed: failMcp }],
  ['elicitation', { answer: answerElicitation }],
  ['request_user_dialog', { answer: answerDialog }],
]);

async function answerPermission({ request, host, context, fault }: Call): Promise<Payload | undefined> {
  if (!isPermission(request)) throw new Unanswerable('can_use_tool needs `tool_name`, `tool_use_id` and `input`.');
  if (!host.permission)
    throw new Unanswerable('canUseTool: no permission callback is registered, so nobody can allow this.');
  const answer: unknown = await host.permission(request, context);
  if (answer === null) return undefined;
  const wrong = wrongWithPermission(answer);
  if (wrong === undefined) return { ...(answer as Payload), toolUseID: request.tool_use_id }; // just seen to be an object
  fault(new TypeError(wrong));
  // Denied either way; said so that the model and the program's author learn why.
  const interrupt = isRecord(answer) && answer['interrupt'] === true ? { interrupt: true } : {};
  return { behavior: 'deny', message: wrong, ...interrupt, toolUseID: request.tool_use_id };
}

const accepted =
  'Accepted are { behavior: "allow", updatedInput?, updatedPermissions? } and { behavior: "deny", message, interrupt? }.';

function wrongWithPermission(answer: unknown): string | undefined {
  if (!isRecord(answer)) return `Denied: the permission callback returned ${describe(answer)}. ${accepted}`;
  const { behavior, message, updatedInput, updatedPermissions } = answer;
  if (behavior === 'deny')
    return typeof message === 'string' ? undefined : 'Denied by the permission callback, without a message.';
  if (behavior !== 'allow') return `Denied: the permission callback returned ${describe(answer)}. ${accepted}`;
  if (updatedInput !== undefined && !isRecord(updatedInput))
    return `Denied: \`updatedInput\` is ${describe(updatedInput)}. ${accepted}`;
  if (updatedPermissions !== undefined && !Array.isArray(updatedPermissions)) {
    return `Denied: \`updatedPermissions\` is ${describe(updatedPermissions)}, no list. ${accepted}`;
  }
  return undefined;
}

async function answerHook({ request, host, context }: Call): Promise<Payload> {
  if (!isHook(request)) throw new Unanswerable('hook_callback needs `callback_id` and `input`.');
  if (!host.hook) throw new Unanswerable(`No hook is registered as ${request.callback_id}.`);
  const output: unknown = await host.hook(request, context);
  if (!isRecord(output))
    throw new TypeError(
      `The hook ${request.callback_id} returned ${describe(output)}; an object is accepted, {} to go on.`,
    );
  return output;
}

async function answerElicitation({ request, host, context }: Call): Promise<Payload | undefined> {
  if (!isElicitation(request)) throw new Unanswerable('elicitation needs `mcp_server_name` and `message`.');
  if (!host.elicit) return { action: 'decline' };
  const answer: unknown = await host.elicit(request, context);
  if (answer === null) return undefined;
  if (!isRecord(answer) || typeof answer['action'] !== 'string') {
    throw new TypeError(
      `The elicitation callback returned ${describe(answer)}; accepted is { action: "accept" | "decline" | "cancel", content? }.`,
    );
  }
  return { ...answer };
}

async function answerDialog({ request, host, context }: Call): Promise<Payload | undefined> {
  if (!isDialog(request)) throw new Unanswerable('request_user_dialog needs `dialog_kind`.');
  if (!host.dialog) return { behavior: 'cancelled' };
  const answer: unknown = await host.dialog(request, context);
  if (answer === null) return undefined;
  if (!isRecord(answer) || typeof answer['behavior'] !== 'string') {
    throw new TypeError(
      `The dialog callback returned ${describe(answer)}; accepted are { behavior: "completed", result } and { behavior: "cancelled" }.`,
    );
  }
  return { ...answer };
}

function isPermission(request: ControlRequest): request is ControlRequest & PermissionRequest {
  return (
    typeof request['tool_name'] === 'string' && typeof request['tool_use_id'] === 'string' && isRecord(request['input'])
  );
}

function isHook(request: ControlRequest): request is ControlRequest & HookRequest {
  return typeof request['callback_id'] === 'string' && isRecord(request['input']);
}

function isElicitation(request: ControlRequest): request is ControlRequest & ElicitationRequest {
  return typeof request['mcp_server_name'] === 'string' && typeof request['message'] === 'string';
}

function isDialog(request: ControlRequest): request is ControlRequest & DialogRequest {
  return typeof request['dialog_kind'] === 'string';
}
