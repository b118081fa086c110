/** A frame of the wire, of any type. */
export interface WireFrame {
  readonly type?: string | undefined;
  readonly subtype?: string | undefined;
  readonly [field: string]: unknown;
}

/** The fields to compare, by the kind of a frame; the others are ids, times, sizes and details of the CLI. */
const relevant: Readonly<Record<string, readonly string[]>> = {
  'system/init': ['permissionMode', 'user_message_uuids', 'mcp_servers'],
  'system/session_state_changed': ['state'],
  'system/status': ['status', 'permissionMode', 'user_message_uuids'],
  'system/informational': ['content', 'level', 'tag', 'prevent_continuation'],
  'system/background_tasks_changed': [],
  'system/task_started': ['description', 'is_backgrounded', 'task_type'],
  'system/task_notification': ['status'],
  command_lifecycle: ['command_uuid', 'state'],
  control_cancel_request: [],
  result: [
    ...['subtype', 'is_error', 'num_turns', 'result', 'errors', 'terminal_reason', 'stop_reason', 'api_error_status'],
    ...['user_message_uuid', 'user_message_uuids', 'result_index'],
  ],
};

const block = ['type', 'text', 'thinking', 'name', 'input', 'content', 'is_error'];
const assistant = ['parent_tool_use_id', 'aborted', 'is_api_error_message', 'api_error_status', 'user_message_uuids'];

/** A frame as one line, without ids and times. */
export function outlineOf(frame: WireFrame): string {
  const kind = frame.type === 'system' ? `system/${String(frame.subtype)}` : String(frame.type);
  return `${kind} ${JSON.stringify(fieldsOf(frame, kind), null, 0)}`;
}

function fieldsOf(frame: WireFrame, kind: string): object {
  if (kind === 'assistant') return { ...pick(frame, assistant), content: blocksOf(frame) };
  if (kind === 'user')
    return { ...pick(frame, ['isSynthetic', 'isReplay', 'parent_tool_use_id']), content: blocksOf(frame) };
  if (kind === 'control_request') return requestOf(frame);
  if (kind === 'control_response') return answerOf(frame);
  if (kind === 'stream_event') return eventOf(frame);
  if (kind === 'result')
    return {
      ...pick(frame, relevant['result'] ?? []),
      origin: pick(frame['origin'], ['kind']),
      denied: denialsOf(frame),
    };
  const fields = relevant[kind];
  return fields === undefined ? {} : pick(frame, fields);
}

function blocksOf(frame: WireFrame): unknown {
  const { content } = (frame['message'] ?? {}) as { readonly content?: unknown };
  if (!Array.isArray(content)) return content;
  // Some tools send `is_error: false`, and others leave it out.
  return content
    .map((one) => pick(one, block))
    .map((one) => (one['is_error'] === false ? { ...one, is_error: undefined } : one));
}

function requestOf(frame: WireFrame): object {
  const picked = pick(frame['request'], [
    'subtype',
    'tool_name',
    'input',
    'callback_id',
    'server_name',
    'decision_reason_type',
  ]);
  // The scripted agent does not play the reasons of the CLI's own rules; only that of a hook is compared.
  if (picked['decision_reason_type'] !== 'hook') delete picked['decision_reason_type'];
  if (picked['subtype'] === 'hook_callback')
    return { ...picked, input: pick(picked['input'], ['hook_event_name', 'tool_name', 'tool_input']) };
  if (picked['subtype'] !== 'mcp_message') return picked;
  const { message } = frame['request'] as { readonly message?: unknown };
  return { ...picked, method: pick(message, ['method']) };
}

function answerOf(frame: WireFrame): object {
  const picked = pick(frame['response'], ['subtype', 'response', 'error', 'error_code']);
  const payload = picked['response'];
  const initialized = typeof payload === 'object' && payload !== null && 'commands' in payload;
  return initialized ? { ...picked, response: 'initialized' } : picked;
}

function eventOf(frame: WireFrame): object {
  const picked = pick(frame['event'], ['type', 'index', 'delta']);
  const delta = pick(picked['delta'], ['type', 'text', 'thinking', 'stop_reason']);
  return { ...picked, delta, ...pick(frame, ['user_message_uuids']) };
}

function denialsOf(frame: WireFrame): unknown {
  const denials = frame['permission_denials'];
  return Array.isArray(denials) ? denials.map((one) => pick(one, ['tool_name'])) : undefined;
}

function pick(value: unknown, fields: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {};
  const entries = new Map(Object.entries(value));
  return Object.fromEntries(fields.filter((field) => entries.has(field)).map((field) => [field, entries.get(field)]));
}
