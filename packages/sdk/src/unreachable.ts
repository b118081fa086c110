import { whyNotAsked, type WarningListener } from '@hexagent/ports';
import type { SessionOptions } from './session-options.ts';

/** Warns of callbacks that these options keep the agent from calling. */
export function warnOfUnreachable(options: SessionOptions, warn: WarningListener): void {
  const unreachable = (source: string, why: string | undefined): void => {
    if (why === undefined) return;
    warn({ code: 'HEXAGENT_CALLBACK_UNREACHABLE', source: `${source} ${why}`, message: `The ${source} ${why}` });
  };
  const { permissions: { approver, onQuestion, onPlan } = {}, dialogs } = options;
  if (approver !== undefined) unreachable('approver', whyApproverIsNotAsked(options));
  if (onQuestion !== undefined) unreachable('handler of questions', whyHandlerIsNotAsked(options));
  if (onPlan !== undefined) unreachable('handler of plans', whyHandlerIsNotAsked(options));
  if (dialogs !== undefined && dialogs.kinds.length === 0)
    unreachable('dialog host', 'is never called: only kinds of dialogs that `dialogs.kinds` names are shown.');
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
