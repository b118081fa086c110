// The frames of the scripted agent. What has a number `n` has to reach the program, once and in order.
const session = { session_id: 's' };
const usage = { input_tokens: 1, output_tokens: 1 };
let count = 0;

export function numbered(frame) {
  count += 1;
  return { ...frame, ...session, uuid: `frame-${count}`, n: count };
}

const texts = ['word ', 'ü€👋 ', '\u2028\u2029\u0000 ', '"\\\\ '];
function textOf(letters) {
  const piece = texts[count % texts.length];
  return piece.repeat(Math.ceil(letters / piece.length)).slice(0, letters);
}

export function message(kind, letters) {
  const text = textOf(letters);
  switch (kind) {
    case 'assistant':
      return numbered({
        type: 'assistant',
        message: {
          id: 'm',
          role: 'assistant',
          model: 'x',
          content: [{ type: 'text', text }],
          stop_reason: null,
          usage,
        },
        parent_tool_use_id: null,
      });
    case 'delta':
      return numbered({
        type: 'stream_event',
        event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        parent_tool_use_id: null,
      });
    case 'tool result':
      return numbered({
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: text }] },
        parent_tool_use_id: null,
      });
    case 'system':
      return numbered({ type: 'system', subtype: 'status', status: null, text });
    case 'wrong assistant':
      return numbered({ type: 'assistant', message: 5, text });
    case 'wrong system':
      return numbered({ type: 'system', subtype: 'task_started', task_id: { text } });
    default:
      return numbered({ type: 'from_the_future', deep: [{ text }, null] });
  }
}

export const init = (uuid) =>
  numbered({ type: 'system', subtype: 'init', ...(uuid && { user_message_uuids: [uuid] }) });

export const state = (value) => ({
  type: 'system',
  subtype: 'session_state_changed',
  state: value,
  sdk_host_only: true,
  ...session,
});

export const lifecycle = (command_uuid, value) => ({
  type: 'command_lifecycle',
  command_uuid,
  state: value,
  ...session,
});

export function result(how, uuid, isInterrupted) {
  const isError = ['error', 'without errors', 'odd errors'].includes(how);
  const frame = numbered({
    type: 'result',
    subtype: isError ? 'error_during_execution' : 'success',
    is_error: isError,
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    stop_reason: 'end_turn',
    terminal_reason: isInterrupted ? 'aborted_streaming' : 'completed',
    total_cost_usd: 0,
    usage,
    modelUsage: {},
    permission_denials: [],
    ...(isError ? {} : { result: 'done' }),
    ...(how === 'error' && { errors: ['It went wrong.'] }),
    ...(how === 'odd errors' && { errors: 'no list' }),
  });
  if (how === 'for another') return { ...frame, user_message_uuids: ['00000000-0000-4000-8000-000000000000'] };
  return how === 'nameless' || uuid === undefined ? frame : { ...frame, user_message_uuids: [uuid] };
}

/** A request of the agent's; `undefined` means that there was no request. */
export function request(what, key, hookId) {
  const mcp = (server_name, message) => ({
    subtype: 'mcp_message',
    server_name,
    message: { jsonrpc: '2.0', ...message },
  });
  switch (what) {
    case 'permission':
      return { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: `echo ${key}` }, tool_use_id: key };
    case 'permission without a tool':
      return { subtype: 'can_use_tool', input: {}, tool_use_id: key };
    case 'hook':
    case 'unknown hook':
      return {
        subtype: 'hook_callback',
        callback_id: what === 'hook' ? (hookId ?? 'hook_0') : 'nobody',
        tool_use_id: key,
        input: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: key },
      };
    case 'tools':
      return mcp('own', { id: key, method: 'tools/call', params: { name: 'add', arguments: {} } });
    case 'unknown server':
      return mcp('nobody', { id: key, method: 'tools/list' });
    case 'notification':
      return mcp('own', { method: 'notifications/initialized' });
    case 'elicitation':
      return { subtype: 'elicitation', mcp_server_name: 's', message: 'Which?' };
    case 'from the future':
      return { subtype: 'from_the_future' };
    case 'no subtype':
      return { subtype: 5 };
    default:
      return undefined;
  }
}
