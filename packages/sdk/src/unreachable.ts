import { listedToolsOf, type HostedServers } from '@hexagent/mcp-sdk-server';
import type { PermissionPolicy } from '@hexagent/permissions';
import { serverInToolNames, whyNotAsked } from '@hexagent/checks';
import type { WarningListener } from '@hexagent/ports';
import type { CheckedOptions } from './session-options.ts';
import { defaultTools, ownServerName } from './session-tools.ts';

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
  const { permissions: { approver, onQuestion, onPlan } = {}, dialogs } = options;
  if (approver !== undefined) unreachable('approver', whyApproverIsNotAsked(options));
  if (onQuestion !== undefined) unreachable('handler of questions', whyHandlerIsNotAsked(options));
  if (onPlan !== undefined) unreachable('handler of plans', whyHandlerIsNotAsked(options));
  for (const [server, tools] of unallowedTools(options, reached)) {
    const isOwn = server === ownServerName;
    const remedy = isOwn ? 'Set `permissions.allowOwnTools`, allow' : 'Allow';
    unreachable(
      `tools ${isOwn ? 'made by tool()' : `of the MCP server ${server}`}`,
      `that nothing allows are never called: ${tools.join(', ')}. ${remedy} them by a rule, or pass an approver.`,
    );
  }
  if (dialogs !== undefined && dialogs.kinds.length === 0)
    unreachable('dialog host', 'is never called: only kinds of dialogs that `dialogs.kinds` names are shown.');
}

/**
 * Tools of servers in this process, where only the policy decides: an approver, hooks, settings and other modes of the CLI may
 * allow a tool as well.
 */
function unallowedTools(
  { tools: { own } = defaultTools, permissions = {}, hooks = {}, settings = 'none', extraArgs }: CheckedOptions,
  { policy, hosted }: Reached,
): readonly (readonly [server: string, tools: readonly string[]])[] {
  const { approver, cliMode = 'default' } = permissions;
  const othersMayAllow =
    policy === undefined ||
    approver !== undefined ||
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

function whyApproverIsNotAsked({
  permissions = {},
  tools: { builtIn, servers } = defaultTools,
  extraArgs,
}: CheckedOptions) {
  const { cliMode: mode, allow, deny, ask, onQuestion, onPlan } = permissions;
  const hasServers = Object.keys(servers).length > 0;
  const takesQuestions = onQuestion === undefined || onPlan === undefined;
  // What an allow rule of this face lets run is not for the approver: that is what the rule is for.
  return whyNotAsked({
    mode,
    allow,
    deny,
    ask,
    tools: builtIn,
    extraArgs,
    hasServers,
    takesQuestions,
    reportsParts: false,
  });
}

/** Rules and modes that let calls run answer no question. */
function whyHandlerIsNotAsked({ permissions: { cliMode: mode, deny } = {}, extraArgs }: CheckedOptions) {
  const ask = ['AskUserQuestion', 'ExitPlanMode'];
  return whyNotAsked({ mode, deny, ask, extraArgs, hasServers: true, takesQuestions: true, reportsParts: false });
}
