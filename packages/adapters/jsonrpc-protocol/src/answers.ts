import { isRecord } from '@hexagent/ports';
import type {
  AgentRequestSubtype,
  ControlRequest,
  DialogRequest,
  ElicitationRequest,
  UntypedHandlers,
} from '@hexagent/ports';
import { Unanswerable } from './call.ts';
import type { Answerer, Call, Payload } from './call.ts';
import { answerHook } from './hook-answers.ts';
import { answerMcp, failMcp } from './mcp-answers.ts';
import { answerPermission } from './permission-answers.ts';
import { describe } from './shapes.ts';

/** What the agent is known to ask, each with its own way of reading the request and writing the answer. */
const answerers: Readonly<Record<AgentRequestSubtype, Answerer>> = {
  can_use_tool: { answer: answerPermission },
  hook_callback: { answer: answerHook },
  mcp_message: { answer: answerMcp, failed: failMcp },
  elicitation: { answer: answerElicitation },
  request_user_dialog: { answer: answerDialog },
};

/** What answers a request; `undefined` where nobody can, which is refused by name. */
export function answererOf(subtype: string, untyped: UntypedHandlers | undefined): Answerer | undefined {
  if (isKnown(subtype)) return answerers[subtype];
  const handle = untyped && Object.hasOwn(untyped, subtype) ? untyped[subtype] : undefined;
  return handle && { answer: ({ request, context }) => answerUntyped(request, handle(request, context)) };
}

const isKnown = (subtype: string): subtype is AgentRequestSubtype => Object.hasOwn(answerers, subtype);

async function answerUntyped({ subtype }: ControlRequest, answering: Promise<unknown>): Promise<Payload | undefined> {
  const answer = await answering;
  if (answer === null) return undefined;
  if (isRecord(answer)) return answer;
  throw new TypeError(`The handler of ${subtype} returned ${describe(answer)}; an object is accepted, or null.`);
}

async function answerElicitation({ request, handlers, context }: Call): Promise<Payload | undefined> {
  if (!isElicitation(request)) throw new Unanswerable('elicitation needs `mcp_server_name` and `message`.');
  const handle = handlers.elicitation;
  if (!handle) return { action: 'decline' };
  const answer: unknown = await handle(request, context);
  if (answer === null) return undefined;
  if (!isRecord(answer) || typeof answer['action'] !== 'string') {
    throw new TypeError(
      `The elicitation callback returned ${describe(answer)}; accepted is { action: "accept" | "decline" | "cancel", content? }.`,
    );
  }
  return { ...answer };
}

async function answerDialog({ request, handlers, context }: Call): Promise<Payload | undefined> {
  if (!isDialog(request)) throw new Unanswerable('request_user_dialog needs `dialog_kind`.');
  const handle = handlers.request_user_dialog;
  if (!handle) return { behavior: 'cancelled' };
  const answer: unknown = await handle(request, context);
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
