import type { ChatInput, ChatSendOptions, CliPermissionMode } from '@hexagent/ports';
import { isRecord } from '@hexagent/checks';
import { optionalFlag, optionalOneOf, optionalText, readFields } from './fields.ts';
import type { ChatLimits } from './limits.ts';
import { Refusal } from './refusal.ts';
import { checkId } from './routes.ts';
import { toContent } from './to-content.ts';

/** The values that callers may choose. */
export interface Choices {
  readonly models: readonly string[];
  readonly permissionModes: readonly CliPermissionMode[];
  readonly commands: readonly string[];
}

/** The body of `POST /chat`, as `useChat` sends it. */
export interface ChatRequest {
  readonly chatId: string;
  /** The message of a person; `undefined` when the page only passes on answers to approvals. */
  readonly message: ChatInput | undefined;
  readonly approvals: readonly ApprovalResponse[];
  readonly sendOptions: ChatSendOptions;
}

/** The answer that `addToolApprovalResponse()` of `useChat` writes into the message of the assistant. */
export interface ApprovalResponse {
  readonly id: string;
  readonly approved: boolean;
  readonly reason: string | undefined;
}

/** Of the body: what `useChat` sends, then what a caller may choose. */
const names = [
  ...(['id', 'message', 'messages', 'trigger', 'messageId'] as const),
  ...(['steer', 'continues', 'model', 'permissionMode'] as const),
] as const;

/** @throws {Refusal} for a request that a chat cannot answer. */
export function toChatRequest(body: unknown, choices: Choices, limits: ChatLimits): ChatRequest {
  const fields = readFields(body, names, 'The body');
  const chatId = checkId(fields.id, 'body');
  const trigger = optionalText(fields.trigger, 'trigger') ?? 'submit-message';
  if (trigger === 'regenerate-message')
    throw new Refusal('EDIT_NOT_OFFERED', 'An answer of the agent is not made again.');
  if (trigger !== 'submit-message') throw new Refusal('BAD_REQUEST', 'The `trigger` is not known.');
  const last = lastMessage(fields, limits);
  const sendOptions: ChatSendOptions = {
    steer: optionalFlag(fields.steer, 'steer') ?? false,
    continues: optionalFlag(fields.continues, 'continues'),
    model: optionalOneOf(fields.model, choices.models, 'model'),
    permissionMode: optionalOneOf(fields.permissionMode, choices.permissionModes, 'permissionMode'),
  };
  if (last.role === 'assistant')
    return { chatId, message: undefined, approvals: approvalResponses(last.parts, limits), sendOptions };
  if (last.role !== 'user') throw new Refusal('BAD_REQUEST', 'The last message must be one of the user.');
  // `useChat` names the message only where it replaces one that was sent.
  if (optionalText(fields.messageId, 'messageId') !== undefined)
    throw new Refusal('EDIT_NOT_OFFERED', 'A message that was sent is not changed.');
  const id = checkId(last.id, 'message');
  return {
    chatId,
    message: { id, content: toContent(last.parts, choices.commands, limits) },
    approvals: [],
    sendOptions,
  };
}

interface ShownMessage {
  readonly id: unknown;
  readonly role: unknown;
  readonly parts: readonly unknown[];
}

/** Only the last message is read: the earlier ones are in the agent's own history, where no page can change them. */
function lastMessage(fields: { message?: unknown; messages?: unknown }, limits: ChatLimits): ShownMessage {
  const { message, messages } = fields;
  if (messages !== undefined && !Array.isArray(messages))
    throw new Refusal('BAD_REQUEST', '`messages` must be a list.');
  if (messages !== undefined && messages.length > limits.messages)
    throw new Refusal('BODY_TOO_LARGE', `\`messages\` has more than ${limits.messages}.`);
  const last: unknown = message ?? messages?.at(-1);
  if (!isRecord(last)) throw new Refusal('BAD_REQUEST', 'There is no message, neither in `message` nor in `messages`.');
  const { id, role, parts } = last;
  if (!Array.isArray(parts)) throw new Refusal('BAD_REQUEST', 'The message has no `parts`.');
  return { id, role, parts };
}

function approvalResponses(parts: readonly unknown[], limits: ChatLimits): readonly ApprovalResponse[] {
  const found = parts.flatMap((part) => {
    if (!isRecord(part) || part['state'] !== 'approval-responded' || !isRecord(part['approval'])) return [];
    const { id, approved, reason } = part['approval'];
    if (typeof approved !== 'boolean') throw new Refusal('BAD_REQUEST', '`approved` must be true or false.');
    return [{ id: checkId(id, 'approval'), approved, reason: optionalText(reason, 'reason') }];
  });
  if (found.length === 0) throw new Refusal('BAD_REQUEST', 'The last message must be one of the user.');
  if (found.length > limits.parts)
    throw new Refusal('MESSAGE_TOO_LARGE', `The message has more than ${limits.parts} answers.`);
  return found;
}
