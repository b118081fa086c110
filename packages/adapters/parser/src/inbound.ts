import { isRecord } from '@hexagent/checks';
import type { Frame } from '@hexagent/ports';
import { checkRare } from './rare-frames.ts';

/** Fields of a frame before they are checked. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks the fields that the SDK itself reads, and returns the reason for the first that fails. Written by hand, since
 * frames arrive by the hundred thousand. An unknown type is not an error.
 */
export function checkInbound(frame: Frame): string | undefined {
  const fields = frame as Frame & Fields; // JSON.parse made it, so reading an unknown field is safe
  switch (frame.type) {
    case 'stream_event':
      return isRecord(fields['event']) && typeof fields['event']['type'] === 'string'
        ? undefined
        : 'stream_event: `event` is not an object with a `type`';
    case 'assistant':
      return isRecord(fields['message']) && Array.isArray(fields['message']['content'])
        ? undefined
        : 'assistant: `message.content` is not a list';
    case 'user':
      return isRecord(fields['message']) && isContent(fields['message']['content'])
        ? undefined
        : 'user: `message.content` is neither text nor a list';
    case 'system':
      return checkSystem(fields);
    case 'control_request':
      if (typeof fields['request_id'] !== 'string') return 'control_request: `request_id` is not a string';
      return isRecord(fields['request']) && typeof fields['request']['subtype'] === 'string'
        ? undefined
        : 'control_request: `request.subtype` is not a string';
    case 'command_lifecycle':
      return checkStrings('command_lifecycle', fields, ['command_uuid', 'state']);
    case 'keep_alive':
      return undefined;
    default:
      return checkRare(frame);
  }
}

function checkSystem(fields: Fields): string | undefined {
  switch (fields['subtype']) {
    case 'session_state_changed':
      return checkStrings('session_state_changed', fields, ['state']);
    case 'background_tasks_changed':
      return isTasks(fields['tasks'])
        ? undefined
        : 'background_tasks_changed: `tasks` is not a list of objects with `task_id` and `task_type`';
    case 'task_started':
      return checkStrings('task_started', fields, ['task_id']);
    case 'task_notification':
      return checkStrings('task_notification', fields, ['task_id', 'status']);
    case 'init':
      return checkStrings('init', fields, ['session_id']) ?? checkUuids('init', fields);
    default:
      return checkStrings('system', fields, ['subtype']);
  }
}

function checkStrings(what: string, fields: Fields, names: readonly string[]): string | undefined {
  const wrong = names.find((name) => typeof fields[name] !== 'string');
  return wrong === undefined ? undefined : `${what}: \`${wrong}\` is not a string`;
}

function checkUuids(what: string, fields: Fields): string | undefined {
  const uuids = fields['user_message_uuids'];
  if (uuids === undefined || (Array.isArray(uuids) && uuids.every((uuid) => typeof uuid === 'string')))
    return undefined;
  return `${what}: \`user_message_uuids\` is not a list of strings`;
}

function isTasks(value: unknown): boolean {
  const isTask = (task: unknown): boolean =>
    isRecord(task) && typeof task['task_id'] === 'string' && typeof task['task_type'] === 'string';
  return Array.isArray(value) && value.every(isTask);
}

function isContent(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value);
}
