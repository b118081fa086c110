import type { PermissionAsk } from './approvals.ts';

/** The message of a denial where no decision was made in time. */
export function nobodyDecidedWithin(ms: number, { kind }: Pick<PermissionAsk, 'kind'>): string {
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
