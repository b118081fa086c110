import { errorText, jsonCopy, isRecord } from '@hexagent/ports';
import type { ControlRequest, PermissionRequest } from '@hexagent/ports';
import { Unanswerable } from './call.ts';
import type { Call, Payload } from './call.ts';
import { describe, isEmpty } from './shapes.ts';

/** What was read of an answer: the payload, or why there is none. */
type Read = { readonly payload: Payload } | { readonly wrong: string; readonly interrupts?: boolean };

const accepted =
  'Accepted are { behavior: "allow", updatedInput?, updatedPermissions? } and { behavior: "deny", message, interrupt? }.';

/** What cannot be used is a denial that says why: the model and the author of the program read it. */
export async function answerPermission({ request, handlers, context, fault }: Call): Promise<Payload | undefined> {
  if (!isPermission(request)) throw new Unanswerable('can_use_tool needs `tool_name`, `tool_use_id` and `input`.');
  const handle = handlers.can_use_tool;
  if (!handle) throw new Unanswerable('canUseTool: no permission callback is registered, so nobody can allow this.');
  const answer: unknown = await handle(request, context);
  if (answer === null) return undefined;
  const read = readAnswer(answer, request);
  if ('payload' in read) return { ...read.payload, toolUseID: request.tool_use_id };
  fault(new TypeError(read.wrong));
  const interrupt = read.interrupts === true ? { interrupt: true } : {};
  return { behavior: 'deny', message: `Denied: ${read.wrong}`, ...interrupt, toolUseID: request.tool_use_id };
}

/** Each field is read once, since an answer may be an object of any kind. */
function readAnswer(answer: unknown, request: PermissionRequest): Read {
  try {
    if (!isRecord(answer)) return { wrong: `the permission callback returned ${describe(answer)}. ${accepted}` };
    const { behavior, message, interrupt, updatedInput, updatedPermissions, ...others } = answer;
    if (behavior === 'deny') return denial({ message, interrupt }, others);
    if (behavior === 'allow') return allowance({ updatedInput, updatedPermissions }, others, request);
    return { wrong: `the permission callback returned ${describe(answer)}. ${accepted}` };
  } catch (error) {
    return { wrong: `the answer of the permission callback cannot be read: ${errorText(error)}` };
  }
}

function denial({ message, interrupt }: Payload, others: Payload): Read {
  const interrupts = interrupt === true;
  if (typeof message !== 'string')
    return { wrong: 'the permission callback refused the call without a message.', interrupts };
  const kept = jsonCopy(others, { name: 'answer' });
  // A denial stands, whatever else is in it.
  const fields = kept.lost === undefined ? kept.copy : {};
  return { payload: { ...asRecord(fields), behavior: 'deny', message, ...(interrupts ? { interrupt } : {}) } };
}

function allowance({ updatedInput, updatedPermissions }: Payload, others: Payload, { input }: PermissionRequest): Read {
  if (updatedInput !== undefined && !isRecord(updatedInput))
    return { wrong: `\`updatedInput\` is ${describe(updatedInput)}. ${accepted}` };
  if (others['remember'] !== undefined)
    return {
      wrong:
        '`remember` is for approvers of openSession() and ask(). A callback returns `updatedPermissions`, which rememberedRules() makes.',
    };
  if (updatedPermissions !== undefined && !Array.isArray(updatedPermissions))
    return { wrong: `\`updatedPermissions\` is ${describe(updatedPermissions)}, no list. ${accepted}` };
  const changed = jsonCopy(updatedInput, { name: 'updatedInput', exact: true });
  if (changed.lost !== undefined) return { wrong: `${changed.lost} ${original}` };
  if (isRecord(changed.copy) && isEmpty(changed.copy) && !isEmpty(input))
    return { wrong: `\`updatedInput\` is empty, which the agent takes for an input that was not changed. ${original}` };
  const rules = jsonCopy(updatedPermissions, { name: 'updatedPermissions', exact: true });
  if (rules.lost !== undefined) return { wrong: rules.lost };
  const kept = jsonCopy(others, { name: 'answer' });
  if (kept.lost !== undefined) return { wrong: kept.lost };
  return {
    payload: {
      ...asRecord(kept.copy),
      behavior: 'allow',
      ...(updatedInput === undefined ? {} : { updatedInput: changed.copy }),
      ...(updatedPermissions === undefined ? {} : { updatedPermissions: rules.copy }),
    },
  };
}

const original = 'The original input was not run either. Pass the complete input as a plain object, or deny.';

const asRecord = (value: unknown): Payload => (isRecord(value) ? value : {});

function isPermission(request: ControlRequest): request is ControlRequest & PermissionRequest {
  return (
    typeof request['tool_name'] === 'string' && typeof request['tool_use_id'] === 'string' && isRecord(request['input'])
  );
}
