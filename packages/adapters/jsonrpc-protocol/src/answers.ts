import { isRecord, kindAndKeys } from '@hexagent/checks';
import type {
  AgentRequestSubtype,
  ControlRequest,
  DialogRequest,
  ElicitationRequest,
  RequestHandlers,
  UntypedHandlers,
} from '@hexagent/ports';
import { Unanswerable, type Answerer, type OpenCall, type Payload } from './call.ts';
import { hookAnswers } from './hook-answers.ts';
import { mcpAnswers } from './mcp-answers.ts';
import { permissionAnswers } from './permission-answers.ts';

/** The supported requests of the agent, each with the functions that read it and write its answer. */
const supported: Readonly<Record<AgentRequestSubtype, Answerer>> = {
  can_use_tool: permissionAnswers,
  hook_callback: hookAnswers,
  mcp_message: mcpAnswers,
  elicitation: { ask: askElicitor, read: readElicitation },
  request_user_dialog: { ask: askDialog, read: readDialog },
};
const answerers: ReadonlyMap<string, Answerer> = new Map(Object.entries(supported));

/** Answers requests of a subtype; `undefined` for an unknown one, which is refused by name. */
export function answererOf(subtype: string, untyped: UntypedHandlers | undefined): Answerer | undefined {
  const answerer = answerers.get(subtype);
  if (answerer !== undefined) return answerer;
  const handle = untyped && Object.hasOwn(untyped, subtype) ? untyped[subtype] : undefined;
  return handle && { ask: (request, _, context) => handle(request, context), read: readUntyped };
}

function readUntyped(answer: unknown, { request: { subtype } }: OpenCall): Payload | undefined {
  if (answer === null) return undefined;
  if (isRecord(answer)) return answer;
  throw new TypeError(`The handler of ${subtype} returned ${kindAndKeys(answer)}; an object is accepted, or null.`);
}

function askElicitor(request: ControlRequest, { elicitation: handle }: RequestHandlers, context: OpenCall): unknown {
  if (!isElicitation(request)) throw new Unanswerable('elicitation needs `mcp_server_name` and `message`.');
  return handle ? handle(request, context) : { action: 'decline' };
}

function readElicitation(answer: unknown): Payload | undefined {
  if (answer === null) return undefined;
  const { action, content, _meta }: Payload = isRecord(answer) ? answer : {};
  if (typeof action !== 'string') {
    throw new TypeError(
      `The elicitation callback returned ${kindAndKeys(answer)}; accepted is { action: "accept" | "decline" | "cancel", content? }.`,
    );
  }
  return { action, content, _meta };
}

function askDialog(
  request: ControlRequest,
  { request_user_dialog: handle }: RequestHandlers,
  context: OpenCall,
): unknown {
  if (!isDialog(request)) throw new Unanswerable('request_user_dialog needs `dialog_kind`.');
  return handle ? handle(request, context) : { behavior: 'cancelled' };
}

function readDialog(answer: unknown): Payload | undefined {
  if (answer === null) return undefined;
  const { behavior, result }: Payload = isRecord(answer) ? answer : {};
  if (typeof behavior !== 'string') {
    throw new TypeError(
      `The dialog callback returned ${kindAndKeys(answer)}; accepted are { behavior: "completed", result } and { behavior: "cancelled" }.`,
    );
  }
  return { behavior, result };
}

function isElicitation(request: ControlRequest): request is ControlRequest & ElicitationRequest {
  return typeof request['mcp_server_name'] === 'string' && typeof request['message'] === 'string';
}

function isDialog(request: ControlRequest): request is ControlRequest & DialogRequest {
  return typeof request['dialog_kind'] === 'string';
}
