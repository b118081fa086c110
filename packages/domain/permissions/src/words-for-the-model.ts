import type { PendingRequest } from '@hexagent/ports';

type Asked = Pick<PendingRequest, 'kind' | 'tool'>;

/** Why a call is denied that there is nobody to decide about. */
export function nobodyDecides({ kind, tool }: Asked): string {
  if (kind === 'call') return `No rule allows ${tool}, and there is nobody to ask.`;
  return kind === 'question'
    ? 'There is nobody here to answer questions. Decide yourself, and say what you assumed.'
    : 'There is nobody here to approve a plan. Give the plan as your answer, and change nothing.';
}

/** Why a call is denied that nobody has decided about in time. */
export function nobodyDecidedWithin(ms: number, { kind }: Asked): string {
  const waited = `Nobody answered within ${duration(ms)}`;
  if (kind === 'call') return `${waited}, so this was not run. Do without it, or say what it was needed for.`;
  return kind === 'question'
    ? `${waited}. Decide yourself, and say what you assumed.`
    : `${waited}, so the plan is not approved. Give the plan as your answer, and change nothing.`;
}

function duration(ms: number): string {
  const [amount, unit] = ms < 60_000 ? [ms / 1000, 'second'] : [ms / 60_000, 'minute'];
  const rounded = Math.round(amount * 10) / 10;
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}
