import {
  cameWith,
  SdkError,
  type InitializeFields,
  type InitializeResult,
  type SessionFeature,
  type WarningListener,
} from '@hexagent/ports';

/** Options that restrict the agent. It is asked nothing before it confirms them. */
const restrictions = {
  settings: 'settings_applied',
  managedSettings: 'managed_settings_applied',
  disallowedTools: 'disallowed_tools_applied',
} as const satisfies Readonly<Record<string, keyof InitializeResult>>;

/**
 * Reads in the agent's answer whether it took the options that travel in `initialize`; nothing else is sent before.
 * `undefined` when none do.
 */
export function deliveryFeature(initialize: InitializeFields, warn: WarningListener): SessionFeature | undefined {
  const { mcpServers, plugins } = initialize;
  const restricting = Object.entries(restrictions).filter(([option]) => initialize[option] !== undefined);
  if (mcpServers === undefined && plugins === undefined && restricting.length === 0) return undefined;
  return {
    name: 'delivery',
    checkInitialize: (answer) => {
      const { mcp_servers_applied: hasServers, plugins_applied: hasPlugins } = answer;
      for (const [option, applied] of restricting)
        if (answer[applied] !== true)
          throw new SdkError(
            'INITIALIZE_FAILED',
            `The agent did not confirm the \`${option}\` of its \`initialize\` request, so it was ended. Check for a wrapper that changes the flags of its command line, or set \`${option}Delivery\` to argv.`,
          );
      // As in the official package: an older agent ignores them without an error.
      if (mcpServers !== undefined && hasServers === undefined)
        throw new SdkError(
          'INITIALIZE_FAILED',
          `The agent is too old to take MCP servers from its \`initialize\` request. ${cameWith('mcpServers in initialize')}`,
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
