// The frames that the stand-ins write, in the form of the recordings of the real CLI.

const session_id = '3b7c1d52-8f0e-4a57-9c44-5e1a5d0f7b10';
const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/** A different one for each number, since equal strings would be parsed faster than real ones. */
const uuid = (number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;

export const initMessage = {
  type: 'system',
  subtype: 'init',
  cwd: '/tmp',
  session_id,
  tools: ['Bash', 'Edit', 'Read', 'Write'],
  mcp_servers: [],
  model: 'stand-in',
  permissionMode: 'default',
  slash_commands: [],
  apiKeySource: 'none',
  output_style: 'default',
  uuid: uuid(0),
};

/** A piece of streamed text, 285 bytes long as a line, like the real ones. */
export function delta(number) {
  return {
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ` piece ${number} of it` } },
    session_id,
    parent_tool_use_id: null,
    uuid: uuid(number),
    api_message_id: 'msg_bench_1',
  };
}

export function assistantMessage(text, number = 1) {
  const content = [{ type: 'text', text }];
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'stand-in',
    content,
    stop_reason: null,
    usage,
  };
  return { type: 'assistant', message, parent_tool_use_id: null, session_id, uuid: uuid(number) };
}

export const resultMessage = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  result: 'done',
  stop_reason: 'end_turn',
  session_id,
  total_cost_usd: 0.0001,
  usage,
  modelUsage: {},
  permission_denials: [],
  terminal_reason: 'completed',
  uuid: uuid(2),
};

export const lineOf = (frame) => `${JSON.stringify(frame)}\n`;
