import type { AgentMessage, Exit, Host } from '@hexagent/ports';

/** Allows, accepts and goes on. */
export function obligingHost(message: (message: AgentMessage) => void, exited: (exit: Exit) => void): Host {
  return {
    message,
    exited,
    permission: async ({ input }) => ({ behavior: 'allow', updatedInput: input }),
    hook: async () => ({}),
    mcp: async (_, { id }) => (id === undefined ? undefined : { jsonrpc: '2.0', id, result: {} }),
    elicit: async () => ({ action: 'decline' }),
    dialog: async () => ({ behavior: 'cancelled' }),
  };
}
