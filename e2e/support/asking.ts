import type { PermissionAsk, Session } from '@hexagent/sdk';
import { expect } from 'vitest';

/** Resolves once so many calls wait for a person. */
export async function pendingOf(session: Session, count = 1): Promise<readonly PermissionAsk[]> {
  await expect.poll(() => session.pending.list(), { timeout: 20_000 }).toHaveLength(count);
  return session.pending.list().filter((ask) => ask.tool !== undefined);
}

/** The first request that waits. */
export async function onePending(session: Session): Promise<PermissionAsk> {
  const [pending] = await pendingOf(session);
  return pending!;
}
