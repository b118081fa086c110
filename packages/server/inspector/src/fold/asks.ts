import { isJson, objectAt, textAt, type Json } from './entry.ts';
import type { Answer, Ask, RowKind } from './run.ts';

const kinds: Readonly<Record<string, RowKind>> = {
  can_use_tool: 'ask',
  elicitation: 'ask',
  request_user_dialog: 'ask',
  hook_callback: 'hook',
  mcp_message: 'server',
};

export function kindOfAsk(subtype: string): RowKind {
  return kinds[subtype] ?? 'request';
}

type Place = Pick<Ask, 'id' | 'row' | 't' | 'turn'>;

/** What the agent asks the program; `undefined` for a request that is not answered by a decision, such as a notification. */
export function askOf(request: Json, place: Place): Ask | undefined {
  const facts = factsOf(request);
  return facts && { ...place, ...facts, answer: undefined };
}

function factsOf(request: Json): Pick<Ask, 'call' | 'kind' | 'subject'> | undefined {
  const call = textAt(request, 'tool_use_id') || undefined;
  switch (textAt(request, 'subtype')) {
    case 'can_use_tool': {
      const subject = textAt(request, 'tool_name');
      return { kind: kindOfTool(subject), subject, call };
    }
    case 'hook_callback':
      return { kind: 'hook', subject: textAt(objectAt(request, 'input'), 'hook_event_name'), call };
    case 'mcp_message':
      return callOfServer(request);
    case 'elicitation':
      return { kind: 'elicitation', subject: textAt(request, 'mcp_server_name'), call };
    case 'request_user_dialog':
      return { kind: 'dialog', subject: textAt(request, 'dialog_kind'), call };
    default:
      return undefined;
  }
}

function kindOfTool(tool: string): Ask['kind'] {
  if (tool === 'AskUserQuestion') return 'question';
  return tool === 'ExitPlanMode' ? 'plan' : 'permission';
}

/** A tool of the program itself, which runs in its process. */
function callOfServer(request: Json): Pick<Ask, 'call' | 'kind' | 'subject'> {
  const message = objectAt(request, 'message');
  const method = textAt(message, 'method');
  const params = objectAt(message, 'params');
  const subject = `${textAt(request, 'server_name')}: ${method === 'tools/call' ? textAt(params, 'name') : method}`;
  return { kind: 'tool', subject, call: textAt(objectAt(params, '_meta'), 'claudecode/toolUseId') || undefined };
}

/** How the program answered. */
export function answerOf(ask: Ask, response: Json, { t, row }: Pick<Answer, 'row' | 't'>): Answer {
  const by = ask.kind === 'hook' ? 'a hook of the program' : 'the program';
  if (response['subtype'] === 'error')
    return { t, row, by, outcome: 'failed', reason: textAt(response, 'error') || undefined };
  const given = objectAt(response, 'response');
  return { t, row, by, ...(ask.kind === 'hook' ? ofHook(given, ask.subject) : ofDecision(ask, given)) };
}

function ofDecision({ kind }: Ask, given: Json): Pick<Answer, 'outcome' | 'reason'> {
  if (kind === 'tool') return ofServer(objectAt(given, 'mcp_response'));
  if (kind === 'elicitation' || kind === 'dialog')
    return { outcome: 'answered', reason: textAt(given, 'action') || textAt(given, 'behavior') || undefined };
  if (given['behavior'] !== 'allow') return { outcome: 'denied', reason: textAt(given, 'message') || undefined };
  if (kind !== 'question') return { outcome: 'allowed', reason: changesIn(given) };
  return { outcome: 'answered', reason: answersIn(objectAt(objectAt(given, 'updatedInput'), 'answers')) };
}

function ofServer(message: Json): Pick<Answer, 'outcome' | 'reason'> {
  const { error } = message;
  if (isJson(error)) return { outcome: 'failed', reason: textAt(error, 'message') };
  return { outcome: objectAt(message, 'result')['isError'] === true ? 'failed' : 'answered', reason: undefined };
}

function changesIn(given: Json): string | undefined {
  const remembered = given['updatedPermissions'];
  const count = Array.isArray(remembered) ? remembered.length : 0;
  return count === 0 ? undefined : `with ${count} remembered ${count === 1 ? 'change' : 'changes'}`;
}

const answersIn = (answers: Json): string | undefined => Object.values(answers).map(String).join(', ') || undefined;

/** The events whose hooks decide about a tool. */
const decisive: readonly string[] = ['PreToolUse', 'PermissionRequest'];

function ofHook(output: Json, event: string): Pick<Answer, 'outcome' | 'reason'> {
  const specific = objectAt(output, 'hookSpecificOutput');
  const decision = textAt(specific, 'permissionDecision') || textAt(objectAt(specific, 'decision'), 'behavior');
  const said = textAt(specific, 'permissionDecisionReason') || textAt(output, 'reason') || textAt(output, 'stopReason');
  const reason = said || undefined;
  if (decision === 'deny' || output['decision'] === 'block')
    return { outcome: decisive.includes(event) ? 'denied' : 'blocked', reason };
  if (decision === 'allow') return { outcome: 'allowed', reason };
  if (output['continue'] === false) return { outcome: 'blocked', reason };
  return { outcome: 'answered', reason: decision === 'ask' ? 'asks a person' : reason };
}
