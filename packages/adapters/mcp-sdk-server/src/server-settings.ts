import { isRecord } from '@hexagent/checks';
import type { McpServerSettings, McpToolPolicy } from '@hexagent/ports';

const policies: readonly unknown[] = ['always_allow', 'always_ask', 'always_deny'];

/**
 * The settings of a server for the agent. A malformed policy is refused: ignoring it would let a tool run that was
 * meant to be denied.
 * @throws {TypeError} naming the server.
 */
export function settingsOf(
  { tools, timeout }: { readonly tools?: unknown; readonly timeout?: unknown },
  server: string,
): McpServerSettings | undefined {
  const checked = { ...toolsOf(tools, server), ...timeoutOf(timeout, server) };
  return Object.keys(checked).length === 0 ? undefined : checked;
}

/** @throws {TypeError} for anything but a whole number of milliseconds; 0 and `undefined` mean the agent's default. */
export function timeoutOf(timeout: unknown, server: string): { readonly timeout?: number } {
  if (timeout === undefined || timeout === null || timeout === 0) return {};
  if (typeof timeout !== 'number' || !Number.isSafeInteger(timeout) || timeout < 0)
    throw new TypeError(`The timeout of the MCP server ${server} must be a whole number of milliseconds.`);
  return { timeout };
}

function toolsOf(tools: unknown, server: string): Pick<McpServerSettings, 'tools'> {
  if (tools === undefined || tools === null) return {};
  if (!Array.isArray(tools)) throw new TypeError(`\`tools\` of the MCP server ${server} must be a list of policies.`);
  return { tools: tools.map((policy: unknown) => policyOf(policy, server)) };
}

function policyOf(policy: unknown, server: string): McpToolPolicy {
  const { name, permission_policy } = isRecord(policy) ? policy : {};
  if (typeof name !== 'string' || name === '')
    throw new TypeError(`Each policy in \`tools\` of the MCP server ${server} must name its tool.`);
  if (permission_policy !== undefined && !policies.includes(permission_policy))
    throw new TypeError(
      `The permission_policy of the tool ${name} of the MCP server ${server} must be one of ${policies.join(', ')}.`,
    );
  // Other fields are passed on to the agent unchecked.
  return policy as McpToolPolicy;
}
