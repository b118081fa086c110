import { listedToolsOf, type HostedServers } from '@hexagent/mcp-sdk-server';
import type { PermissionPolicy } from '@hexagent/permissions';
import { serverInToolNames, whyNotAsked } from '@hexagent/checks';
import type { WarningListener } from '@hexagent/ports';
import { ownServerName } from './own-tools.ts';
import type { SessionOptions } from './session-options.ts';

interface Reached {
  /** Absent where a part of the program decides too. */
  readonly policy: PermissionPolicy | undefined;
  readonly hosted: HostedServers;
}

/** Warns of callbacks that these options keep the agent from calling. */
export function warnOfUnreachable(options: SessionOptions, reached: Reached, warn: WarningListener): void {
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
      `tools of ${isOwn ? '`ownTools`' : `the MCP server ${server}`}`,
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
  { ownTools = [], permissions = {}, hooks = {}, settings = 'none', extraArgs }: SessionOptions,
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
    const names = server === ownServerName ? ownTools.map(({ name }) => name) : listedToolsOf(hosted.get(server));
    const isUndecided = (name: string): boolean =>
      policy.decide({ tool: `${serverInToolNames(server)}__${name}`, input: {}, server }).by.kind === 'nothing';
    const tools = names.filter(isUndecided);
    return tools.length === 0 ? [] : [[server, tools] as const];
  });
}

function whyApproverIsNotAsked({ permissions = {}, mcpServers = {}, tools, extraArgs }: SessionOptions) {
  const { cliMode: mode, allow, deny, ask, onQuestion, onPlan } = permissions;
  const hasServers = Object.keys(mcpServers).length > 0;
  const takesQuestions = onQuestion === undefined || onPlan === undefined;
  // What an allow rule of this face lets run is not for the approver: that is what the rule is for.
  return whyNotAsked({ mode, allow, deny, ask, tools, extraArgs, hasServers, takesQuestions, reportsParts: false });
}

/** Rules and modes that let calls run answer no question. */
function whyHandlerIsNotAsked({ permissions: { cliMode: mode, deny } = {}, extraArgs }: SessionOptions) {
  const ask = ['AskUserQuestion', 'ExitPlanMode'];
  return whyNotAsked({ mode, deny, ask, extraArgs, hasServers: true, takesQuestions: true, reportsParts: false });
}
