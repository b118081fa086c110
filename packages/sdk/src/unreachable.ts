import { isDialled, listedToolsOf, type HostedServers } from '@hexagent/mcp-sdk-server';
import type { PermissionPolicy } from '@hexagent/permissions';
import { serverInToolNames, whyNotAsked } from '@hexagent/checks';
import type { WarningListener } from '@hexagent/ports';
import type { CheckedOptions } from './session-options.ts';
import { defaultTools, ownServerName, ownServersOf } from './session-tools.ts';

interface Reached {
  /** Absent where a part of the program decides too. */
  readonly policy: PermissionPolicy | undefined;
  readonly hosted: HostedServers;
}

/** Warns of callbacks that these options keep the agent from calling. */
export function warnOfUnreachable(options: CheckedOptions, reached: Reached, warn: WarningListener): void {
  const unreachable = (source: string, why: string | undefined): void => {
    if (why === undefined) return;
    warn({ code: 'HEXAGENT_CALLBACK_UNREACHABLE', source: `${source} ${why}`, message: `The ${source} ${why}` });
  };
  if (options.onAsk !== undefined) unreachable('handler `onAsk`', whyNothingIsAsked(options));
  for (const [server, tools] of unallowedTools(options, reached)) {
    const isOwn = ownServersOf(options).includes(server);
    const remedy = isOwn ? 'Set `permissions.allowOwnTools`, allow' : 'Allow';
    unreachable(
      `tools ${server === ownServerName ? 'made by tool()' : `of the MCP server ${server}`}`,
      `that nothing allows are never called: ${tools.join(', ')}. ${remedy} them by a rule, or pass \`onAsk\`.`,
    );
  }
}

/**
 * Tools of servers in this process, where only the policy decides: `onAsk`, hooks, settings and other modes of the CLI may
 * allow a tool as well.
 */
function unallowedTools(
  { tools: { own } = defaultTools, permissions = {}, onAsk, hooks = {}, settings = 'none', extraArgs }: CheckedOptions,
  { policy, hosted }: Reached,
): readonly (readonly [server: string, tools: readonly string[]])[] {
  const { cliMode = 'default' } = permissions;
  const othersMayAllow =
    policy === undefined ||
    onAsk !== undefined ||
    !['default', 'acceptEdits', 'dontAsk'].includes(cliMode) ||
    hooks.PreToolUse !== undefined ||
    hooks.PermissionRequest !== undefined ||
    settings !== 'none' ||
    extraArgs !== undefined;
  if (othersMayAllow) return [];
  return hosted.names().flatMap((server) => {
    const names = server === ownServerName ? own.map(({ name }) => name) : listedToolsOf(hosted.get(server));
    const isUndecided = (name: string): boolean =>
      policy.decide({ tool: `${serverInToolNames(server)}__${name}`, input: {}, server }).by.kind === 'nothing';
    const tools = names.filter(isUndecided);
    return tools.length === 0 ? [] : [[server, tools] as const];
  });
}

function whyNothingIsAsked(options: CheckedOptions): string | undefined {
  const { permissions = {}, tools: { builtIn, servers } = defaultTools, dialogKinds, extraArgs } = options;
  // A server that the agent dials may ask, and so may a dialog, whatever the rules and modes are.
  if (dialogKinds !== undefined || Object.values(servers).some(isDialled)) return undefined;
  const { cliMode: mode, allow, deny, ask } = permissions;
  const hasServers = Object.keys(servers).length > 0;
  // What an allow rule of this face lets run is not for the handler: that is what the rule is for.
  return whyNotAsked({
    mode,
    allow,
    deny,
    ask,
    tools: builtIn,
    extraArgs,
    hasServers,
    mayBeForQuestions: true,
    reportsParts: false,
  });
}
