import { createSdkMcpServer } from '@hexagent/mcp-sdk-server';
import type { SessionOptions } from './session-options.ts';

/** The server that has the tools of the option `ownTools`: the model calls them as `mcp__own__<tool>`. */
export const ownServerName = 'own';

/**
 * Puts the tools of the option `ownTools` into one server, and adds the rule that allows them.
 * @throws {TypeError} where the options name a server that is called the same, and for a tool that could not be served.
 */
export function withOwnTools(options: SessionOptions): SessionOptions {
  const { ownTools, mcpServers = {}, permissions = {} } = options;
  if (ownTools === undefined) {
    if (permissions.allowOwnTools !== true) return options;
    throw new TypeError('`permissions.allowOwnTools` allows the tools in `ownTools`. Pass some, or leave it out.');
  }
  if (Object.hasOwn(mcpServers, ownServerName))
    throw new TypeError('`mcpServers.own` has the name of the server that `ownTools` are put into. Choose another.');
  return {
    ...options,
    mcpServers: { ...mcpServers, [ownServerName]: createSdkMcpServer({ name: ownServerName, tools: ownTools }) },
    ...(permissions.allowOwnTools === true && {
      permissions: { ...permissions, allow: [...(permissions.allow ?? []), `mcp__${ownServerName}`] },
    }),
  };
}
