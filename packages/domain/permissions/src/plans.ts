import { isPlainObject, isRecord, kindOf, plainCopy, plainOptions, shown } from '@hexagent/checks';
import type { Denial, ModeAfterPlan, PlanApproval } from '@hexagent/ports';
import { deny, type AskedOf } from './answers.ts';

/** What changes with the approval of a plan. */
export interface ApproveOptions {
  /** The plan as the person edited it. Default: as the agent wrote it. */
  readonly plan?: string | undefined;
  /** The CLI's mode from then on. Default: `default`. */
  readonly mode?: ModeAfterPlan | undefined;
}

/** The agent silently ignores any other and takes `default`. */
const modes: readonly ModeAfterPlan[] = ['default', 'acceptEdits', 'auto', 'dontAsk'];

/**
 * Approves a plan. Takes what was asked.
 * @throws {TypeError} for an option that is unknown or not what it must be.
 */
export function approvePlan(asked: AskedOf, options: ApproveOptions = {}): PlanApproval {
  const input: unknown = isRecord(asked) ? asked.input : undefined;
  if (!isPlainObject(input))
    throw new TypeError(
      `approvePlan() takes what was asked, whose \`input\` is that of ExitPlanMode, not ${kindOf(isRecord(asked) ? input : asked)}.`,
    );
  const { plan, mode } = plainOptions('approvePlan', options, ['plan', 'mode']);
  if (plan !== undefined && (typeof plan !== 'string' || plan.trim() === ''))
    throw new TypeError(
      `\`plan\` of approvePlan() must be the edited plan as a text, not ${plan === '' ? 'an empty one' : kindOf(plan)}.`,
    );
  if (mode !== undefined && !modes.includes(mode))
    throw new TypeError(`\`mode\` of approvePlan() must be one of ${modes.join(', ')}, not ${shown(mode)}.`);
  return {
    behavior: 'allow',
    updatedInput: { ...plainCopy(input, 'input'), ...(plan === undefined ? {} : { plan }) },
    ...(mode === undefined ? {} : { updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }] }),
  };
}

/**
 * Sends the plan back: the agent stays in plan mode, reads what to change, and shows another plan.
 * @throws {TypeError} without feedback.
 */
export function revisePlan(feedback: string): Denial {
  if (typeof feedback !== 'string' || feedback.trim() === '')
    throw new TypeError(
      `\`feedback\` of revisePlan() must be a text that describes what to change, not ${kindOf(feedback)}.`,
    );
  return deny(
    `The plan is not approved yet. Revise it, then show it again with ExitPlanMode. What to change: ${feedback}`,
  );
}
