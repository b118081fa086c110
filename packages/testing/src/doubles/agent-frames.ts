/** The frames that an agent writes in a conversation, for a test that plays the agent. */
export interface AgentFrames {
  /** The state of the agent: `running`, `idle`, `requires_action`. */
  state(value: string): object;
  /** The state of a message: `queued`, `started`, `completed`, `cancelled`. */
  lifecycle(messageUuid: string, value: string): object;
  /** The beginning of a turn, with the messages that it answers. */
  init(...messageUuids: string[]): object;
  /** The list of running background tasks. */
  tasks(...list: { readonly task_id: string; readonly task_type: string }[]): object;
  /** A text of the model. */
  assistantText(text: string): object;
  /** The result of a turn: a success with these fields changed. */
  result(fields?: object): object;
  /** The result of a turn that was interrupted. */
  interrupted(...messageUuids: string[]): object;
  /** Every frame of one turn that answers with a text. */
  wholeTurn(messageUuid: string, text: string, resultFields?: object): object[];
  /** The answer to a control request. */
  response(request: { readonly request_id?: string | undefined }, response?: object): object;
  /** The refusal of a control request. */
  refusal(request: { readonly request_id?: string | undefined }, error: string): object;
}

const session = { uuid: 'frame', session_id: 's' };
const usage = { input_tokens: 1, output_tokens: 1 };

/** In the order and the form in which the CLI writes them (22-streaming-multi-turn-queue-priority). */
export const agentFrames: AgentFrames = {
  state: (value) => ({
    type: 'system',
    subtype: 'session_state_changed',
    state: value,
    sdk_host_only: true,
    ...session,
  }),

  lifecycle: (command_uuid, state) => ({ type: 'command_lifecycle', command_uuid, state, ...session }),

  init: (...user_message_uuids) => ({
    type: 'system',
    subtype: 'init',
    ...session,
    ...(user_message_uuids.length > 0 && { user_message_uuids }),
  }),

  tasks: (...list) => ({
    type: 'system',
    subtype: 'background_tasks_changed',
    tasks: list.map((task) => ({ description: '', ...task })),
    ...session,
  }),

  assistantText: (text) => ({
    type: 'assistant',
    message: { id: 'm', role: 'assistant', model: 'test', content: [{ type: 'text', text }], stop_reason: null, usage },
    parent_tool_use_id: null,
    ...session,
  }),

  result: (fields = {}) => ({
    type: 'result',
    subtype: 'success',
    is_error: false,
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    stop_reason: 'end_turn',
    terminal_reason: 'completed',
    total_cost_usd: 0,
    usage,
    modelUsage: {},
    permission_denials: [],
    ...session,
    ...fields,
  }),

  interrupted: (...user_message_uuids) =>
    agentFrames.result({
      subtype: 'error_during_execution',
      is_error: true,
      errors: [],
      terminal_reason: 'aborted_streaming',
      user_message_uuids,
    }),

  wholeTurn: (messageUuid, text, resultFields = {}) => [
    agentFrames.state('running'),
    agentFrames.lifecycle(messageUuid, 'queued'),
    agentFrames.lifecycle(messageUuid, 'started'),
    agentFrames.init(messageUuid),
    agentFrames.assistantText(text),
    agentFrames.result({ result: text, user_message_uuids: [messageUuid], ...resultFields }),
    agentFrames.lifecycle(messageUuid, 'completed'),
    agentFrames.state('idle'),
  ],

  response: ({ request_id }, response = {}) => ({
    type: 'control_response',
    response: { subtype: 'success', request_id, response },
  }),

  refusal: ({ request_id }, error) => ({
    type: 'control_response',
    response: { subtype: 'error', request_id, error },
  }),
};
