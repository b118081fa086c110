import type { AgentMessage, Exit, Host } from '@hexagent/ports';

/** Allows, accepts and continues. */
export function obligingHost(message: (message: AgentMessage) => void, exited: (exit: Exit) => void): Host {
  return {
    message,
    exited,
    can_use_tool: async ({ input }) => ({ behavior: 'allow', updatedInput: input }),
    hook_callback: async () => ({}),
    mcp_message: async ({ message: { id } }) => (id === undefined ? undefined : { jsonrpc: '2.0', id, result: {} }),
    elicitation: async () => ({ action: 'decline' }),
    request_user_dialog: async () => ({ behavior: 'cancelled' }),
  };
}
