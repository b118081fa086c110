import { isRecord } from '@hexagent/ports';
import type { ControlRequest, DialogRequest, ElicitationRequest } from '@hexagent/ports';
import { Unanswerable } from './call.ts';
import type { Answerer, Call, Payload } from './call.ts';
import { answerHook } from './hook-answers.ts';
import { answerMcp, failMcp } from './mcp-answers.ts';
import { answerPermission } from './permission-answers.ts';
import { describe } from './shapes.ts';

/** What the agent may ask; everything else is refused by name. */
export const answerers: ReadonlyMap<string, Answerer> = new Map<string, Answerer>([
  ['can_use_tool', { answer: answerPermission }],
  ['hook_callback', { answer: answerHook }],
  ['mcp_message', { answer: answerMcp, failed: failMcp }],
  ['elicitation', { answer: answerElicitation }],
  ['request_user_dialog', { answer: answerDialog }],
]);

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

function isElicitation(request: ControlRequest): request is ControlRequest & ElicitationRequest {
  return typeof request['mcp_server_name'] === 'string' && typeof request['message'] === 'string';
}

function isDialog(request: ControlRequest): request is ControlRequest & DialogRequest {
  return typeof request['dialog_kind'] === 'string';
}
