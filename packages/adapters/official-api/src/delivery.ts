import { SdkError, type InitializeFields, type SessionFeature, type WarningListener } from '@hexagent/ports';

/**
 * Reads in the agent's answer whether it took the servers and plugins that travel in `initialize`; nothing else is sent
 * before. `undefined` when none do.
 */
export function deliveryFeature(
  { mcpServers, plugins }: InitializeFields,
  warn: WarningListener,
): SessionFeature | undefined {
  if (mcpServers === undefined && plugins === undefined) return undefined;
  return {
    name: 'delivery',
    checkInitialize: ({ mcp_servers_applied: hasServers, plugins_applied: hasPlugins }) => {
      // As in the official package: an older agent ignores them without an error.
      if (mcpServers !== undefined && hasServers === undefined)
        throw new SdkError(
          'INITIALIZE_FAILED',
          'The agent is too old to take MCP servers from its `initialize` request. Update the CLI, or set `mcpServersDelivery` to argv.',
        );
      if (mcpServers !== undefined && hasServers !== true)
        warn({
          code: 'CLAUDE_SDK_MCP_SERVERS_NOT_APPLIED',
          source: 'mcpServers',
          message:
            'The agent did not start the MCP servers of its `initialize` request: this session has none of them.',
        });
      if (plugins !== undefined && hasPlugins !== true)
        warn({
          code: 'HEXAGENT_PLUGINS_NOT_APPLIED',
          source: 'plugins',
          message: 'The agent did not load the plugins of its `initialize` request: this session has none of them.',
        });
    },
  };
}
