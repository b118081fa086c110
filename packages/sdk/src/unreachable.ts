import type { PermissionPolicy } from '@hexagent/permissions';
import { whyNotAsked } from '@hexagent/checks';
import type { WarningListener } from '@hexagent/ports';
import { ownServerName } from './own-tools.ts';
import type { SessionOptions } from './session-options.ts';

/** Warns of callbacks that these options keep the agent from calling. */
export function warnOfUnreachable(
  options: SessionOptions,
  /** Absent where a part of the program decides too. */
  policy: PermissionPolicy | undefined,
  warn: WarningListener,
): void {
  const unreachable = (source: string, why: string | undefined): void => {
    if (why === undefined) return;
    warn({ code: 'HEXAGENT_CALLBACK_UNREACHABLE', source: `${source} ${why}`, message: `The ${source} ${why}` });
  };
  const { permissions: { approver, onQuestion, onPlan } = {}, dialogs } = options;
  if (approver !== undefined) unreachable('approver', whyApproverIsNotAsked(options));
  if (onQuestion !== undefined) unreachable('handler of questions', whyHandlerIsNotAsked(options));
  if (onPlan !== undefined) unreachable('handler of plans', whyHandlerIsNotAsked(options));
  const unallowed = unallowedTools(options, policy);
  if (unallowed.length > 0) {
    const why = `that nothing allows are never called: ${unallowed.join(', ')}. Set \`permissions.allowOwnTools\`, allow them by a rule, or pass an approver.`;
    warn({
      code: 'HEXAGENT_CALLBACK_UNREACHABLE',
      source: `own tools ${why}`,
      message: `The tools of \`ownTools\` ${why}`,
    });
  }
  if (dialogs !== undefined && dialogs.kinds.length === 0)
    unreachable('dialog host', 'is never called: only kinds of dialogs that `dialogs.kinds` names are shown.');
}

/** Where only the policy decides: an approver, hooks, settings and other modes of the CLI may allow a tool as well. */
function unallowedTools(
  { ownTools = [], permissions = {}, hooks = {}, settings = 'none', extraArgs }: SessionOptions,
  policy: PermissionPolicy | undefined,
): readonly string[] {
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
  const isUndecided = (name: string): boolean =>
    policy.decide({ tool: `mcp__${ownServerName}__${name}`, input: {} }).by.kind === 'nothing';
  return ownTools.map(({ name }) => name).filter(isUndecided);
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
