import { answerMembers, errorText, isRecord, jsonCopy, kindAndKeys, shown } from '@hexagent/checks';
import type { ControlRequest, PermissionRequest, RequestHandlers } from '@hexagent/ports';
import { Unanswerable, type Answerer, type OpenCall, type Payload, type ReportFault } from './call.ts';
import { isEmpty, misspeltIn } from './misspelt.ts';

/** The payload of an answer, or what is wrong with the answer. */
type Found = { readonly payload: Payload } | { readonly wrong: string; readonly interrupts?: boolean };

const accepted =
  'Accepted are allow() and deny(message) of @hexagent/sdk, or what they make: { behavior: "allow", updatedInput?, updatedPermissions? } or { behavior: "deny", message, interrupt? }.';

export const permissionAnswers: Answerer = { ask, read };

function ask(request: ControlRequest, { can_use_tool: handle }: RequestHandlers, context: OpenCall): unknown {
  if (!isPermission(request)) throw new Unanswerable('can_use_tool needs `tool_name`, `tool_use_id` and `input`.');
  if (!handle) throw new Unanswerable('canUseTool: no permission callback is registered, so this cannot be allowed.');
  return handle(request, context);
}

/** An answer that cannot be used becomes a denial with the reason: the model and the author of the program read it. */
function read(answer: unknown, call: OpenCall, fault: ReportFault): Payload | undefined {
  if (answer === null) return undefined;
  call.isJson = true;
  const request = call.request as ControlRequest & PermissionRequest; // `ask` has checked it
  const found = readAnswer(answer, request);
  if ('payload' in found) return found.payload;
  fault(call, new TypeError(found.wrong));
  const interrupt = found.interrupts === true ? { interrupt: true } : {};
  return { behavior: 'deny', message: `Denied: ${found.wrong}`, ...interrupt, toolUseID: request.tool_use_id };
}

/** Each field is read once, since an answer may be an object of any kind. */
function readAnswer(answer: unknown, request: PermissionRequest): Found {
  try {
    if (!isRecord(answer)) return { wrong: `the permission callback returned ${kindAndKeys(answer)}. ${accepted}` };
    const { behavior, decisionClassification } = answer;
    const kind = typeof decisionClassification === 'string' ? { decisionClassification } : {};
    if (behavior === 'deny') return denial(answer, kind, request);
    if (behavior === 'allow') return allowance(answer, kind, request);
    const found = typeof behavior === 'string' ? `the behavior ${shown(behavior)}` : kindAndKeys(answer);
    return { wrong: `the permission callback returned ${found}. ${accepted}` };
  } catch (error) {
    return { wrong: `the answer of the permission callback cannot be read: ${errorText(error)}` };
  }
}

function denial({ message, interrupt }: Payload, kind: Payload, { tool_use_id: toolUseID }: PermissionRequest): Found {
  if (typeof message !== 'string')
    return { wrong: 'the permission callback refused the call without a message.', interrupts: interrupt === true };
  const ends = typeof interrupt === 'boolean' ? { interrupt } : {};
  return { payload: { ...kind, behavior: 'deny', message, ...ends, toolUseID } };
}

function allowance(answer: Payload, kind: Payload, { input, tool_use_id: toolUseID }: PermissionRequest): Found {
  const { updatedInput, updatedPermissions, message } = answer;
  if (updatedInput !== undefined && !isRecord(updatedInput))
    return { wrong: `\`updatedInput\` is ${kindAndKeys(updatedInput)}. ${accepted}` };
  if (answer['remember'] !== undefined)
    return {
      wrong:
        '`remember` is for `onAsk` of openSession() and ask(). A callback returns `updatedPermissions`, which rememberedRules() makes.',
    };
  const slip = misspeltIn(answer, answerMembers);
  if (slip !== undefined)
    return { wrong: `\`${slip.name.slice(0, 40)}\` is not known. Did you mean \`${slip.meant}\`? ${original}` };
  if (updatedPermissions !== undefined && !Array.isArray(updatedPermissions))
    return { wrong: `\`updatedPermissions\` is ${kindAndKeys(updatedPermissions)}, no list. ${accepted}` };
  const changed = jsonCopy(updatedInput, { name: 'updatedInput', exact: true });
  if (changed.lost !== undefined) return { wrong: `${changed.lost} ${original}` };
  if (isRecord(changed.copy) && isEmpty(changed.copy) && !isEmpty(input))
    return { wrong: `\`updatedInput\` is empty, which the agent takes for an input that was not changed. ${original}` };
  const rules = jsonCopy(updatedPermissions, { name: 'updatedPermissions', exact: true });
  if (rules.lost !== undefined) return { wrong: rules.lost };
  // JSON leaves out what is undefined.
  const fields = { behavior: 'allow', updatedInput: changed.copy, updatedPermissions: rules.copy, toolUseID };
  return { payload: { ...kind, ...fields, ...(typeof message === 'string' && { message }) } };
}

const original = 'The original input was not run either. Pass the complete input as a plain object, or deny.';

function isPermission(request: ControlRequest): request is ControlRequest & PermissionRequest {
  return (
    typeof request['tool_name'] === 'string' && typeof request['tool_use_id'] === 'string' && isRecord(request['input'])
  );
}
